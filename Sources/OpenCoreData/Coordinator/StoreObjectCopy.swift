import Foundation
import OpenCocoaFoundation

/// Copies the objects of one store to another of the same model, object by object, whatever kinds of stores the two are.
///
/// Rows are written first, and then, when every object has its new key, relationships. Nothing is validated, and no code
/// of the application's classes runs: what the source holds, the copy holds. References that lead to no object are left
/// out. The destination is empty at first and nobody else writes either store meanwhile.
struct StoreObjectCopy {
  let source: NSPersistentStore
  let destination: NSPersistentStore
  let coordinator: NSPersistentStoreCoordinator
  /// How many objects one transaction writes.
  var batchSize = 500
  /// By the number of the root entity: the new keys of the source's.
  private var newKeys: [Int: [Int64: Int64]] = [:]

  init(from source: NSPersistentStore, to destination: NSPersistentStore, _ coordinator: NSPersistentStoreCoordinator) {
    self.source = source
    self.destination = destination
    self.coordinator = coordinator
  }

  /// - Parameter progress: counts objects, each twice; cancelling it ends the copy half-way.
  /// - Throws: what reading the one and writing the other throws; 3072 after a cancellation.
  mutating func run(progress: Progress? = nil) throws {
    let layouts = coordinator.managedObjectModel.entitiesInStoreOrder.filter { !$0.isAbstract && source.holds($0) }
      .map(\.layout)
    let keys = try layouts.map { try self.keys(of: $0) }
    progress?.totalUnitCount = Int64(keys.reduce(0) { $0 + $1.count } * 2)
    for (layout, keys) in zip(layouts, keys) {
      for batch in batches(keys) {
        try copyRows(batch, layout)
        try advance(progress, batch.count)
      }
    }
    for (layout, keys) in zip(layouts, keys) {
      let slots = layout.slots.filter { $0.kind.isRelationship && !$0.isTransient }
      for batch in batches(keys) {
        if !slots.isEmpty { try copyRelationships(batch, layout, slots) }
        try advance(progress, batch.count)
      }
    }
    // At last, since the order of an owner's members is lost when these are written after it.
    for (layout, keys) in zip(layouts, keys) where !layout.orderedSlots.isEmpty {
      for batch in batches(keys) {
        try copyOrder(batch, layout)
        try advance(progress, 0)
      }
    }
  }

  private func advance(_ progress: Progress?, _ count: Int) throws {
    progress?.completedUnitCount += Int64(count)
    if progress?.isCancelled == true { throw SQLiteBackup.cancelled }
  }

  private func batches(_ keys: ContiguousArray<Int64>) -> [ContiguousArray<Int64>] {
    stride(from: 0, to: keys.count, by: batchSize).map {
      ContiguousArray(keys[$0..<min($0 + batchSize, keys.count)])
    }
  }

  /// Runs `body` with a context of its own, whose objects belong to nobody else.
  private func inContext<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait { try body(context) }
  }

  private func keys(of layout: EntityLayout) throws -> ContiguousArray<Int64> {
    let target = FetchTarget(layout: layout, predicate: nil, includesSubentities: false)
    return try inContext { context in
      var keys = try source.fetchKeys(target, lease: context.lease(on: source)).keys
      keys.sort()
      return keys
    }
  }

  // MARK: Rows

  private mutating func copyRows(_ keys: ContiguousArray<Int64>, _ layout: EntityLayout) throws {
    let (rows, result) = try inContext { context in
      let rows = try source.readRows(keys, layout: layout, lease: context.lease(on: source)).rows
      var work = SaveWork()
      for row in rows {
        // The entity's own class may do anything in awakeFromInsert.
        let object = NSManagedObject(entity: layout.entity, insertInto: context)
        for slot in layout.slots where !slot.isTransient && !slot.kind.isRelationship && slot.kind != .composite {
          object.store(StoredValue.read(slot, from: row), slot)
        }
        work.inserted.append(object)
      }
      return (rows.map(\.primaryKey), try destination.save(work, in: context))
    }
    for (old, new) in zip(rows, result.insertedKeys) { newKeys[layout.rootNumber, default: [:]][old] = new }
  }

  // MARK: Relationships

  private func copyRelationships(
    _ keys: ContiguousArray<Int64>, _ layout: EntityLayout, _ slots: [PropertySlot]
  ) throws {
    try inContext { context in
      let lease = context.lease(on: source)
      let rows = try source.readRows(keys, layout: layout, lease: lease).rows
      var members: [String: [Int64: KeyArray]] = [:]
      for slot in slots where slot.kind == .toMany {
        members[slot.name] = try source.readMembers(of: keys, slot, layout: layout, lease: lease)
      }
      let copies = try copies(of: keys, layout, context)
      context.endLeases()
      var work = SaveWork()
      for row in rows {
        guard let key = newKeys[layout.rootNumber]?[row.primaryKey], let copy = copies[key] else { continue }
        let object = object(key, layout, in: context)
        object.snapshot = copy
        var isChanged = false
        for slot in slots {
          let found = slot.kind == .toOne ? toOne(slot, row) : members[slot.name]?[row.primaryKey].map(toMany(slot))
          guard let found, !found.isEmpty else { continue }
          isChanged = true
          set(slot, of: object, to: found.map { self.object($0.key, $0.layout, in: context) })
        }
        if isChanged { work.updated.append(object) }
      }
      if !work.isEmpty { _ = try destination.save(work, in: context) }
    }
  }

  private func copyOrder(_ keys: ContiguousArray<Int64>, _ layout: EntityLayout) throws {
    try inContext { context in
      let lease = context.lease(on: source)
      var members: [(slot: PropertySlot, byOwner: [Int64: KeyArray])] = []
      for slot in layout.orderedSlots {
        members.append((slot, try source.readMembers(of: keys, slot, layout: layout, lease: lease)))
      }
      let copies = try copies(of: keys, layout, context)
      context.endLeases()
      var work = SaveWork()
      for key in keys {
        guard let copy = newKeys[layout.rootNumber]?[key].flatMap({ copies[$0] }) else { continue }
        let object = object(copy.primaryKey, layout, in: context)
        object.snapshot = copy
        for (slot, byOwner) in members {
          guard let found = byOwner[key].map(toMany(slot)), found.count > 1 else { continue }
          let state = object.toManyState(slot.relationIndex)
          state.keys = KeyArray(ContiguousArray(found.map(\.key)), isOrdered: true, commit: 0)
          state.members = ContiguousArray(found.map { self.object($0.key, $0.layout, in: context) })
          state.arrange { _ in }
        }
        if object.relations != nil { work.updated.append(object) }
      }
      if !work.isEmpty { _ = try destination.save(work, in: context) }
    }
  }

  /// The rows that were written for those of the source, by their new keys.
  private func copies(
    of keys: ContiguousArray<Int64>, _ layout: EntityLayout, _ context: NSManagedObjectContext
  ) throws -> [Int64: Snapshot] {
    let new = ContiguousArray(keys.compactMap { newKeys[layout.rootNumber]?[$0] })
    let rows = try destination.readRows(new, layout: layout, lease: context.lease(on: destination)).rows
    return Dictionary(rows.map { ($0.primaryKey, $0) }, uniquingKeysWith: { $1 })
  }

  private typealias Member = (key: Int64, layout: EntityLayout)

  private func toOne(_ slot: PropertySlot, _ row: Snapshot) -> [Member]? {
    guard !row.isNull(slot.index) else { return nil }
    let number = slot.entityIndex >= 0 && !row.isNull(slot.entityIndex) ? Int(row.int(slot.entityIndex)) : nil
    return member(row.int(slot.index), slot, number).map { [$0] }
  }

  private func toMany(_ slot: PropertySlot) -> (KeyArray) -> [Member] {
    { array in
      array.keys.indices.compactMap { index in
        member(array.keys[index], slot, array.entities.isEmpty ? nil : Int(array.entities[index]))
      }
    }
  }

  /// - Parameter number: the member's entity, where it may be a subentity of the relationship's destination.
  private func member(_ key: Int64, _ slot: PropertySlot, _ number: Int?) -> Member? {
    guard let layout = number.flatMap(source.layout(number:)) ?? slot.destination?.layout,
      let key = newKeys[layout.rootNumber]?[key]
    else { return nil }
    return (key, layout)
  }

  /// The object of a copied row, of no class of the application's.
  private func object(_ key: Int64, _ layout: EntityLayout, in context: NSManagedObjectContext) -> NSManagedObject {
    let table = context.table(for: layout, store: destination)
    if let known = table.object(key) { return known }
    let object = NSManagedObject(entity: layout.entity, insertInto: nil)
    object.state = []
    table.register(object, key)
    return object
  }

  /// Both ends are set by themselves, as each has the other among its values.
  private func set(_ slot: PropertySlot, of object: NSManagedObject, to members: [NSManagedObject]) {
    if slot.kind == .toOne {
      object.writableChanges().values[slot.index] = .object(members[0])
      return
    }
    let state = object.toManyState(slot.relationIndex)
    state.keys = KeyArray.empty
    for member in members { _ = state.add(member) }
  }
}
