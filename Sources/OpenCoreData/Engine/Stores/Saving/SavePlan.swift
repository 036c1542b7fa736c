import Foundation

/// What one save writes to one store, as values.
///
/// A plan is made of the objects before the store begins its transaction, and has none of them: nothing in the transaction can
/// fire a fault, call an accessor or see a half-changed object. A store carries it out row by row, or in bulk.
///
/// New objects are named by their temporary keys, which are below 1, until the store gives them others (`adopt`). Rows of
/// updates and deletions come in the order of their tables and keys.
struct SavePlan {
  /// The rows of new objects, in the order of the work's objects.
  private(set) var inserted: ContiguousArray<Snapshot> = []
  /// The rows that updates make, in the order of the work's objects.
  private(set) var updated: ContiguousArray<Snapshot> = []
  /// For each of these the place of its changes in `changes`.
  private(set) var changesOfUpdated: ContiguousArray<Int32> = []
  /// What is changed; objects that a program changes together mostly have the same.
  private(set) var changes: [PlannedChanges] = []
  private(set) var deleted: ContiguousArray<PlannedRow> = []
  /// Rows that are not written, but must be unchanged.
  private(set) var locked: ContiguousArray<PlannedRow> = []
  /// What was added to and removed from to-many relationships that rows of their members do not tell.
  var members: ContiguousArray<PlannedMembers> = []
  /// The order of to-many relationships; in the order in which it has to be written.
  var order: ContiguousArray<PlannedOrder> = []
  /// For each of `updated` the bits of its changed properties in history; empty where none is kept.
  private(set) var historyBits: ContiguousArray<Data> = []
  /// Where new rows refer to new objects, by temporary keys.
  private var references: ContiguousArray<Reference> = []

  private struct Reference {
    let row: Int
    let slot: Int
    let isOfUpdate: Bool
  }

  /// - Parameters:
  ///   - history: the bits of an object's changed properties; nil where no history is kept.
  /// - Throws: `SaveConflict` for an updated object whose row nobody has read; the error of reading a large value that cannot
  ///   be read and would be lost.
  init(_ work: SaveWork, of store: NSPersistentStore, history: ((NSManagedObject) -> Data)? = nil) throws {
    var writer = RowWriter(store)
    inserted.reserveCapacity(work.inserted.count)
    try work.inserted.forEachUncounted { _, object in
      try Self.checkLargeValues(of: object)
      add(writer.row(object, key: object.key), isOfUpdate: false)
    }
    updated.reserveCapacity(work.updated.count)
    changesOfUpdated.reserveCapacity(work.updated.count)
    try work.updated.forEachUncounted { _, object in
      guard object.rowReference != nil else { throw store.conflict(object) }
      try addChanges(of: object)
      add(object.rowOfPlainUpdate(0) ?? writer.row(object, key: object.key), isOfUpdate: true)
      if let history { historyBits.append(history(object)) }
    }
    deleted.reserveCapacity(work.deleted.count)
    work.deleted.forEachUncounted { deleted.append(PlannedRow($1)) }
    work.locked.forEachUncounted { locked.append(PlannedRow($1)) }
    if work.mayHaveRelationships { addRelationships(work) }
  }

  private mutating func add(_ row: Snapshot, isOfUpdate: Bool) {
    let place = isOfUpdate ? updated.count : inserted.count
    for slot in row.layout.toOneIndexes where !row.isNull(slot) && row.int(slot) <= 0 {
      references.append(Reference(row: place, slot: slot, isOfUpdate: isOfUpdate))
    }
    if isOfUpdate { updated.append(row) } else { inserted.append(row) }
  }

  /// The object's changed slots, as those of the object before it where they are the same.
  private mutating func addChanges(of object: NSManagedObject) throws {
    if let last = changes.last, last.layout === object.layout, last.areThose(of: object) {
      changesOfUpdated.append(Int32(changes.count - 1))
      return
    }
    let new = PlannedChanges(object)
    for place in new.places where object.layout.slots[place].allowsExternalFile {
      try Self.checkLargeValue(object, object.layout.slots[place])
    }
    changes.append(new)
    changesOfUpdated.append(Int32(changes.count - 1))
  }

  // MARK: Values that nobody can read

  private static func checkLargeValues(of object: NSManagedObject) throws {
    for place in object.layout.otherPlaces where object.layout.slots[place].allowsExternalFile {
      try checkLargeValue(object, object.layout.slots[place])
    }
  }

  /// An object whose row is to be made anew, with a value that cannot be read.
  private static func checkLargeValue(_ object: NSManagedObject, _ slot: PropertySlot) throws {
    if object.currentValue(slot).written.isNull, let error = object.readingError(slot) { throw error }
  }

  // MARK: Keys

  /// Gives the new rows their keys, and puts keys in the place of the temporary ones that rows refer to.
  func adopt(_ keys: SaveKeys) {
    inserted.forEachUncounted { $1.take(key: keys.inserted[$0]) }
    for reference in references {
      let row = reference.isOfUpdate ? updated[reference.row] : inserted[reference.row]
      row.put(UInt64(bitPattern: keys.permanent(row.int(reference.slot))), isNull: false, at: reference.slot)
    }
  }
}
