import CoreData
import Foundation

/// The measurements of one test.
public struct PerfTestRecord: Sendable {
  /// The test's name.
  public let name: String
  /// The time at which the test began.
  public let start: Date
  /// The time at which the test ended.
  public let stop: Date
  /// The duration by a monotonic clock, in seconds.
  public let elapsed: Double
  /// The framework's counters for the duration of the test.
  public let counters: CoreDataInstruments.Counters
  /// The result that the test returned, in words.
  public let result: String
  /// Whether the test found something wrong.
  public let isFailure: Bool
}
