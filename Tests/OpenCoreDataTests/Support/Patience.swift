import Dispatch
import Foundation

/// How long a test waits for an event that must come. On a machine that is busy with other tests it may take minutes. Only a
/// test that fails waits for so long.
enum Patience {
  static let seconds: TimeInterval = 900

  /// The end of a wait that begins now.
  static var limit: DispatchTime { .now() + seconds }
}
