import Foundation
import ModelCompilerCore
import Testing

/// Look-ups of models and other resources in bundles.
@Suite struct RewriterBundleTests {
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
    #expect(try RewrittenFile.copy("let m = \(expression)" + rest) == "let m = \(copy)" + rest)
    #expect(
      try RewrittenFile.copy("let m = \(expression)", bundle: .none).contains("module") == expression.contains("module")
    )
  }

  @Test(arguments: [
    ("let bundle = Bundle(for: X.self)", "bundle", true),
    ("func f(in bundle: Bundle = .main) {}", "self.bundle", true),
    ("static var bundle: Bundle { .main }", "A.bundle", true), ("let bundle = Bundle.main.bundleURL", "bundle", false),
    ("let bundle: Bundle?", "bundle", false), ("let bundle = Bundle(identifier: \"x\")", "bundle", false),
    ("let other = Bundle.main", "bundle", false),
  ])
  func bundlesWithNames(declaration: String, name: String, isKnown: Bool) throws {
    let chosen = isKnown ? "(\(name) == Bundle.main ? Bundle.module : \(name))" : name
    let text = try RewrittenFile.rewrite(
      "import CoreData\nclass A { \(declaration)\nlet u = \(name).url(forResource: \"A\", withExtension: \"momd\") }")
    #expect(text.text.contains("let u = \(chosen).url(forResource: \"A\", withExtension: \"momd\")"))
    #expect(text.changes.contains { $0.isLeft } == !isKnown)
    #expect(text.text.contains(declaration))
  }

  @Test func listsOfBundlesWithNames() throws {
    #expect(
      try RewrittenFile.copy("let bundles = [Bundle.main]; let m = NSManagedObjectModel.mergedModel(from: bundles)")
        .contains(
          "mergedModel(from: bundles.map { $0 == Bundle.main ? Bundle.module : $0 })"))
    #expect(
      try RewrittenFile.copy("extension Bundle { var m: URL? { url(forResource: \"A\", withExtension: \"momd\") } }")
        .contains(
          "{ (self == Bundle.main ? Bundle.module : self).url(forResource: "))
  }

  /// A default argument of a public function cannot name what is internal, as Bundle.module is.
  @Test func publicDefaultArgumentsNameAVariable() throws {
    let made = try RewrittenFile.copy(
      """
      public func f(_ u: URL = Bundle.main.url(forResource: "A", withExtension: "momd")!) {}
      public class C {
        public init(_ bundle: Bundle = Bundle(for: C.self)) {}
        init(bundle: Bundle = Bundle(for: C.self)) {}
      }
      """)
    #expect(made.contains("(_ u: URL = _moduleBundle_A.url(forResource: \"A\", withExtension: \"momd\")!)"))
    #expect(made.contains("public init(_ bundle: Bundle = _moduleBundle_A)"))
    #expect(made.contains(" init(bundle: Bundle = Bundle.module)"))
    #expect(made.hasSuffix("\n@usableFromInline nonisolated var _moduleBundle_A: Bundle { Bundle.module }\n"))
  }

  @Test(arguments: [
    ("Bundle(for: C.self)", "Bundle.module"), ("Foundation.Bundle(for: App.C.self)", "Bundle.module"),
    ("Bundle(for: Self.self)", "Bundle.module"), ("Bundle(for: type(of: self))", "Bundle.module"),
    ("Bundle(for: C.classForCoder())", "Bundle.module"), ("Bundle(for: Inner.classForCoder())", "Bundle.module"),
    ("Bundle(for: Self.classForCoder())", "Bundle.module"), ("Bundle(for: classForCoder)", "Bundle.module"),
    ("Bundle(for: Other.classForCoder())", "Bundle(for: Other.classForCoder())"),
    ("Bundle(for: Inner.self)", "Bundle.module"), ("Bundle(for: Alias.self)", "Bundle.module"),
    ("Bundle(for: Other.self)", "Bundle(for: Other.self)"), ("Bundle(for: cls)", "Bundle(for: cls)"),
    ("Bundle(identifier: id)!", "Bundle.module"), ("Bundle(identifier: id)", "Bundle(identifier: id)"),
    ("Bundle(identifier: \"com.apple.UIKit\")!", "Bundle(identifier: \"com.apple.UIKit\")!"),
    ("Bundle.allBundles", "[Bundle.main, Bundle.module]"), ("Bundle.main", "Bundle.main"),
  ])
  func bundlesOfOwnClasses(expression: String, copy: String) throws {
    func source(_ text: String) -> String {
      "class C { class Inner {}\nfunc f() { g(\(text)) } }\ntypealias Alias = C"
    }
    for bundle in [ModuleBundle.models, .resources] {
      #expect(try RewrittenFile.copy(source(expression), bundle: bundle) == source(copy))
    }
    #expect(try RewrittenFile.copy(source(expression), bundle: .none) == source(expression))
  }

  @Test func extensionsOfOthersClassesKeepTheirBundle() throws {
    let source = "extension XCTestCase { var b: Bundle { Bundle(for: type(of: self)) } }"
    #expect(try RewrittenFile.copy(source) == source)
  }

  /// What a library without a model is handed, it looks for in the whole program.
  @Test(arguments: [
    ("bundle.url", "(forResource: n, withExtension: \"momd\")", "bundle._modelURL"),
    ("Bundle.main.url", "(forResource: n, withExtension: \"mom\", subdirectory: d)", "Bundle.main._modelURL"),
    ("Bundle(for: X.self).path", "(forResource: n, ofType: \"momd\")", "Bundle(for: X.self)._modelPath"),
    (
      "bundle.urls", "(forResourcesWithExtension: \"mom\", subdirectory: f(a: 1) + \".momd\")", "bundle._modelURLs"
    ),
    ("bundle.paths", "(forResourcesOfType: \"momd\", inDirectory: nil)", "bundle._modelPaths"),
    ("bundle.url", "(forResource: n, withExtension: \"json\")", nil),
    ("bundle.url", "(forResource: n, withExtension: \"momd\", subdirectory: d, localization: l)", nil),
    ("other.url", "(forResource: n, withExtension: \"momd\")", nil),
  ])
  func modulesWithoutModelsSearch(method: String, arguments: String, copy: String?) throws {
    func source(_ method: String) -> String { "func f(bundle: Bundle) { g(\(method)\(arguments)) }" }
    for bundle in [ModuleBundle.none, .resources] {
      #expect(try RewrittenFile.copy(source(method), bundle: bundle) == source(copy ?? method))
    }
  }

  @Test func modulesWithoutModelsMergeThoseOfTheProgram() throws {
    #expect(
      try RewrittenFile.copy("let m = NSManagedObjectModel.mergedModel(from: Bundle.allBundles)", bundle: .none)
        == "let m = NSManagedObjectModel.mergedModel(from: [Bundle.main])")
    #expect(
      try RewrittenFile.copy(
        "extension Bundle { var m: URL? { url(forResource: \"A\", withExtension: \"momd\") } }", bundle: .none
      )
      .contains("{ _modelURL(forResource: \"A\""))
  }

  /// A test that looks for its fixtures, in a target that lists no resources.
  @Test func missingBundlesAreNoted() throws {
    func notes(_ expression: String, _ bundle: ModuleBundle) throws -> [Bool] {
      try RewrittenFile.rewrite("import CoreData\nclass T { func f() { \(expression) } }", bundle: bundle).changes.map(
        \.isLeft)
    }
    let fixture = "Bundle(for: T.self).url(forResource: \"old\", withExtension: \"sqlite\")"
    #expect(try notes(fixture, .none) == [true] && notes(fixture, .resources) == [false])
    #expect(try notes("Bundle(for: T.self).url(forResource: \"A\", withExtension: \"momd\")", .none) == [false])
    #expect(try notes("Bundle(for: T.self).infoDictionary", .none) == [])
  }
}
