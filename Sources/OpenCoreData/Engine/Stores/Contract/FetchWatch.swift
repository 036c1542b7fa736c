import Foundation
import OpenCocoaFoundation
import Synchronization

/// Lets another thread stop a fetch while its statement runs, and follow how many rows it has read.
package final class FetchWatch: Sendable {
  private let stopped = Atomic<Bool>(false)
  private let readRows = Atomic<Int>(0)
  private let makeError: @Sendable () -> any Error
  private let didRead: (@Sendable (Int) -> Void)?
  /// What a store wants to be told of at once, while a statement of its runs.
  private let whenStopped = Mutex<(@Sendable () -> Void)?>(nil)

  /// How many rows are read between two reports.
  private static let reportInterval = 256

  /// - Parameters:
  ///   - error: what a stopped fetch throws.
  ///   - didRead: told the number of rows so far, on the thread that reads.
  package init(error: @escaping @Sendable () -> any Error, didRead: (@Sendable (Int) -> Void)? = nil) {
    makeError = error
    self.didRead = didRead
  }

  /// Stops the statement that runs, and all that would run after it. May be called from any thread.
  package func stop() {
    stopped.store(true, ordering: .releasing)
    whenStopped.withLock { $0 }?()
  }

  /// Runs `body`, and meanwhile calls `handler` when the fetch is stopped, on the thread that stops it; at once if it is
  /// stopped already. The handler may be called shortly after `body` has ended, too.
  package func run<Result>(
    calling handler: @escaping @Sendable () -> Void, _ body: () throws -> Result
  ) throws -> Result {
    whenStopped.withLock { $0 = handler }
    defer { whenStopped.withLock { $0 = nil } }
    try check()
    return try body()
  }

  package var isStopped: Bool { stopped.load(ordering: .acquiring) }

  package var error: any Error { makeError() }

  /// - Throws: the error of a stopped fetch.
  package func check() throws {
    if isStopped { throw error }
  }

  /// The limit that ends evaluations of predicates which the fetch runs, in functions that SQLite calls and in memory.
  package var evaluationLimit: EvaluationLimit {
    EvaluationLimit(patternSteps: nil, isStopped: { [self] in isStopped }, error: makeError)
  }

  /// Evaluates a predicate in memory; what has no answer becomes an error, and a watch that there is can end it.
  package static func evaluating<Value>(
    _ predicate: NSPredicate?, _ watch: FetchWatch?, _ body: () throws -> Value
  ) throws -> Value {
    try SQLLoweringError.evaluating(predicate) {
      try watch?.check()
      return try EvaluationLimit.run(watch?.evaluationLimit, body)
    }
  }

  /// Notes a row; tells of many at a time.
  @inline(__always)
  package func noteRow() throws {
    guard didRead != nil else { return }
    let count = readRows.wrappingAdd(1, ordering: .relaxed).newValue
    if count % Self.reportInterval == 0 { try report() }
  }

  /// Tells how many rows there are.
  package func report() throws {
    try check()
    didRead?(readRows.load(ordering: .relaxed))
  }
}
