import Synchronization

/// Counts the faults of a fetch that have fired while a recording runs.
///
/// A fault batch calls `note` when one of its objects fires. The count is recorded when the fault batch is released, or when
/// the recording ends.
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
