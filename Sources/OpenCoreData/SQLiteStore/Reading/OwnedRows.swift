/// The rows of a to-many relationship's members that have been read so far, each with the owner that it names.
struct OwnedRows {
  private(set) var rows: ContiguousArray<Snapshot> = []
  /// The place of each row's owner among the owners.
  private var ownerPlaces: ContiguousArray<Int32> = []
  /// The Z_ENT of each row if members may be of several entities; otherwise empty.
  private var entities: ContiguousArray<Int32> = []
  private let places: KeyPlaces
  /// The slot in the members' rows that has the key of the owner.
  private let slot: Int
  private let hasEntities: Bool

  init(of owners: ContiguousArray<Int64>, slot: PropertySlot, hasEntities: Bool) {
    places = KeyPlaces(owners)
    self.slot = slot.index
    self.hasEntities = hasEntities
  }

  var ownerCount: Int { places.count }

  /// Adds a row if it names one of the owners; otherwise returns false.
  @inline(__always)
  @discardableResult
  mutating func add(_ row: consuming Snapshot, entity: Int64) -> Bool {
    guard !row.isNull(slot), row.primaryKey > 0, let place = places.place(of: row.int(slot)) else { return false }
    rows.append(row)
    ownerPlaces.append(place)
    if hasEntities { entities.append(Int32(truncatingIfNeeded: entity)) }
    return true
  }

  mutating func removeAll() {
    rows.removeAll()
    ownerPlaces.removeAll()
    entities.removeAll()
  }

  /// Returns the keys of each owner's members, in the order of the owners. The rows of one owner must have been added in the
  /// order of their keys.
  func keys(commit: UInt64) -> ContiguousArray<KeyArray> {
    // The position at which the members of each owner begin in `sorted`.
    var starts = ContiguousArray<Int32>(repeating: 0, count: ownerCount + 1)
    for place in ownerPlaces { starts[Int(place) + 1] += 1 }
    for place in 0..<ownerCount { starts[place + 1] += starts[place] }
    let sorted = keysByOwner(starts)
    let none = KeyArray(ascending: [], commit: commit)
    var result: ContiguousArray<KeyArray> = []
    result.reserveCapacity(ownerCount)
    for owner in 0..<ownerCount {
      let range = Int(starts[owner])..<Int(starts[owner + 1])
      if range.isEmpty {
        result.append(none)
      } else {
        let entities = hasEntities ? ContiguousArray(sorted.entities[range]) : []
        result.append(KeyArray(ascending: ContiguousArray(sorted.keys[range]), entities: entities, commit: commit))
      }
    }
    return result
  }

  /// Returns the keys of all rows, and their entities, owner after owner.
  private func keysByOwner(
    _ starts: ContiguousArray<Int32>
  ) -> (keys: ContiguousArray<Int64>, entities: ContiguousArray<Int32>) {
    var next = starts
    var keys = ContiguousArray<Int64>(repeating: 0, count: rows.count)
    var entities = ContiguousArray<Int32>(repeating: 0, count: self.entities.count)
    for row in rows.indices {
      let owner = Int(ownerPlaces[row])
      let place = Int(next[owner])
      keys[place] = rows[row].primaryKey
      if hasEntities { entities[place] = self.entities[row] }
      next[owner] += 1
    }
    return (keys, entities)
  }
}
