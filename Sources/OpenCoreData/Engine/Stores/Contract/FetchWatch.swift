import Foundation
import OpenCocoaFoundation
import Synchronization

/// Lets another thread stop a fetch while its statement runs, and follow how many rows the fetch has read.
package final class FetchWatch: Sendable {
  private let stopped = Atomic<Bool>(false)
  private let readRows = Atomic<Int>(0)
  private let makeError: @Sendable () -> any Error
  private let didRead: (@Sendable (Int) -> Void)?
  /// The handler that a store sets while its statement runs, to be told at once if the fetch is stopped.
  private let whenStopped = Mutex<(@Sendable () -> Void)?>(nil)

  /// The number of rows between two reports.
  private static let reportInterval = 256

  /// - Parameters:
  ///   - error: makes the error that a stopped fetch throws.
  ///   - didRead: is called with the number of rows so far, on the thread that reads.
  package init(error: @escaping @Sendable () -> any Error, didRead: (@Sendable (Int) -> Void)? = nil) {
    makeError = error
    self.didRead = didRead
  }

  /// Stops the statement that runs, and all statements that would run after it. May be called from any thread.
  package func stop() {
    stopped.store(true, ordering: .releasing)
    whenStopped.withLock { $0 }?()
  }

  /// Runs `body`. If the fetch is stopped meanwhile, calls `handler` on the thread that stops it; the call may come shortly
  /// after `body` has ended. If the fetch is stopped already, throws its error without running `body`.
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

  /// The limit by which a stopped fetch ends its evaluations of predicates, in functions that SQLite calls and in memory.
  package var evaluationLimit: EvaluationLimit {
    EvaluationLimit(patternSteps: nil, isStopped: { [self] in isStopped }, error: makeError)
  }

  /// Evaluates a predicate in memory. An evaluation without a value becomes an error; a watch, if there is one, can end it.
  package static func evaluating<Value>(
    _ predicate: NSPredicate?, _ watch: FetchWatch?, _ body: () throws -> Value
  ) throws -> Value {
    try SQLLoweringError.evaluating(predicate) {
      try watch?.check()
      return try EvaluationLimit.run(watch?.evaluationLimit, body)
    }
  }

  /// Counts a row; reports the count after every `reportInterval` rows.
  @inline(__always)
  package func noteRow() throws {
    guard didRead != nil else { return }
    let count = readRows.wrappingAdd(1, ordering: .relaxed).newValue
    if count % Self.reportInterval == 0 { try report() }
  }

  /// Reports how many rows were read so far.
  package func report() throws {
    try check()
    didRead?(readRows.load(ordering: .relaxed))
  }
}
