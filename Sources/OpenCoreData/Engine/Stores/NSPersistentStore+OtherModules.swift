import Foundation

// The parts of the engine that a kind of store in another module needs, besides the methods that it overrides. Such a
// module says `@_spi(Store) import OpenCoreData`.
extension NSPersistentStore {
  /// A row of the values that `value` gives.
  /// - Parameters:
  ///   - version: another one whenever the row has changed.
  ///   - value: of an attribute what a managed object would have, of a to-one relationship an object ID; nil for none.
  /// - Throws: what `value` and the transformers of attributes throw.
  @_spi(Store) public final func row(
    _ key: Int64, of layout: EntityLayout, version: Int64, value: (PropertySlot) throws -> Any?
  ) throws -> Snapshot {
    var scratch = SnapshotScratch(slots: layout.slots.count)
    return try makeRow(key, layout: layout, version: version, commit: latestCommit, scratch: &scratch, value: value)
  }

  /// The members of a relationship, which a store gives by their object IDs.
  @_spi(Store) public final func members(_ identifiers: [NSManagedObjectID], of slot: PropertySlot) -> KeyArray {
    makeKeys(identifiers, slot, commit: latestCommit)
  }

  /// The ID of an object of this store.
  @_spi(Store) public final func objectID(_ entity: NSEntityDescription, key: Int64) -> NSManagedObjectID {
    NSManagedObjectID(entity: entity, store: self, key: key)
  }

  /// Ends a save whose rows are written: the new objects get their keys, and the rows go to the row cache.
  /// - Parameter keys: those of the inserted objects, in their order, above 0.
  @_spi(Store) public final func finish(_ work: SaveWork, insertedKeys keys: ContiguousArray<Int64>) -> SaveResult {
    work.adopt(keys, for: work.inserted, self)
    return publish(work, work.keys)
  }

  /// Returns the objects, all of one entity, that were read in another version than the store has now.
  /// - Parameter versions: the versions of the existing rows, by key.
  @_spi(Store) public final func outdated(
    _ objects: ContiguousArray<NSManagedObject>, versions: [Int64: Int64], layout: EntityLayout,
    transaction: ReadTransaction
  ) throws -> OutdatedRows {
    try outdatedRows(of: objects, versions: versions, layout: layout, transaction: transaction)
  }

  /// The entities that the store holds.
  @_spi(Store) public final var heldEntities: [NSEntityDescription] { entitiesHeld }
}

extension NSManagedObjectID {
  /// The object's primary key among the objects of its root entity; below 0 until the object is saved for the first
  /// time.
  @_spi(Store) public final var primaryKey: Int64 { key }
}

extension NSEntityDescription {
  /// The shape of the entity's rows.
  @_spi(Store) public final var rowLayout: EntityLayout { layout }
}
