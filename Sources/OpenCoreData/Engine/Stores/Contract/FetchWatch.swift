import Foundation
import OpenCocoaFoundation
import Synchronization

/// Lets another thread stop a fetch while its statement runs, and follow how many rows it has read.
package final class FetchWatch: Sendable {
  private let stopped = Atomic<Bool>(false)
  private let readRows = Atomic<Int>(0)
  private let makeError: @Sendable () -> any Error
  private let didRead: (@Sendable (Int) -> Void)?
  /// Called at once when the fetch is stopped, while a statement of the store runs.
  private let whenStopped = Mutex<(@Sendable () -> Void)?>(nil)

  /// The number of rows that are read between two reports.
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

  /// Runs `body`. If the fetch is stopped in the meantime, `handler` is called on the thread that stops it; if it was stopped
  /// before, `handler` is called at once. It may also be called shortly after `body` has ended.
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

  /// Evaluates a predicate in memory. A question without an answer becomes an error, and a watch, if there is one, can end
  /// the evaluation.
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

  /// Reports the number of rows.
  package func report() throws {
    try check()
    didRead?(readRows.load(ordering: .relaxed))
  }
}
