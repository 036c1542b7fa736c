import ModelCompilerCore
import Testing

/// Optional methods of protocols, which become properties.
@Suite struct RewriterOptionalTests {
  private let source = """
    @objc public protocol P: NSObjectProtocol {
      @objc optional func done(_ x: Int, with m: [String: Int]) throws -> Bool
      @objc optional func done()
      func must()
    }
    """

  @Test func requirementsBecomeProperties() throws {
    let text = try RewrittenFile.copy(source)
    #expect(text.contains("\n var _optional_done_with: ((Int, [String: Int]) throws -> Bool)? { get }\n"))
    #expect(text.contains("\n var _optional_done: (() -> Void)? { get }\n func must()\n"))
    #expect(
      text.contains(
        "\nextension P {\n public var _optional_done_with: ((Int, [String: Int]) throws -> Bool)? { nil }\n}\n"))
  }

  @Test(arguments: [
    ("class C: NSObject, P { func done() {} }", true),
    ("class C: NSObject {}; extension C: P { func done() {} }", true),
    ("class B: NSObject, P {}; class C: B { func done() {} }", true),
    // The class inherits the method with which it conforms.
    ("class B: NSObject { func done() {} }; class C: B, P {}", true),
    ("class B: NSObject { func done() {} }; class C: B {}; class D: C {}; extension D: P {}", true),
    ("class B: NSObject { func done() {} }; class C: NSObject, P {}", false),
    ("class C: NSObject { func done() {} }", false),
    ("class C: NSObject, P { func done(_ x: Int) {} }", false),
    ("class C: NSObject, P { static func done() {} }", false),
  ])
  func classesGetTheProperty(declaration: String, isGiven: Bool) throws {
    let text = try RewrittenFile.copy(source + "\n" + declaration)
    #expect(text.contains("func done() {}; var _optional_done: (() -> Void)? { { self.done() } }") == isGiven)
  }

  @Test func argumentsArePassedOn() throws {
    let text = try RewrittenFile.copy(
      source
        + "\npublic class C: NSObject, P { public func done(_ x: Int, with m: [String: Int]) throws -> Bool { true } }")
    #expect(
      text.contains(
        "; public var _optional_done_with: ((Int, [String: Int]) throws -> Bool)? { { try self.done($0, with: $1) } }"))
  }

  @Test(arguments: [
    ("p?.done?(1, with: [\"a\": f(b: 1)])", "p?._optional_done_with?(1, [\"a\": f(b: 1)])"),
    ("p.done!()", "p._optional_done!()"), ("p.done()", "p.done()"), ("done?()", "done?()"),
    ("p.done?(x: 1)", "p.done?(x: 1)"), ("p.other?(1)", "p.other?(1)"),
  ])
  func callsAreOfTheProperty(call: String, copy: String) throws {
    let text = try RewrittenFile.copy(source + "\nlet r = \(call)\n").replacing(", [", with: ", [")
    #expect(text.contains("\nlet r = \(copy)\n"))
  }

  /// An optional block in a property of the same name is called in the same way.
  @Test(arguments: [
    ("class Q { var done: (() -> Void)? }", "let q = Q(); q.done?()", false),
    ("class Q { var done: (() -> Void)?; weak var p: P? }", "self.done?()", false),
    ("class Q { var done: (() -> Void)?; weak var p: P? }", "p?.done?()", true),
    ("class Q { var done: (() -> Void)?; weak var p: P? }", "self.p?.done?()", true),
    ("class R { var done: Handler? }; class Q: R {}", "self.done?()", false),
    // Where the receiver's type is not known, the name decides.
    ("class R { var done: (() -> Void)? }; class Q {}", "other().done?()", true),
    ("class R { var done: (() -> Void)? }; class Q {}", "let x = make(); x.done?()", true),
    ("class R { var done: (() -> Void)? }; class Q { var x: R? }", "let x = make(); x.done?()", true),
    ("class R { var done: (() -> Void)? }; class Q { var x: R? }", "if let x = make() { x.done?() }", true),
    ("class R { var done: (() -> Void)? }; class Q { var x: R? }", "for x in all { x.done?() }", true),
    ("class R { var done: (() -> Void)? }; class Q { var x: R? }", "all.each { x in x.done?() }", true),
    ("class R { var done: (() -> Void)? }; class Q { var x: R? }", "all.each { (a, x) in x.done?() }", true),
    ("class R { var done: (() -> Void)? }; class Q { var x: R? }", "all.each { [x = y] in x.done?() }", true),
    ("class R { var done: (() -> Void)? }; class Q { var x: P? }", "do { let x = R() }; x?.done?()", true),
    ("class R { var done: (() -> Void)? }; class Q {}", "let x = R().p; x.done?()", true),
    ("class R { var done: (() -> Void)? }; class Q {}", "let x: R.P = y; x.done?()", true),
    ("class R { var done: (() -> Void)? }; class Q { typealias R = P }", "let x: R = y; x.done?()", true),
    ("class R { var done: (() -> Void)? }; class Q { var x: R? }", "all.each { x?.done?() }", false),
    ("class R { var done: (() -> Void)? }; class Q {}", "let x = R(); if a { x.done?() }", false),
    // A class that inherits its conformance, from another module too.
    (
      "class R { var done: (() -> Void)? }; class B: NSObject, P {}; class D: B {}; class Q { var x: D! }", "x.done?()",
      true
    ),
    ("class R { var done: (() -> Void)? }; class D: Other {}; class Q { var x: D! }", "x.done?()", true),
    ("class R { var done: (() -> Void)? }; class Q {}", "let p: any P = other(); p.done?()", true),
    ("class R { var done: (() -> Void)? }; class Q { var p: D! }; class D: NSObject, P {}", "p.done?()", true),
    // Blocks have no labels, and what is no optional cannot be called so.
    ("class R { var done: ((Int, [String: Int]) -> Bool)? }; class Q {}", "try other().done?(1, with: [:])", true),
    ("class R { var done: Bool = false }; class Q {}", "other().done?()", true),
  ])
  func blocksInPropertiesStay(others: String, call: String, isRenamed: Bool) throws {
    let (text, changes) = try RewrittenFile.rewrite(
      "import CoreData\n" + source + "\n" + others + "\nextension Q { func go() { \(call) } }\n")
    #expect(text.contains("._optional_done") == isRenamed)
    #expect(text.contains(".done?(") != isRenamed)
    #expect(!changes.contains { $0.isLeft })
  }

  @Test func protocolsOfOtherModulesAreKnown() throws {
    let kit = [Parser.parse("import CoreData\n" + source, path: "/kit/P.swift")]
    let files = [SourceFile("import Kit\nclass C: NSObject, P { func done() {} }", path: "/app/A.swift")]
    let made = try Rewriter.rewrite(module: "App", files: files, dependencies: [("Kit", { kit })])
    #expect(made.copies[0].hasSuffix("{ func done() {}; var _optional_done: (() -> Void)? { { self.done() } } }"))
  }
}
