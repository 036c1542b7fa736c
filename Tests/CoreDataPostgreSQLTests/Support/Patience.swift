import Foundation
import Testing

/// How long a test waits for something that must come. A test may stand behind all others: on a machine that was busy with
/// other work this took 15 minutes. Only a test that fails waits for so long.
enum Patience {
  static let seconds = 3600.0

  /// The end of a wait that begins now.
  static var limit: ContinuousClock.Instant { .now + .seconds(seconds) }

  /// Waits until a condition holds. If it does not come to hold, records an issue that names what the test waited for.
  /// - Returns: whether the condition holds.
  @discardableResult
  static func wait(
    for what: String, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () throws -> Bool
  ) rethrows -> Bool {
    let limit = limit
    while try !condition() {
      guard ContinuousClock.now < limit else {
        Issue.record("waited for \(seconds) seconds for \(what)", sourceLocation: sourceLocation)
        return false
      }
      usleep(10_000)
    }
    return true
  }
}
