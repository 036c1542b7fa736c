import CoreData
import Foundation

/// A suite of checks for any kind of store.
///
/// With Swift Testing:
///
/// <!-- test -->
/// ```swift
/// let mine = StoreSubject(type: NSInMemoryStoreType) { nil }
///
/// @Test(arguments: StoreConformance.checks) func conforms(_ check: StoreCheck) throws { try check.run(on: mine) }
/// ```
///
/// or all at once, in a program: `print(StoreConformance.report(on: mine))`.
public enum StoreConformance {
  /// All checks.
  public static let checks: [StoreCheck] =
    identityChecks + valueChecks + relationshipChecks + fetchChecks + changeChecks + lifeChecks + requestChecks
    + featureChecks

  /// The result of one check.
  public struct Result: Sendable {
    /// The check.
    public let check: StoreCheck
    /// The outcome; nil for a failure.
    public let outcome: StoreCheck.Outcome?
    /// The failure in words; nil unless the check failed.
    public let failure: String?
  }

  /// Runs all checks.
  public static func results(on subject: StoreSubject) -> [Result] {
    checks.map { check in
      do {
        return Result(check: check, outcome: try check.run(on: subject), failure: nil)
      } catch {
        return Result(check: check, outcome: nil, failure: "\(error)")
      }
    }
  }

  /// Runs all checks, and returns the results as text for people.
  public static func report(on subject: StoreSubject) -> String {
    let results = results(on: subject)
    let lines = results.map { result in
      switch result.outcome {
      case .passed: "passed   \(result.check.name)"
      case .skipped(let reason): "cannot   \(result.check.name) (\(reason))"
      case nil: "FAILED   \(result.check.name)\n         \(result.failure ?? "")"
      }
    }
    let passed = results.count { $0.outcome == .passed }
    let failed = results.count { $0.outcome == nil }
    let summary = "\(subject.type): \(passed) passed, \(results.count - passed - failed) cannot, \(failed) failed"
    return (lines + [summary]).joined(separator: "\n")
  }
}
