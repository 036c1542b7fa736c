import Foundation
import ModelCompilerCore
import Testing

/// Casts between fetch requests, bundles with models, and imports.
@Suite struct RewriterRequestTests {
  private func rewrite(_ source: String, name: String = "A.swift", hasBundle: Bool = true) throws -> (
    text: String, changes: [SourceChange]
  ) {
    let made = try Rewriter.rewrite(
      module: "App", files: [SourceFile(source, path: "/app/\(name)")], hasBundle: hasBundle)
    return (made.copies[0], made.changes)
  }

  /// The copy without blanks that only fill up.
  private func copy(_ source: String, hasBundle: Bool = true) throws -> String {
    let text = try rewrite("import CoreData\n" + source, hasBundle: hasBundle).text
    let first = "#sourceLocation(file: \"/app/A.swift\", line: 1)\nimport CoreData\n"
    #expect(text.hasPrefix(first))
    return String(text.dropFirst(first.count)).replacing(#/ +/#) { _ in " " }
      .replacing(#/(\S) (\.|\)|\]|\n)/#) { $0.1 + $0.2 }
  }

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
    (
      "Bundle.main.url(forResource: n, withExtension: \"momd\")!",
      "Bundle.module.url(forResource: n, withExtension: \"momd\")!"
    ),
    (
      "Bundle(for: type(of: self)).path(forResource: \"A\", ofType: \"mom\")",
      "Bundle.module.path(forResource: \"A\", ofType: \"mom\")"
    ),
    (
      "Foundation.Bundle(for: X.self)\n  .urls(forResourcesWithExtension: \"cdm\", subdirectory: nil)",
      "Bundle.module\n .urls(forResourcesWithExtension: \"cdm\", subdirectory: nil)"
    ),
    (
      "Bundle(identifier: \"a.b\")!.url(forResource: \"A.momd\", withExtension: nil)",
      "Bundle.module.url(forResource: \"A.momd\", withExtension: nil)"
    ),
    (
      "Bundle.main.url(forResource: \"a\", withExtension: ext)",
      "Bundle.module.url(forResource: \"a\", withExtension: ext)"
    ),
    (
      "Bundle.main.url(forResource: \"a\", withExtension: \"json\")",
      "Bundle.main.url(forResource: \"a\", withExtension: \"json\")"
    ),
    (
      "Bundle.module.url(forResource: \"a\", withExtension: \"momd\")",
      "Bundle.module.url(forResource: \"a\", withExtension: \"momd\")"
    ),
    (
      "NSManagedObjectModel.mergedModel(from: [Bundle.main])", "NSManagedObjectModel.mergedModel(from: [Bundle.module])"
    ),
    (
      "NSManagedObjectModel.mergedModel(from: [.main, Bundle(for: A.self)], forStoreMetadata: m)",
      "NSManagedObjectModel.mergedModel(from: [.module, Bundle.module], forStoreMetadata: m)"
    ),
    (
      "NSManagedObjectModel.mergedModel(from: Bundle.allBundles)",
      "NSManagedObjectModel.mergedModel(from: [Bundle.module])"
    ),
    ("NSManagedObjectModel.mergedModel(from: nil)", "NSManagedObjectModel.mergedModel(from: nil)"),
    (
      "NSMappingModel(from: [Bundle.main], forSourceModel: a, destinationModel: b)",
      "NSMappingModel(from: [Bundle.module], forSourceModel: a, destinationModel: b)"
    ),
  ])
  func bundlesWithModels(expression: String, copy: String) throws {
    let rest = "\nlet ext = \"momd\""
    #expect(try self.copy("let m = \(expression)" + rest) == "let m = \(copy)" + rest)
    #expect(
      try self.copy("let m = \(expression)", hasBundle: false).contains("module") == expression.contains("module"))
  }

  @Test(arguments: [
    ("let bundle = Bundle(for: Self.self)", "bundle", true),
    ("func f(in bundle: Bundle = .main) {}", "self.bundle", true),
    ("static var bundle: Bundle { .main }", "A.bundle", true), ("let bundle = Bundle.main.bundleURL", "bundle", false),
    ("let bundle: Bundle?", "bundle", false), ("let bundle = Bundle(identifier: \"x\")", "bundle", false),
    ("let other = Bundle.main", "bundle", false),
  ])
  func bundlesWithNames(declaration: String, name: String, isKnown: Bool) throws {
    let chosen = isKnown ? "(\(name) == Bundle.main ? Bundle.module : \(name))" : name
    let text = try rewrite(
      "import CoreData\nclass A { \(declaration)\nlet u = \(name).url(forResource: \"A\", withExtension: \"momd\") }")
    #expect(text.text.contains("let u = \(chosen).url(forResource: \"A\", withExtension: \"momd\")"))
    #expect(text.changes.contains { $0.isLeft } == !isKnown)
    #expect(text.text.contains(declaration))
  }

  @Test func listsOfBundlesWithNames() throws {
    #expect(
      try copy("let bundles = [Bundle.main]; let m = NSManagedObjectModel.mergedModel(from: bundles)").contains(
        "mergedModel(from: bundles.map { $0 == Bundle.main ? Bundle.module : $0 })"))
    #expect(
      try copy("extension Bundle { var m: URL? { url(forResource: \"A\", withExtension: \"momd\") } }").contains(
        "{ (self == Bundle.main ? Bundle.module : self).url(forResource: "))
  }

  @Test func publicDefaultArgumentsStay() throws {
    let source = "public func f(_ u: URL = Bundle.main.url(forResource: \"A\", withExtension: \"momd\")!) {}"
    let made = try rewrite("import CoreData\n" + source)
    #expect(made.text.hasSuffix(source))
    #expect(made.changes.map(\.isLeft) == [true])
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
