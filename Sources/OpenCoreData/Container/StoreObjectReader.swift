import Foundation

/// Reads the objects of a store in batches, whatever kind of store it is.
///
/// Each batch is read at another moment, so nothing may write to the store between the batches, unless `context` is
/// pinned to one state.
package final class StoreObjectReader {
  package let store: NSPersistentStore
  private let coordinator: NSPersistentStoreCoordinator
  /// The context to read with; if it is nil, each batch is read with a new context.
  private let context: NSManagedObjectContext?

  /// - Parameter context: a context that is pinned to one state of the store; needed if other code may write to the
  ///   store between the batches.
  package init(
    _ store: NSPersistentStore, _ coordinator: NSPersistentStoreCoordinator, context: NSManagedObjectContext? = nil
  ) {
    (self.store, self.coordinator, self.context) = (store, coordinator, context)
  }

  /// The entities that the store may have objects of, superentities first.
  package var layouts: [EntityLayout] {
    coordinator.managedObjectModel.entitiesInStoreOrder.filter { !$0.isAbstract && store.holds($0) }.map(\.layout)
  }

  /// Runs `body` with a context that no other code uses.
  package func inContext<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    if let context { return try context.performAndWait { try body(context) } }
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait { try body(context) }
  }

  /// Returns the keys of the objects of exactly one entity, ascending.
  package func keys(of layout: EntityLayout) throws -> ContiguousArray<Int64> {
    let target = FetchTarget(layout: layout, predicate: nil, includesSubentities: false)
    return try inContext { context in
      var keys = try store.fetchKeys(target, transaction: context.reads.transaction(on: store)).keys
      keys.sort()
      return keys
    }
  }

  /// Returns the rows with the given keys, in the order of their keys. Keys without a row are ignored.
  package func rows(_ keys: ContiguousArray<Int64>, _ layout: EntityLayout) throws -> ContiguousArray<Snapshot> {
    var rows = try inContext { context in
      try store.readRows(keys, layout: layout, transaction: context.reads.transaction(on: store)).rows
    }
    rows.sort { $0.primaryKey < $1.primaryKey }
    return rows
  }

  /// Returns the keys of the members of a to-many relationship, by the keys of the owners.
  package func members(
    of owners: ContiguousArray<Int64>, _ slot: PropertySlot, _ layout: EntityLayout
  ) throws -> [Int64: KeyArray] {
    try inContext { context in
      try store.readMembers(of: owners, slot, layout: layout, transaction: context.reads.transaction(on: store))
    }
  }

  /// Returns the entity of the object that a to-one relationship leads to, by the entity number beside the key in a
  /// row.
  package func destination(_ slot: PropertySlot, _ row: Snapshot) -> EntityLayout? {
    let number = slot.entityIndex >= 0 && !row.isNull(slot.entityIndex) ? Int(row.int(slot.entityIndex)) : nil
    return number.flatMap(store.layout(number:)) ?? slot.destination?.layout
  }

  /// Calls `body` with the keys in batches, and counts the keys that have been passed in `progress`.
  package static func inBatches(
    of size: Int, _ keys: ContiguousArray<Int64>, _ progress: Progress?, _ body: (ContiguousArray<Int64>) throws -> Void
  ) throws {
    for start in stride(from: 0, to: keys.count, by: size) {
      let batch = ContiguousArray(keys[start..<min(start + size, keys.count)])
      try body(batch)
      try count(batch.count, progress)
    }
  }

  /// - Throws: 3072 after a cancellation.
  package static func count(_ objects: Int, _ progress: Progress?) throws {
    progress?.completedUnitCount += Int64(objects)
    if progress?.isCancelled == true { throw SQLiteBackup.cancelled }
  }
}
