import Foundation

// The parts of the engine that a kind of store in another module needs, besides the methods that it overrides. Such a
// module contains `@_spi(Store) import OpenCoreData`.
extension NSPersistentStore {
  /// Makes a row from the values that `value` gives.
  /// - Parameters:
  ///   - version: the version of the row; a number that differs whenever the row has changed.
  ///   - value: returns the value of a property: for an attribute the value that a managed object would have, for a to-one
  ///     relationship an object ID; nil for no value.
  /// - Throws: the errors of `value` and of the attributes' transformers.
  @_spi(Store) public final func row(
    _ key: Int64, of layout: EntityLayout, version: Int64, value: (PropertySlot) throws -> Any?
  ) throws -> Snapshot {
    var scratch = SnapshotScratch(slots: layout.slots.count)
    return try makeRow(key, layout: layout, version: version, commit: latestCommit, scratch: &scratch, value: value)
  }

  /// Makes the key array of a to-many relationship from the object IDs of its members.
  @_spi(Store) public final func members(_ identifiers: [NSManagedObjectID], of slot: PropertySlot) -> KeyArray {
    makeKeys(identifiers, slot, commit: latestCommit)
  }

  /// Makes the ID of an object of this store.
  @_spi(Store) public final func objectID(_ entity: NSEntityDescription, key: Int64) -> NSManagedObjectID {
    NSManagedObjectID(entity: entity, store: self, key: key)
  }

  /// Ends a save after its rows were written: the new objects get their keys, and the rows go to the row cache.
  /// - Parameter keys: the keys of the inserted objects, in the order of these; greater than 0.
  @_spi(Store) public final func finish(_ work: SaveWork, insertedKeys keys: ContiguousArray<Int64>) -> SaveResult {
    work.adopt(keys, for: work.inserted, self)
    return publish(work, work.keys)
  }

  /// Returns the rows of those of `objects`, all of one entity, that were read in another version than the store has.
  /// - Parameter versions: the versions of the rows that are in the store, by key.
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
  /// The object's primary key, which is unique among the objects of its root entity; below 0 until the object is saved for
  /// the first time.
  @_spi(Store) public final var primaryKey: Int64 { key }
}

extension NSEntityDescription {
  /// The layout of the entity's rows.
  @_spi(Store) public final var rowLayout: EntityLayout { layout }
}
