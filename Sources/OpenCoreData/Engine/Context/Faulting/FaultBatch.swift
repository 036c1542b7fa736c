/// Objects that came from one fetch or one relationship: when one of them fires, a batch of the others loads with it.
///
/// A fault batch holds only keys, and uses them up as the objects fire; each object holds one reference to it. Belongs to
/// the context's queue.
final class FaultBatch {
  private let keys: ContiguousArray<Int64>
  private var next = 0
  /// The entity of all objects, or their common superentity.
  unowned(unsafe) let layout: EntityLayout

  /// The number of objects that load together, if the fetch has set it; else the context sets it.
  let size: Int?

  /// The relationship by which the objects came; nil if they came from a fetch.
  unowned(unsafe) let origin: NSPropertyDescription?
  /// Counts the objects of a fetch that fire, while a recorder wants the number.
  @exclusivity(unchecked) var touches: FetchTouches?

  /// Set where the objects are the members of a to-one relationship: `keys` are then the keys of their owners, whose rows
  /// name them.
  private let owners: Owners?

  struct Owners {
    let rows: RowShard
    let rootNumber: Int
    let relationship: _PropertyKey
  }

  /// The fault batches of the members of these objects' to-one relationships.
  private var members: [_PropertyKey: FaultBatch] = [:]
  /// The place of the owner whose missing row ended a batch; -1 for none.
  private var missing = -1

  /// Whether rows have been read for the batch.
  var hasFired: Bool { next > 0 }

  init(
    _ keys: ContiguousArray<Int64>, layout: EntityLayout, size: Int? = nil,
    owners: Owners? = nil, origin: NSPropertyDescription? = nil
  ) {
    self.keys = keys
    self.layout = layout
    self.size = size
    self.owners = owners
    self.origin = origin
  }

  deinit {
    if members.isEmpty, readAheads.isEmpty { return }
    // A walk along a chain of relationships makes a fault batch of each member's fault batch. They are released one after
    // the other, since a thread's stack is not as deep as a chain may be long.
    var gone = takeMembers()
    while var faultBatch = gone.popLast() {
      if isKnownUniquelyReferenced(&faultBatch) { gone += faultBatch.takeMembers() }
    }
  }

  /// Takes the fault batches of members away from this one.
  private func takeMembers() -> [FaultBatch] {
    let taken = Array(members.values) + readAheads.values.flatMap { $0.takeMembers() }
    (members, readAheads) = ([:], [:])
    return taken
  }

  /// The fault batch of the members of a to-one relationship of these objects, whose rows are in `rows`.
  func members(of slot: PropertySlot, layout: EntityLayout, rows: RowShard, rootNumber: Int) -> FaultBatch {
    if let known = members[slot.key] { return known }
    let made = FaultBatch(
      keys, layout: layout, owners: Owners(rows: rows, rootNumber: rootNumber, relationship: slot.key),
      origin: slot.property)
    members[slot.key] = made
    return made
  }

  /// How the relationships of these objects are read ahead.
  private var readAheads: [_PropertyKey: RelationshipReadAhead] = [:]

  /// The owners for which one statement reads the members' keys of a relationship: `key`, and others of the fault batch.
  func owners(
    with key: Int64, of slot: PropertySlot, limit: Int, isAtHand: (Int64) -> Bool
  ) -> ContiguousArray<Int64> {
    guard owners == nil, layout.slot(slot.key) != nil else { return [key] }
    return readAhead(slot).owners(with: key, of: keys, limit: min(limit, size ?? limit), isAtHand: isAtHand)
  }

  /// How a relationship of these objects is read ahead.
  func readAhead(_ slot: PropertySlot) -> RelationshipReadAhead {
    if let known = readAheads[slot.key] { return known }
    let made = RelationshipReadAhead()
    readAheads[slot.key] = made
    return made
  }

  /// The keys of an owner's members, if they were read with those of others at that moment.
  func keys(of owner: Int64, _ slot: PropertySlot, at moment: UInt64) -> KeyArray? {
    readAheads.isEmpty ? nil : readAheads[slot.key]?.keys(of: owner, at: moment)
  }

  /// The fault batch that the members of an owner's relationship belong to, if their keys were read with those of others.
  func memberBatch(of owner: Int64, _ slot: PropertySlot) -> FaultBatch? {
    readAheads.isEmpty ? nil : readAheads[slot.key]?.memberBatch(of: owner)
  }

  /// Rows that were read for the fault batch and that the row cache did not take, with the moment they were read at.
  private var kept: (moment: UInt64, rows: [Int64: Snapshot]) = (0, [:])

  /// Keeps rows that the row cache is too far ahead to take.
  func keep(_ rows: ContiguousArray<Snapshot>, at moment: UInt64) {
    if kept.moment != moment { kept = (moment, [:]) }
    for row in rows { kept.rows[row.primaryKey] = row }
  }

  /// The kept row with that key, if the row was read at that moment.
  func take(_ key: Int64, at moment: UInt64) -> Snapshot? {
    kept.rows.isEmpty || kept.moment != moment || moment == .max ? nil : kept.rows.removeValue(forKey: key)
  }

  /// `key` and up to `size - 1` more keys that have not been handed out and whose rows are not at hand.
  func batch(
    with key: Int64, size: Int, _ transaction: ReadTransaction, isAtHand: (Int64) -> Bool
  ) -> ContiguousArray<Int64> {
    if let owners { return batch(with: key, size: size, of: owners, transaction, isAtHand: isAtHand) }
    if self.size != nil { return page(with: key, size: size, isAtHand: isAtHand) }
    var batch: ContiguousArray<Int64> = [key]
    while next < keys.count, batch.count < size {
      let candidate = keys[next]
      next += 1
      if candidate != key, !isAtHand(candidate) { batch.append(candidate) }
    }
    return batch
  }

  /// `key` and the other keys of its page whose rows are not at hand. A fetch with a batch size is read page by page,
  /// and an access in the middle of its result is followed by accesses to the neighbours.
  private func page(with key: Int64, size: Int, isAtHand: (Int64) -> Bool) -> ContiguousArray<Int64> {
    guard let position = position(of: key) else { return [key] }
    let start = position / size * size
    next = min(start + size, keys.count)
    return [key] + keys[start..<next].filter { $0 != key && !isAtHand($0) }
  }

  /// Searches from the last page outwards: most walks continue next to their last position, in one direction or the other.
  private func position(of key: Int64) -> Int? {
    var (below, above) = (next - 1, next)
    while below >= 0 || above < keys.count {
      if above < keys.count, keys[above] == key { return above }
      if below >= 0, keys[below] == key { return below }
      (below, above) = (below - 1, above + 1)
    }
    return nil
  }

  private func batch(
    with key: Int64, size: Int, of owners: Owners, _ transaction: ReadTransaction, isAtHand: (Int64) -> Bool
  ) -> ContiguousArray<Int64> {
    // Where a pinned context reads, the cache may have newer rows of the owners, which lead to other members.
    let commit = transaction.isPinned ? transaction.pinnedCommit : .max
    var batch: ContiguousArray<Int64> = [key]
    var known: Set<Int64> = [key]
    while next < keys.count, batch.count < size {
      guard let row = owners.rows.get(keys[next], at: commit) ?? transaction.ownRow(keys[next], root: owners.rootNumber)
      else {
        // The batch ends at an owner whose row has not been read: its member can join once the row is there. If the row
        // is missing at the same place again, the owner is left out.
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
