import Foundation
import ModelCompilerCore
import Testing

/// Casts between fetch requests, and imports.
@Suite struct RewriterRequestTests {
  private func rewrite(_ source: String, name: String = "A.swift") throws -> (text: String, changes: [SourceChange]) {
    try RewrittenFile.rewrite(source, name: name)
  }

  private func copy(_ source: String) throws -> String { try RewrittenFile.copy(source) }

  @Test(arguments: [
    ("x as! NSFetchRequest<P>", "x <~! NSFetchRequest<P>.self"),
    ("x as? NSFetchRequest<P> ?? y", "x <~? NSFetchRequest<P>.self ?? y"),
    ("x as! NSFetchRequest<any NSFetchRequestResult>", "x <~! NSFetchRequest<any NSFetchRequestResult>.self"),
    ("(T.fetchRequest() as! CoreData.NSFetchRequest<T>).x", "(T.fetchRequest() <~! CoreData.NSFetchRequest<T>.self).x"),
    ("try await f()\n  as! NSFetchRequest<[A: B<C>]>", "try await f()\n <~! NSFetchRequest<[A: B<C>]>.self"),
    ("f()as! NSFetchRequest<P>", "f() <~! NSFetchRequest<P>.self"),
    ("x as! NSFetchRequest<P>?", "x <~? NSFetchRequest<P>.self"),
    ("x as NSFetchRequest<P>", "x as NSFetchRequest<P>"), ("x as! [NSFetchRequest<P>]", "x as! [NSFetchRequest<P>]"),
    ("x as! NSFetchRequest", "x as! NSFetchRequest"), ("x as! Requests", "x <~! Requests.self"),
    ("x as! Others", "x as! Others"), ("x is NSFetchRequest<P>", "x <~? NSFetchRequest<P>.self != nil"),
    ("a.f(x[1]!) as AnyObject as! NSFetchRequest<P>", "(a.f(x[1]!) as AnyObject) <~! NSFetchRequest<P>.self"),
    ("try f { $0 } as Any as! NSFetchRequest<P>", "try (f { $0 } as Any) <~! NSFetchRequest<P>.self"),
    ("x as! NSFetchRequest<P> as NSObject", "(x <~! NSFetchRequest<P>.self) as NSObject"),
    (
      "x as Any as! NSFetchRequest<P> as NSObject", "((x as Any) <~! NSFetchRequest<P>.self) as NSObject"
    ),
    ("\"\\(x as! NSFetchRequest<P>)\"", "\"\\(x <~! NSFetchRequest<P>.self)\""),
    ("\"x as! NSFetchRequest<P>\"", "\"x as! NSFetchRequest<P>\""),
    ("1 // as! NSFetchRequest<P>", "1 // as! NSFetchRequest<P>"),
  ])
  func castsBetweenRequests(expression: String, copy: String) throws {
    let rest = "\nclass C { typealias Requests = NSFetchRequest<P> }\ntypealias Others = [NSFetchRequest<P>]"
    let made = try self.copy("let r = \(expression)" + rest)
    #expect(made == "let r = \(copy)" + rest)
  }

  @Test func patternsStay() throws {
    let source = "switch x { case let r as NSFetchRequest<P>: f(r)\ncase is NSFetchRequest<Q>: break }"
    #expect(try copy(source) == source)
  }

  @Test(arguments: [
    ("import Foundation\nlet p = NSPredicate(value: true)", "import CoreData\n"),
    (
      "#if canImport(UIKit)\nimport UIKit\n#else\nimport Foundation\n#endif\nlet s: NSSortDescriptor",
      "import CoreData\n"
    ),
    ("public import Foundation\nlet p: NSPredicate", "public import CoreData\n"),
    ("import Foundation\nimport CocoaFoundation\nlet p: NSPredicate", ""), ("import Foundation\nlet a = 1", ""),
    ("import CoreData\nlet p: NSPredicate", ""), ("import Foundation\nstruct UndoManager {}\nlet p: UndoManager", ""),
    ("#if canImport(CoreData)\nimport CoreData\n#endif\nlet p: NSPredicate", ""),
  ])
  func importsAreAdded(source: String, added: String) throws {
    #expect(
      try rewrite(source).text == added + "#sourceLocation(file: \"/app/A.swift\", line: 1)\n" + source)
  }

  @Test func submodulesAreImportedAsAWhole() throws {
    let text = try rewrite("@preconcurrency import CoreData.CoreDataDefines\nimport class CoreData.NSPredicate").text
    #expect(text.contains("@preconcurrency import CoreData                \n"))
    #expect(text.hasSuffix("import class CoreData.NSPredicate"))
  }

  @Test func mainFilesKeepTheirLines() throws {
    let text = try rewrite("\n\nimport Foundation\nprint(NSPredicate(value: true))", name: "main.swift").text
    #expect(text == "\n\nimport Foundation; import CoreData\nprint(NSPredicate(value: true))")
  }

  @Test func changesAreListed() throws {
    let made = try rewrite(
      "import CoreData\n@objc(A) class A: NSManagedObject {\n@NSManaged var x: Int }\nlet k = \"\\(\n#keyPath(A.x))\"")
    #expect(
      made.changes.map(\.description) == [
        "/app/A.swift:2: @objc is left out", "/app/A.swift:3: @NSManaged gets a body",
        "/app/A.swift:5: #keyPath is \"x\"",
      ])
  }
}
