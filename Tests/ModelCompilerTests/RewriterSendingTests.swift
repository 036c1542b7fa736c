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
}
