import ModelCompilerCore
import Testing

/// Blocks that a function passes on to a context's `perform`, which are `sending` for Swift 6 mode.
@Suite struct RewriterSendingTests {
  @Test(arguments: [
    ("func run<T>(_ b: @escaping () throws -> T) async throws -> T { try await c.perform(b) }", true),
    ("func run<T>(on c: C = x, _ b: @escaping (C) -> T) async -> T { await c.perform { b(c) } }", true),
    ("func run(_ b: @escaping (C) -> Void) async { await p.performBackgroundTask(b) }", true),
    ("func run(_ b: @escaping () -> Void) async { await c.perform(schedule: s) { b() } }", true),
    ("func run(_ b: @escaping () -> Void) { c.perform(b) }", false),
    ("func run(_ b: @escaping @Sendable () -> Void) async { await c.perform(b) }", false),
    ("func run(_ b: sending @escaping () -> Void) async { await c.perform(b) }", false),
    ("func run(_ b: @escaping () -> Void) async { await c.perform { 1 }; b() }", false),
    ("func run(_ b: Int) async { await c.perform { b } }", false),
  ])
  func blocksAreSending(function: String, isSending: Bool) throws {
    let text = try RewrittenFile.copy(function)
    #expect(text == (isSending ? function.replacing("@escaping", with: "sending @escaping") : function))
  }

  @Test func blocksArePassedThroughOthers() throws {
    let source = """
      protocol Running { func run<T>(_ block: @escaping () -> T) async -> T; func run<T>(other: @escaping () -> T) async }
      struct Load { func load<T>(_ b: @escaping () -> T) async -> T { await x.run { b() } } }
      extension C: Running { func run<T>(_ block: @escaping () -> T) async -> T { await perform(block) } }
      """
    let text = try RewrittenFile.copy(source)
    #expect(text.contains("{ func run<T>(_ block: sending @escaping () -> T) async -> T; func run<T>(other: @escaping"))
    #expect(text.contains("func load<T>(_ b: sending @escaping"))
    #expect(text.contains("extension C: Running { func run<T>(_ block: sending @escaping"))
  }

  /// What is called decides, and not its name alone: its labels, the type that has it, the parameter that gets the block.
  @Test(arguments: [
    // Own functions of the names that contexts have.
    ("struct W { func perform(_ b: @escaping () -> Void) async { b() } }", "await W().perform(b)", true),
    ("struct W { func perform(_ b: @escaping () -> Void) async { b() } }", "let w: W = w(); await w.perform(b)", false),
    (
      "struct W { func perform(_ b: @escaping () -> Void) async { b() } }", "let w = W(); await w.perform { b() }",
      false
    ),
    ("extension C { func perform(action: () -> Void) async { action() } }", "await self.perform(action: b)", false),
    ("extension C { func perform(action: () -> Void) async { action() } }", "await self.perform(b)", true),
    ("", "await c.perform(action: b)", false), ("", "await c.perform(b, with: 1)", false),
    // Functions of the name of one that passes its block on.
    ("extension D { func run(_ b: @escaping () -> Void) async { await perform(b) } }", "await d.run(b)", true),
    // The class may be a subclass.
    ("extension D { func run(_ b: @escaping () -> Void) async { await perform(b) } }", "await run(b)", true),
    (
      "extension D { func run(_ b: @escaping () -> Void) async { await perform(b) } }; extension C { func run(_ b: () -> Void) {} }",
      "await run(b)", false
    ),
    ("extension D { func run(_ b: @escaping () -> Void) async { await perform(b) } }", "await d.run(later: b)", false),
    (
      "extension D { func run(_ b: @escaping () -> Void) async { await perform(b) } }; struct L { func run(_ b: () -> Void) {} }",
      "let l = L(); l.run(b)", false
    ),
    (
      "extension D { func run(_ b: @escaping () -> Void) async { await perform(b) } }; struct L { func run(_ b: () -> Void) {} }",
      "let d: D = d(); await d.run { b() }", true
    ),
    (
      "class D { func run(_ b: @escaping () -> Void) async { await c.perform(b) } }; class C: D {}", "await run(b)",
      true
    ),
    // A function of the same name in the class that is extended does not hide the context's.
    (
      "extension NSManagedObjectContext { func perform(_ b: @escaping () -> Int) async {} }; class C: NSManagedObjectContext {}",
      "await perform(b)", true
    ),
    // Arguments and parameters that have no label of their own.
    (
      "extension D { func run(_ n: Int..., then b: @escaping () -> Void) async { await perform(b) } }",
      "await d.run(1, 2, then: b)", true
    ),
    (
      "extension D { func run(@Builder b: @escaping () -> Void) async { await perform(b) } }", "await d.run(b: b)", true
    ),
    (
      "extension D { func run(_ n: Int = 0, first: (() -> Void)? = nil, b: @escaping () -> Void) async { await perform(b) } }",
      "await d.run { b() }", true
    ),
    (
      "func run(_ f: Handler, then b: @escaping () -> Void) async { await perform(b) }", "await run {} then: { b() }",
      true
    ),
    // The other of two blocks.
    (
      "func run(_ f: @escaping () -> Void, then b: @escaping () -> Void) async { await perform(f); b() }",
      "await run({}, then: b)", false
    ),
    (
      "func run(_ f: @escaping () -> Void, then b: @escaping () -> Void) async { await perform(f); b() }",
      "await run({ b() }, then: {})", true
    ),
    (
      "func run(_ f: @escaping () -> Void, then b: @escaping () -> Void) async { await perform(f); b() }",
      "await run {} then: { b() }", false
    ),
  ])
  func theCalleeDecides(others: String, call: String, isSending: Bool) throws {
    let function = "extension C { func go(_ b: @escaping () -> Void) async { \(call) } }"
    let text = try RewrittenFile.copy(others + "\n" + function)
    let expected = isSending ? function.replacing("b: @escaping", with: "b: sending @escaping") : function
    #expect(text.split(separator: "\n").last.map(String.init) == expected)
  }

  /// Where the sources do not say what the receiver is, or what function it has, the name and the labels decide.
  @Test(arguments: [
    "let x = make(); await x.run(b)", "let x = make(); await x.perform { b() }", "await W().context.run(b)",
    "let x = W().context; await x.run(b)", "let x = W.shared; await x.run(b)", "if let x = make() { await x.run(b) }",
    "for x in all { await x.run(b) }", "await all.each { x in await x.run(b) }",
    "await all.each { (a, x) in await x.run(b) }",
    "await all.each { [x = y] in await x.run(b) }", "let (a, x) = make(); await x.run(b)",
    "do { let y = W() }; await y.run(b)",
    "if let y = W(0) {}; await y.run(b)", "await generic.run(b)", "await aliased.run(b)", "await both.run(b)",
    "await kit.run(b)", "await super.perform(b)", "await super.run(b)", "await Module.run(b)",
  ])
  func unknownReceiversHaveWhatTheNameSays(call: String) throws {
    let others = """
      struct W { func run(_ b: @escaping () -> Void) async { b() } }
      struct V { struct A { func run(_ b: @escaping () -> Void) async { b() } } }
      typealias A = D
      extension D { func run(_ b: @escaping () -> Void) async { await perform(b) } }
      class KitContext: Kit.Context {}
      class B { var x: W { W() } }
      class C: B { func perform(_ b: @escaping () -> Void, then: Int = 0) async { b() } }
      """
    let function = """
      extension C {
        func go<W: D>(generic: W, aliased: A, both: V & D, kit: KitContext, _ b: @escaping () -> Void) async { \(call) }
      }
      """
    let text = try RewrittenFile.copy(others + "\n" + function)
    #expect(text.contains("kit: KitContext, _ b: sending @escaping"))
  }

  /// A type that conforms may inherit the function, which then names the protocol nowhere.
  @Test(arguments: [
    "class B { func run(_ block: @escaping () -> Void) async { await c.perform(block) } }; class D: B, Running {}",
    "class B { func run(_ block: @escaping () -> Void) async { await c.perform(block) } }; class D: B {}; extension D: Running {}",
    "extension Q { func run(_ block: @escaping () -> Void) async { await c.perform(block) } }; protocol Q {}; struct D: Q, Running {}",
    // A name for a class that an extension gives the function.
    "extension N { func run(_ block: @escaping () -> Void) async { await perform(block) } }; typealias M = N; extension M: Running {}",
    // No type of these files conforms.
    "extension N { func run(_ block: @escaping () -> Void) async { await perform(block) } }",
  ])
  func inheritedFunctionsFulfilRequirements(others: String) throws {
    let text = try RewrittenFile.copy(
      """
      protocol Running { func run(_ block: @escaping () -> Void) async }
      func go(_ r: any Running, _ b: @escaping () -> Void) async { await r.run(b) }
      \(others)
      """)
    #expect(text.contains("protocol Running { func run(_ block: sending @escaping () -> Void) async }"))
    #expect(text.contains("func go(_ r: any Running, _ b: sending @escaping"))
    #expect(text.contains("{ func run(_ block: sending @escaping () -> Void) async { await"))
  }

  /// A context has the function itself, or inherits it.
  @Test(arguments: [
    ("extension NSManagedObjectContext: Performing {}", true),
    ("class X: NSManagedObjectContext {}; extension X: Performing {}", true), ("struct X: Performing {}", false),
    ("class X: B, Performing {}; class B { func perform(_ b: @escaping () -> Void) async { b() } }", false),
    (
      "class X: B, Performing {}; class B { func perform(_ b: @escaping () -> Void) async { await c.perform(b) } }",
      true
    ),
  ])
  func contextsFulfilRequirements(others: String, isSending: Bool) throws {
    let text = try RewrittenFile.copy(
      """
      protocol Performing { func perform(_ b: @escaping () -> Void) async }
      \(others)
      func go(_ p: some Performing, b: @escaping () -> Void) async { await p.perform(b) }
      """)
    #expect(text.contains("protocol Performing { func perform(_ b: sending") == isSending)
    #expect(text.contains("Performing, b: sending") == isSending)
  }

  /// A protocol that has a requirement of the same signature, and no type that fulfils both.
  @Test func requirementsOfOthersStay() throws {
    let text = try RewrittenFile.copy(
      """
      protocol Running { func run(_ block: @escaping () -> Void) async }
      protocol Walking { func run(_ block: @escaping () -> Void) async }
      struct W: Walking { func run(_ block: @escaping () -> Void) async { block() } }
      protocol Racing: Running {}
      extension C: Racing { func run(_ block: @escaping () -> Void) async { await perform(block) } }
      """)
    #expect(text.contains("protocol Running { func run(_ block: sending @escaping () -> Void) async }"))
    #expect(text.contains("protocol Walking { func run(_ block: @escaping () -> Void) async }"))
    #expect(text.contains("struct W: Walking { func run(_ block: @escaping"))
  }
}
