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

  /// Rows that were read for the company and that the row cache did not take, with the commit they were read at.
  private var kept: [Int64: Snapshot] = [:]

  /// Keeps rows that the row cache is too far ahead to take.
  func keep(_ rows: ContiguousArray<Snapshot>) {
    for row in rows { kept[row.primaryKey] = row }
  }

  /// The kept row of that key, if it belongs to the commit that is read at now.
  func take(_ key: Int64, at commit: UInt64) -> Snapshot? {
    if kept.isEmpty { return nil }
    guard let row = kept.removeValue(forKey: key), row.commit == commit else { return nil }
    return row
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
