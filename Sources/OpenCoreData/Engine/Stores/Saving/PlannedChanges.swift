/// A row that a save has found changed or deleted by others.
struct RowConflict: Error {
  let key: Int64
  let layout: EntityLayout
}

/// A row that a save deletes, or only looks at.
struct PlannedRow {
  let key: Int64
  /// The version that the row must have; nil where nobody has read it.
  let version: Int64?
  unowned(unsafe) let layout: EntityLayout

  init(_ object: NSManagedObject) {
    key = object.key
    version = object.rowReference.map { $0._withUnsafeGuaranteedRef { $0.version } }
    layout = object.layout
  }
}

/// The stored properties that some objects of an entity have changed.
struct PlannedChanges {
  let layout: EntityLayout
  /// The places of their slots, ascending.
  let places: ContiguousArray<Int>

  init(_ object: NSManagedObject) {
    layout = object.layout
    places = ContiguousArray(
      layout.writtenPlaces.filter { [layout] in object.changedValue(layout.slots[$0], untracked: true) != nil })
  }

  /// Whether an object is of the entity and has changed these and no others.
  func areThose(of object: NSManagedObject) -> Bool {
    guard layout === object.layout else { return false }
    guard let changes = object.changesReference else { return places.isEmpty }
    var next = 0
    // By their indexes: a slot is large to copy.
    for position in layout.writtenIndexes.indices {
      let index = layout.writtenIndexes[position]
      if changes._withUnsafeGuaranteedRef({ $0.isUnset(at: index) }) { continue }
      let place = layout.writtenPlaces[position]
      guard object.changedValue(layout.slots[place], untracked: true) != nil else { continue }
      guard next < places.count, places[next] == place else { return false }
      next += 1
    }
    return next == places.count
  }
}

/// What a save adds to a to-many relationship and removes from it, by keys; new objects have temporary ones.
struct PlannedMembers {
  let owner: Int64
  let layout: EntityLayout
  let slot: PropertySlot
  let removed: ContiguousArray<Int64>
  let added: ContiguousArray<Int64>
}

/// What a save changes in the order of a to-many relationship's members.
struct PlannedOrder {
  enum Change {
    /// They come behind all others.
    case append(ContiguousArray<Int64>)
    /// The members are all known, and those in `runs` of positions were put there among others that keep their order; nil
    /// where the whole order may be another one.
    case arrange(ContiguousArray<Int64>, runs: [Range<Int>]?)
  }

  let owner: Int64
  let layout: EntityLayout
  let slot: PropertySlot
  let change: Change
}
