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
    ("class B: NSObject, P {}; class C: B { func done() {} }", true), ("class C: NSObject { func done() {} }", false),
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

  @Test func protocolsOfOtherModulesAreKnown() throws {
    let kit = [Parser.parse("import CoreData\n" + source, path: "/kit/P.swift")]
    let files = [SourceFile("import Kit\nclass C: NSObject, P { func done() {} }", path: "/app/A.swift")]
    let made = try Rewriter.rewrite(module: "App", files: files, dependencies: [("Kit", { kit })])
    #expect(made.copies[0].hasSuffix("{ func done() {}; var _optional_done: (() -> Void)? { { self.done() } } }"))
  }
}
