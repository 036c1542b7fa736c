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

  /// Where the keys are those of owners, and the objects the members of a to-one relationship: the owners' rows.
  private let owners: (rows: RowShard, relationship: PropertyKey)?
  /// The companies of the members of these objects' to-one relationships.
  private var members: [PropertyKey: FaultCompany] = [:]
  /// The owner whose row was not at hand when a batch ended there.
  private var missing = -1

  init(
    _ keys: ContiguousArray<Int64>, layout: EntityLayout, size: Int? = nil,
    owners: (rows: RowShard, relationship: PropertyKey)? = nil
  ) {
    self.keys = keys
    self.layout = layout
    self.size = size
    self.owners = owners
  }

  /// The company of the members of a to-one relationship of these objects, whose rows are in `rows`.
  func members(of slot: PropertySlot, layout: EntityLayout, rows: RowShard) -> FaultCompany {
    if let known = members[slot.key] { return known }
    let made = FaultCompany(keys, layout: layout, owners: (rows, slot.key))
    members[slot.key] = made
    return made
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
    if let owners { return batch(with: key, size: size, of: owners, isAtHand: isAtHand) }
    var batch: ContiguousArray<Int64> = [key]
    while next < keys.count, batch.count < size {
      let candidate = keys[next]
      next += 1
      if candidate != key, !isAtHand(candidate) { batch.append(candidate) }
    }
    return batch
  }

  private func batch(
    with key: Int64, size: Int, of owners: (rows: RowShard, relationship: PropertyKey), isAtHand: (Int64) -> Bool
  ) -> ContiguousArray<Int64> {
    var batch: ContiguousArray<Int64> = [key]
    var known: Set<Int64> = [key]
    while next < keys.count, batch.count < size {
      guard let row = owners.rows.get(keys[next], at: .max) else {
        // Owners that are read later find their members' company here; one whose row never comes is left out.
        if missing != next {
          missing = next
          break
        }
        next += 1
        continue
      }
      next += 1
      guard let slot = row.layout.slot(owners.relationship), !row.isNull(slot.index) else { continue }
      let candidate = row.int(slot.index)
      if known.insert(candidate).inserted, !isAtHand(candidate) { batch.append(candidate) }
    }
    return batch
  }
}
