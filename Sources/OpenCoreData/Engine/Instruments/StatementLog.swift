import Synchronization

/// Collects statements, for tests that assert SQL or count statements, and for `explain`.
package enum StatementLog {
  /// The collector of the statements that a task or thread runs, and that contexts run for it.
  ///
  /// A task-local value, which belongs to the thread if there is no task. It goes with `await`s, into child tasks, and into
  /// the blocks that `perform` gives to a context's queue, but not into other work that runs at the same time.
  @TaskLocal fileprivate static var collector: Collector?

  private static let listeners = Mutex<[Int: Collector]>([:])
  private static let count = Mutex(0)

  /// - Parameter details: the details, besides the text, from which the store explains the statement.
  package static func record(_ sql: String, details: (any Sendable)? = nil) {
    let statement = CollectedStatement(text: sql, details: details)
    var next = collector
    while let collector = next {
      collector.collected.withLock { $0.append(statement) }
      next = collector.outer
    }
    for listener in listeners.withLock({ Array($0.values) }) { listener.collected.withLock { $0.append(statement) } }
  }

  /// Runs `body` and returns the statements that any store of the process ran meanwhile.
  /// - Parameter thisThread: whether statements of others are left out, so that tests may run side by side. The result then
  ///   has the statements of this thread, and those of blocks that it gives to contexts and that run before `body` ends.
  package static func collect<Result>(
    thisThread: Bool = false, _ body: () throws -> Result
  ) rethrows -> (result: Result, statements: [String]) {
    let box = Collector(outer: collector)
    begin()
    defer { end() }
    if thisThread { return (try $collector.withValue(box, operation: body), box.statements) }
    let token = listen(box)
    defer { listeners.withLock { $0[token] = nil } }
    return (try body(), box.statements)
  }

  /// Runs `body` and returns the statements of this thread, and those of blocks that it gives to contexts and that run before
  /// `body` ends, with the details that explain them.
  package static func collectStatements<Result>(
    _ body: () throws -> Result
  ) rethrows -> (result: Result, statements: [CollectedStatement]) {
    let box = Collector(outer: collector)
    begin()
    defer { end() }
    return (try $collector.withValue(box, operation: body), box.collected.withLock { $0 })
  }

  /// Runs `body` and returns the statements of the calling task and of its child tasks.
  package static func collect<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> (result: Result, statements: [String]) {
    let box = Collector(outer: collector)
    begin()
    defer { end() }
    return (try await $collector.withValue(box, operation: body), box.statements)
  }

  private static func begin() {
    count.withLock { count in
      count += 1
      Watchers.set(.collectors, true)
    }
  }

  private static func end() {
    count.withLock { count in
      count -= 1
      if count == 0 { Watchers.set(.collectors, false) }
    }
  }

  private static func listen(_ box: Collector) -> Int {
    let token = Int.random(in: .min ... .max)
    listeners.withLock { $0[token] = box }
    return token
  }

  /// Wraps a block that will run on another thread, so that its statements go to the caller's collector.
  @inline(__always)
  package static func carrying(_ block: @escaping () -> Void) -> () -> Void {
    if !Watchers.areThere { return block }
    let carrier = Carrier()
    return { carrier.run(block) }
  }

  /// Carries the caller's collector of statements to another thread.
  package struct Carrier: Sendable {
    private let collector: Collector?

    package init() { collector = Watchers.areThere ? StatementLog.collector : nil }

    package func run(_ body: () -> Void) {
      if let collector { StatementLog.$collector.withValue(collector, operation: body) } else { body() }
    }
  }

  fileprivate final class Collector: Sendable {
    let collected = Mutex<[CollectedStatement]>([])
    /// The collector that was active when this one began.
    let outer: Collector?

    init(outer: Collector?) { self.outer = outer }

    var statements: [String] { collected.withLock { $0.map(\.text) } }
  }
}
