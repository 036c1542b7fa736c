import Synchronization

/// How many of the faults of a fetch have fired, for as long as a recording runs.
///
/// A fault batch notes it when one of its objects fires; when the fault batch goes, or the recording ends, it is taken down.
final class FetchTouches: Sendable {
  let number: Int
  let faults: Int
  private let fired = Atomic<Int>(0)

  init(number: Int, faults: Int) {
    self.number = number
    self.faults = faults
  }

  deinit { Recorder.shared.note(self) }

  /// Called on the queue of the objects' context only.
  @inline(__always)
  func note() { fired.store(fired.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }

  var firedCount: Int { fired.load(ordering: .relaxed) }
}
