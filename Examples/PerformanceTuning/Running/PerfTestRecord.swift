import CoreData
import Foundation

/// What is known of a test once it has run.
public struct PerfTestRecord: Sendable {
  /// The test's name.
  public let name: String
  /// When it began.
  public let start: Date
  /// When it ended.
  public let stop: Date
  /// How long it took, by a clock that nobody sets, in seconds.
  public let elapsed: Double
  /// What the framework did meanwhile.
  public let counters: CoreDataInstruments.Counters
  /// What the test says.
  public let result: String
  /// Whether the test found something wrong.
  public let isFailure: Bool
}
