/// Objects that came from one fetch or one relationship: when one of them fires, a batch of the others loads with it.
///
/// Holds keys only, and is consumed as they fire; each object holds one reference to it. Belongs to the context's queue.
final class FaultCompany {
  private let keys: ContiguousArray<Int64>
  private var next = 0
  /// The entity that all of them are of, or the common one above them.
  unowned(unsafe) let layout: EntityLayout

  /// How many load together, where the fetch said so; else the context says.
  let size: Int?

  init(_ keys: ContiguousArray<Int64>, layout: EntityLayout, size: Int? = nil) {
    self.keys = keys
    self.layout = layout
    self.size = size
  }

  /// `key` and up to `size - 1` more keys that have not been handed out and whose rows are not at hand.
  func batch(with key: Int64, size: Int, isAtHand: (Int64) -> Bool) -> ContiguousArray<Int64> {
    var batch: ContiguousArray<Int64> = [key]
    while next < keys.count, batch.count < size {
      let candidate = keys[next]
      next += 1
      if candidate != key, !isAtHand(candidate) { batch.append(candidate) }
    }
    return batch
  }
}
