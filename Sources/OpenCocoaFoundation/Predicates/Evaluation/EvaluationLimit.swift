import CRuntime
import Foundation

/// A limit that ends evaluations of a thread if they have been cancelled, or if a regular expression takes too many steps, as
/// `(a+)+b` does for a string of many a's.
///
/// Without a limit an evaluation is never ended early, as in Apple's frameworks.
package final class EvaluationLimit: Sendable {
  private let maximumReports: Int
  private let isStopped: @Sendable () -> Bool
  private let makeError: @Sendable () -> any Error

  /// The approximate number of steps of the regular expression engine between two reports of its progress.
  private static let stepsOfReport = 10_000

  /// - Parameters:
  ///   - patternSteps: The number of steps that a pattern may take for one string; nil for any number.
  ///   - isStopped: Whether the evaluation was cancelled.
  ///   - error: Makes the error that a cancelled evaluation throws.
  package init(
    patternSteps: Int?, isStopped: @escaping @Sendable () -> Bool = { false },
    error: @escaping @Sendable () -> any Error = { CocoaError(.userCancelled) }
  ) {
    maximumReports = patternSteps.map { max(1, $0 / Self.stepsOfReport) } ?? .max
    self.isStopped = isStopped
    makeError = error
  }

  /// The limit of the calling thread; nil if it has none.
  package static var current: EvaluationLimit? {
    runtime_evaluation_limit().pointee.map { Unmanaged<EvaluationLimit>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs `body` with a limit for the evaluations on this thread. If `limit` is nil, the thread's current limit stays in force.
  package static func run<Value>(_ limit: EvaluationLimit?, _ body: () throws -> Value) rethrows -> Value {
    guard let limit else { return try body() }
    let current = runtime_evaluation_limit()
    let outer = current.pointee
    current.pointee = Unmanaged.passUnretained(limit).toOpaque()
    defer { current.pointee = outer }
    return try withExtendedLifetime(limit, body)
  }

  /// - Throws: The error of a cancelled evaluation.
  package func check() throws {
    if isStopped() { throw makeError() }
  }

  /// Whether a regular expression matches a string. While it matches, it is checked at each report whether to continue.
  ///
  /// - Throws: The error of a cancelled evaluation; `OCDEvaluationError` for a pattern that takes too many steps.
  func matches(_ expression: NSRegularExpression, _ string: String, pattern: String) throws -> Bool {
    try check()
    var isFound = false
    var reports = 0
    var isEnded = false
    expression.enumerateMatches(
      in: string, options: .reportProgress, range: NSRange(location: 0, length: string.utf16.count)
    ) { [self] match, _, stop in
      if match != nil {
        isFound = true
        stop.pointee = true
        return
      }
      reports += 1
      isEnded = reports > maximumReports || isStopped()
      if isEnded { stop.pointee = ObjCBool(true) }
    }
    guard isEnded, !isFound else { return isFound }
    try check()
    throw OCDEvaluationError(
      "The pattern \"\(pattern)\" of MATCHES takes more than \(maximumReports * Self.stepsOfReport) steps for a string of "
        + "\(string.utf16.count) characters, which is the limit here.")
  }
}
