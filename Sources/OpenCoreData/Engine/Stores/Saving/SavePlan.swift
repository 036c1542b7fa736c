import Foundation

/// The changes that one save writes to one store, as values.
///
/// A plan is made from the objects before the store begins its transaction, and it refers to none of them: nothing in the
/// transaction can fire a fault, call an accessor or see a half-changed object. A store writes a plan row by row, or in bulk.
///
/// New objects have temporary keys, which are below 1, until `adopt` gives them their permanent keys. Rows of updates and
/// deletions come in the order of their tables and keys.
package final class SavePlan {
  /// The rows of new objects, in the order of the work's objects.
  package let inserted: ContiguousArray<Snapshot>
  /// The rows that updates make, in the order of the work's objects.
  package let updated: ContiguousArray<Snapshot>
  /// For each of `updated`, the place of its changes in `changes`.
  package let changesOfUpdated: ContiguousArray<Int32>
  /// The different sets of changed properties; objects that a program changes together mostly have the same set.
  package let changes: ContiguousArray<PlannedChanges>
  package let deleted: ContiguousArray<PlannedRow>
  /// Rows that are not written, but must be unchanged.
  package let locked: ContiguousArray<PlannedRow>
  /// The members that were added to and removed from to-many relationships. For some relationships, the members' rows
  /// contain their owner already.
  package let members: ContiguousArray<PlannedMembers>
  /// The changed order of to-many relationships, in the sequence in which the changes must be written.
  package let order: ContiguousArray<PlannedOrder>
  /// For each of `updated`, the bits of its changed properties in history; empty if no history is kept.
  package let historyBits: ContiguousArray<Data>
  /// The slots in which rows refer to new objects by temporary keys.
  private let references: ContiguousArray<Reference>

  private struct Reference {
    let row: Snapshot
    let slot: Int
  }

  /// - Parameter history: returns the bits of an object's changed properties; nil if no history is kept.
  /// - Throws: `SaveConflict` for an updated object whose row was not read; the error of reading a large value that cannot
  ///   be read and would be lost.
  package init(_ work: SaveWork, of store: NSPersistentStore, history: ((NSManagedObject) -> Data)? = nil) throws {
    var writer = RowWriter(store)
    // Only rows of this save can refer to its new objects.
    let mayRefer = work.mayHaveRelationships && !work.inserted.isEmpty
    var references: ContiguousArray<Reference> = []
    var inserted: ContiguousArray<Snapshot> = []
    inserted.reserveCapacity(work.inserted.count)
    try work.inserted.forEachUncounted { _, object in
      try Self.checkLargeValues(of: object)
      let row = writer.row(object, key: object.key)
      if mayRefer { Self.addReferences(of: row, &references) }
      inserted.append(row)
    }
    var updated: ContiguousArray<Snapshot> = [], historyBits: ContiguousArray<Data> = []
    var changes: ContiguousArray<PlannedChanges> = [], changesOfUpdated: ContiguousArray<Int32> = []
    updated.reserveCapacity(work.updated.count)
    changesOfUpdated.reserveCapacity(work.updated.count)
    try work.updated.forEachUncounted { _, object in
      guard object.rowReference != nil else { throw store.conflict(object) }
      if changes.last?.areThose(of: object) != true { changes.append(try Self.changes(of: object)) }
      changesOfUpdated.append(Int32(changes.count - 1))
      let row = object.rowOfPlainUpdate(0) ?? writer.row(object, key: object.key)
      if mayRefer { Self.addReferences(of: row, &references) }
      updated.append(row)
      if let history { historyBits.append(history(object)) }
    }
    (self.inserted, self.updated, self.changes, self.changesOfUpdated) = (inserted, updated, changes, changesOfUpdated)
    (self.historyBits, self.references) = (historyBits, references)
    deleted = Self.rows(of: work.deleted)
    locked = Self.rows(of: work.locked)
    members = work.mayHaveRelationships ? Self.members(work) : []
    order = work.mayHaveRelationships ? Self.order(work) : []
  }

  @inline(__always)
  private static func addReferences(of row: Snapshot, _ references: inout ContiguousArray<Reference>) {
    for slot in row.layout.toOneIndexes where !row.isNull(slot) && row.int(slot) <= 0 {
      references.append(Reference(row: row, slot: slot))
    }
  }

  private static func rows(of objects: ContiguousArray<NSManagedObject>) -> ContiguousArray<PlannedRow> {
    if objects.isEmpty { return [] }
    var rows: ContiguousArray<PlannedRow> = []
    rows.reserveCapacity(objects.count)
    objects.forEachUncounted { rows.append(PlannedRow($1)) }
    return rows
  }

  private static func changes(of object: NSManagedObject) throws -> PlannedChanges {
    let changes = PlannedChanges(object)
    for place in changes.places where object.layout.slots[place].allowsExternalFile {
      try checkLargeValue(object, object.layout.slots[place])
    }
    return changes
  }

  // MARK: Values that cannot be read

  private static func checkLargeValues(of object: NSManagedObject) throws {
    for place in object.layout.otherPlaces where object.layout.slots[place].allowsExternalFile {
      try checkLargeValue(object, object.layout.slots[place])
    }
  }

  /// - Throws: the reading error, if the object's row must be made again with a value that cannot be read.
  private static func checkLargeValue(_ object: NSManagedObject, _ slot: PropertySlot) throws {
    if object.currentValue(slot).written.isNull, let error = object.readingError(slot) { throw error }
  }

  // MARK: Keys

  /// Gives the new rows their keys, and replaces the temporary keys that rows refer to.
  package func adopt(_ keys: SaveKeys) {
    inserted.forEachUncounted { $1.take(key: keys.inserted[$0]) }
    for reference in references {
      let key = keys.permanent(reference.row.int(reference.slot))
      reference.row.put(UInt64(bitPattern: key), isNull: false, at: reference.slot)
    }
  }
}
