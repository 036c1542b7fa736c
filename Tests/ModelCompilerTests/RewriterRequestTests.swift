import Foundation
import ModelCompilerCore
import Testing

/// Casts between fetch requests, literals of sets, and imports.
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

  /// Swift Testing takes the arguments of its macros apart, and cannot take an operator of another module's.
  @Test(arguments: [
    ("#require(x as? NSFetchRequest<P>)", "#require(_fetchRequest(x, NSFetchRequest<P>.self))"),
    ("#require(try f(1) as? Requests, \"a\")", "#require(try _fetchRequest(f(1), Requests.self), \"a\")"),
    ("#expect((x as! NSFetchRequest<P>).y == 1)", "#expect((_forcedFetchRequest(x, NSFetchRequest<P>.self)).y == 1)"),
    ("#expect(x is NSFetchRequest<P>)", "#expect(_fetchRequest(x, NSFetchRequest<P>.self) != nil)"),
    ("#expect(x as Any as? NSFetchRequest<P> == y)", "#expect(_fetchRequest(x as Any, NSFetchRequest<P>.self) == y)"),
    ("#expect(a.map { $0 as! NSFetchRequest<P>? })", "#expect(a.map { _fetchRequest($0, NSFetchRequest<P>.self) })"),
    ("#expect(a, b(x as! NSFetchRequest<P>))", "#expect(a, b(_forcedFetchRequest(x, NSFetchRequest<P>.self)))"),
  ])
  func castsInMacros(expression: String, copy: String) throws {
    let rest = "\ntypealias Requests = NSFetchRequest<P>"
    #expect(try self.copy(expression + rest) == copy + rest)
  }

  /// The protocol exists for the compiler alone, which refuses to look for it in a value.
  @Test(arguments: [
    ("x as? NSFetchRequestResult ?? y", "x as! NSFetchRequestResult? ?? y"),
    ("x as? any NSFetchRequestResult", "x as! (any NSFetchRequestResult)?"),
    ("x as? CoreData.NSFetchRequestResult", "x as! CoreData.NSFetchRequestResult?"),
    ("x is NSFetchRequestResult && y", "x as! NSFetchRequestResult? != nil && y"),
    ("x as! NSFetchRequestResult", "x as! NSFetchRequestResult"),
    ("x as NSFetchRequestResult", "x as NSFetchRequestResult"),
    ("x as? [NSFetchRequestResult]", "x as? [NSFetchRequestResult]"),
    ("x as? NSFetchRequestResult & P", "x as? NSFetchRequestResult & P"),
    ("x as? NSFetchRequestResultType", "x as? NSFetchRequestResultType"),
  ])
  func castsToResults(expression: String, copy: String) throws {
    #expect(try self.copy("let r = \(expression)") == "let r = \(copy)")
  }

  /// Conditions within a literal, and literals as what a condition chooses.
  @Test(arguments: [
    ("let s: NSSet = [a ? b : c, d]", "let s: NSSet = NSSet(array: [a ? b : c, d])"),
    ("let s = [a ? b : c, d] as NSSet", "let s = NSSet(array: [a ? b : c, d]) "),
    ("let s: NSSet = [a?.b ?? c, d ? e?.f : g]", "let s: NSSet = NSSet(array: [a?.b ?? c, d ? e?.f : g])"),
    ("let s: NSSet = [a ? b : c : d]", "let s: NSSet = [a ? b : c : d]"),
    ("let s = [a ? b : c : d] as NSSet", "let s = [a ? b : c : d] as NSSet"),
    (
      "let s: NSSet = x ? [a] : [b]\nlet t = [1]",
      "let s: NSSet = x ? NSSet(array: [a]) : NSSet(array: [b])\nlet t = [1]"
    ),
    ("let s: NSSet =\n  x\n  ? [a]\n  : t\n", "let s: NSSet =\n  x\n  ? NSSet(array: [a])\n  : t\n"),
    (
      "let s: NSSet = x ? [a ? b : c] : y ? t : []",
      "let s: NSSet = x ? NSSet(array: [a ? b : c]) : y ? t : NSSet(array: [])"
    ),
    (
      "func f(s: NSSet = x ? (y ? [a] : t) : [b], t: [Int] = [1]) {}",
      "func f(s: NSSet = x ? (y ? NSSet(array: [a]) : t) : NSSet(array: [b]), t: [Int] = [1]) {}"
    ),
    (
      "let s: NSSet = all.contains { $0 ? [a] : [b] } ? t : u", "let s: NSSet = all.contains { $0 ? [a] : [b] } ? t : u"
    ),
    ("let s: NSSet = x ? [a].set : [b].set", "let s: NSSet = x ? [a].set : [b].set"),
    ("let s: NSSet = x ? [a: b] : [:]", "let s: NSSet = x ? [a: b] : [:]"),
    ("let s = x ? [a] as NSSet : t", "let s = x ? NSSet(array: [a])  : t"),
    ("let s = x ? t : [a] as NSSet", "let s = x ? t : NSSet(array: [a]) "),
    ("let s = x ? [a] : [b] as NSSet", "let s = x ? NSSet(array: [a]) : NSSet(array: [b]) "),
    ("let s = x ? [a] as NSSet : [b] as NSSet", "let s = x ? NSSet(array: [a])  : NSSet(array: [b]) "),
    (
      "let s: NSSet = x ? [a] : y ? [b] as NSSet : [c]",
      "let s: NSSet = x ? NSSet(array: [a]) : y ? NSSet(array: [b])  : NSSet(array: [c])"
    ),
    ("let d = [k: [a] as NSSet, l: [b] as NSArray]", "let d = [k: NSSet(array: [a]) , l: [b] as NSArray]"),
    ("let y = x ? [1] : [2]\nlet s = [a] as NSSet", "let y = x ? [1] : [2]\nlet s = NSSet(array: [a]) "),
  ])
  func conditionsAndSetLiterals(source: String, copy: String) throws {
    // Spaces may stay in the place of a type.
    #expect(try self.copy(source).split(separator: " ") == copy.split(separator: " "))
  }

  /// NSSet takes no literal on Linux.
  @Test(arguments: [
    ("let s = [a, b] as NSSet", "let s = NSSet(array: [a, b]) "),
    ("f(x ?? [a[1], g([b])] as NSMutableSet, y)", "f(x ?? NSMutableSet(array: [a[1], g([b])]) , y)"),
    ("return [] as Foundation.NSSet", "return NSSet(array: []) "), ("x = [a] as NSSet?", "x = NSSet(array: [a]) "),
    ("let s: NSSet = [a, b]\nlet t = 1", "let s: NSSet = NSSet(array: [a, b])\nlet t = 1"),
    ("func f(_ s: NSSet? = [], t: Int) {}", "func f(_ s: NSSet? = NSSet(array: []), t: Int) {}"),
    (
      "var s: NSMutableSet = [\n1,\n2\n] { didSet {} }",
      "var s: NSMutableSet = NSMutableSet(array: [\n1,\n2\n]) { didSet {} }"
    ),
    ("a[1] as NSSet", "a[1] as NSSet"), ("f()[1] as NSSet", "f()[1] as NSSet"), ("set as NSSet", "set as NSSet"),
    ("[a] as? NSSet", "[a] as? NSSet"), ("[a] as NSArray", "[a] as NSArray"), ("[a] as NSSet.T", "[a] as NSSet.T"),
    ("let s: NSSet = [a].set", "let s: NSSet = [a].set"), ("let s: NSSet = [a]\n.set", "let s: NSSet = [a]\n.set"),
    ("let s: NSSet = [a: b]", "let s: NSSet = [a: b]"), ("let s: NSSet = [Int]()", "let s: NSSet = [Int]()"),
    ("let s: NSOrderedSet = [a]", "let s: NSOrderedSet = [a]"), ("let s: [NSSet] = [a]", "let s: [NSSet] = [a]"),
  ])
  func literalsOfSets(source: String, copy: String) throws {
    #expect(try self.copy(source) == copy)
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
    ("import Foundation\nlet n = 2 * NSEC_PER_SEC", "import CoreData\n"),
    ("import Foundation\nimport CocoaFoundation\nlet p: NSPredicate", ""), ("import Foundation\nlet a = 1", ""),
    ("import CoreData\nlet p: NSPredicate", ""), ("import Foundation\nstruct UndoManager {}\nlet p: UndoManager", ""),
    ("#if canImport(CoreData)\nimport CoreData\n#endif\nlet p: NSPredicate", ""),
  ])
  func importsAreAdded(source: String, added: String) throws {
    #expect(
      try rewrite(source).text == added + "#sourceLocation(file: \"/app/A.swift\", line: 1)\n" + source)
  }

  /// A module is imported with an access level in all files, or in none.
  @Test(arguments: [
    ("internal import CoreData", "import Foundation\nlet p: NSExpression", "internal import CoreData\n"),
    ("public import CoreData", "import Foundation\nlet p: NSExpression", "internal import CoreData\n"),
    (
      "public import CoreData", "import Foundation\npublic struct S { public let p: NSExpression }",
      "public import CoreData\n"
    ),
    (
      "internal import CoreData", "import Foundation\npublic struct S { public let p: NSExpression }",
      "internal import CoreData\n"
    ),
    (
      "public import CoreData", "import Foundation\npublic struct S { public let p: NSPredicate }",
      "internal import CoreData\n"
    ),
    ("import CoreData", "public import Foundation\nlet p: NSExpression", "import CoreData\n"),
  ])
  func importsAgree(other: String, source: String, added: String) throws {
    let files = [SourceFile(other, path: "/app/B.swift"), SourceFile(source, path: "/app/A.swift")]
    let made = try Rewriter.rewrite(module: "App", files: files)
    #expect(made.copies[1] == added + "#sourceLocation(file: \"/app/A.swift\", line: 1)\n" + source)
  }

  @Test func namesOfFoundationAreQualifiedAnew() throws {
    func text(_ source: String) throws -> String {
      try rewrite(source).text.replacing("#sourceLocation(file: \"/app/A.swift\", line: 1)\n", with: "")
    }
    #expect(
      try text("import Foundation\nclass T: Foundation.ValueTransformer {}")
        == "import CoreData\nimport Foundation\nclass T: CoreData  .ValueTransformer {}")
    #expect(
      try text("import Foundation\nstruct UndoManager {}\nlet m: Foundation.UndoManager").hasPrefix("import CoreData\n")
    )
    #expect(
      try text("import class Foundation.UndoManager\nimport CocoaFoundation")
        == "import class CocoaFoundation.UndoManager\nimport CocoaFoundation")
    let source = "import Foundation\nlet d: Foundation.Date, x = a.Foundation.NSPredicate"
    #expect(try text(source).hasSuffix(source))
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
