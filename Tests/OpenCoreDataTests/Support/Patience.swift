import Dispatch
import Foundation

/// How long a test waits for an event that must come. A task that yields may stand behind all other tests: on a machine that
/// was busy with other work this took 15 minutes. Only a test that fails waits for so long.
enum Patience {
  static let seconds: TimeInterval = 3600

  /// The end of a wait that begins now.
  static var limit: DispatchTime { .now() + seconds }
}
