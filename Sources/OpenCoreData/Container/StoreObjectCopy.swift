import Foundation
import OpenCocoaFoundation

/// Copies the objects of one store to another store of the same model, object by object, whatever kinds of stores the
/// two are.
///
/// The rows are written first. The relationships follow when every object has its new key, and the order of members
/// follows when all members are there. An atomic store is written once, when everything is copied. Nothing is
/// validated, and no code of the application's classes runs: the copy holds what the source holds. Only references that
/// lead to no object are left out. The destination is empty at first, and nothing else may write to either store during
/// the copy.
final class StoreObjectCopy {
  let source: NSPersistentStore
  let destination: NSPersistentStore
  let coordinator: NSPersistentStoreCoordinator
  /// The number of objects that one transaction writes.
  var batchSize = 500
  private let reader: StoreObjectReader
  /// Whether the copied objects keep the keys that they have in the source.
  private var keepsKeys = false
  /// The new key for each key of the source, by the number of the root entity.
  private var newKeys: [Int: [Int64: Int64]] = [:]

  init(from source: NSPersistentStore, to destination: NSPersistentStore, _ coordinator: NSPersistentStoreCoordinator) {
    self.source = source
    self.destination = destination
    self.coordinator = coordinator
    reader = StoreObjectReader(source, coordinator)
  }

  private func save(_ work: SaveWork, in context: NSManagedObjectContext) throws -> SaveResult {
    do { return try destination.save(work, in: context) } catch let conflict as SaveConflict { throw conflict.reason }
  }

  /// - Parameter progress: counts objects, each as often as it is written; cancelling it ends the copy half-way.
  /// - Throws: the errors of reading the source and writing the destination; 3072 after a cancellation.
  func run(progress: Progress? = nil) throws {
    guard let atomic = destination as? NSAtomicStore else { return try copy(progress) }
    try atomic.writingOnce { try copy(progress) }
  }

  private func copy(_ progress: Progress?) throws {
    let layouts = reader.layouts
    let keys = try layouts.map(reader.keys)
    let all = zip(layouts, keys)
    try allowKeys(Array(all))
    let related = all.filter { layout, _ in layout.slots.contains { $0.kind.isRelationship && !$0.isTransient } }
    let ordered = all.filter { layout, _ in !layout.orderedSlots.isEmpty }
    progress?.totalUnitCount = Int64([Array(all), related, ordered].joined().reduce(0) { $0 + $1.1.count })
    for (layout, keys) in all {
      try inBatches(keys, progress) { try copyRows($0, layout) }
    }
    for (layout, keys) in related {
      try inBatches(keys, progress) { try copyRelationships($0, layout, arranging: false) }
    }
    for (layout, keys) in ordered {
      try inBatches(keys, progress) { try copyRelationships($0, layout, arranging: true) }
    }
  }

  private func inBatches(
    _ keys: ContiguousArray<Int64>, _ progress: Progress?, _ body: (ContiguousArray<Int64>) throws -> Void
  ) throws {
    try StoreObjectReader.inBatches(of: batchSize, keys, progress, body)
  }

  private func inContext<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    try reader.inContext(body)
  }

  /// Lets the copied objects keep their keys, if both stores are databases. The keys of a store that is one file are
  /// not kept: they are only numbers of the moment.
  private func allowKeys(_ all: [(layout: EntityLayout, keys: ContiguousArray<Int64>)]) throws {
    guard source is any RelationalStore else { return }
    var last: [String: Int64] = [:]
    for (layout, keys) in all {
      guard let key = keys.last, let root = layout.entity.rootEntity.name else { continue }
      last[root] = max(last[root] ?? 0, key)
    }
    keepsKeys = try destination.allowKeys(upTo: last)
  }

  // MARK: Rows

  private func copyRows(_ keys: ContiguousArray<Int64>, _ layout: EntityLayout) throws {
    let (rows, result) = try inContext { context in
      let rows = try source.readRows(keys, layout: layout, transaction: context.reads.transaction(on: source)).rows
      var work = SaveWork()
      for row in rows {
        // The object is a plain NSManagedObject, because the entity's own class may do anything in awakeFromInsert.
        let object = NSManagedObject(entity: layout.entity, insertInto: context)
        for slot in layout.slots where !slot.isTransient && !slot.kind.isRelationship && slot.kind != .composite {
          // If a value cannot be read, the copy ends: otherwise the value would be nil in the new store for good.
          let value: StoredValue? = try row.unread(slot.index).map { .data(try $0.read().data) }
          object.store(value ?? StoredValue.read(slot, from: row), slot)
        }
        if keepsKeys { context.objects.move(object, to: destination, key: row.primaryKey) }
        work.inserted.append(object)
      }
      return (rows.map(\.primaryKey), try save(work, in: context))
    }
    for (old, new) in zip(rows, result.insertedKeys) { newKeys[layout.rootNumber, default: [:]][old] = new }
  }

  // MARK: Relationships

  /// - Parameter arranging: whether the members have been written already, and are only to be put into their order.
  private func copyRelationships(
    _ keys: ContiguousArray<Int64>, _ layout: EntityLayout, arranging: Bool
  ) throws {
    let slots = (arranging ? layout.orderedSlots : layout.slots).filter { $0.kind.isRelationship && !$0.isTransient }
    try inContext { context in
      let transaction = context.reads.transaction(on: source)
      let rows = try source.readRows(keys, layout: layout, transaction: transaction).rows
      var members: [String: [Int64: KeyArray]] = [:]
      for slot in slots where slot.kind == .toMany {
        members[slot.name] = try source.readMembers(of: keys, slot, layout: layout, transaction: transaction)
      }
      let copies = ContiguousArray(keys.compactMap { newKeys[layout.rootNumber]?[$0] })
      let written = try destination.readRows(
        copies, layout: layout, transaction: context.reads.transaction(on: destination)
      ).rows
      let byKey = Dictionary(written.map { ($0.primaryKey, $0) }, uniquingKeysWith: { $1 })
      context.reads.end()
      var work = SaveWork()
      for row in rows {
        guard let key = newKeys[layout.rootNumber]?[row.primaryKey], let copy = byKey[key] else { continue }
        let object = object(key, layout, in: context)
        object.snapshot = copy
        var isChanged = false
        for slot in slots {
          let found =
            slot.kind == .toOne ? toOne(slot, row) : members[slot.name]?[row.primaryKey].map { toMany(slot, $0) }
          guard let found, !found.isEmpty else { continue }
          isChanged = true
          let members = ContiguousArray(found.map { self.object($0.key, $0.layout, in: context) })
          if arranging { arrange(slot, of: object, to: members) } else { set(slot, of: object, to: members) }
        }
        if isChanged { work.updated.append(object) }
      }
      if !work.isEmpty { _ = try save(work, in: context) }
    }
  }

  private typealias Member = (key: Int64, layout: EntityLayout)

  private func toOne(_ slot: PropertySlot, _ row: Snapshot) -> [Member]? {
    guard !row.isNull(slot.index) else { return nil }
    let number = slot.entityIndex >= 0 && !row.isNull(slot.entityIndex) ? Int(row.int(slot.entityIndex)) : nil
    return member(row.int(slot.index), slot, number).map { [$0] }
  }

  private func toMany(_ slot: PropertySlot, _ array: KeyArray) -> [Member] {
    array.keys.indices.compactMap { index in
      member(array.keys[index], slot, array.entities.isEmpty ? nil : Int(array.entities[index]))
    }
  }

  /// - Parameter number: the number of the member's entity, if it may be a subentity of the relationship's destination.
  private func member(_ key: Int64, _ slot: PropertySlot, _ number: Int?) -> Member? {
    guard let layout = number.flatMap(source.layout(number:)) ?? slot.destination?.layout,
      let key = newKeys[layout.rootNumber]?[key]
    else { return nil }
    return (key, layout)
  }

  /// Returns the object of a copied row. It is a plain NSManagedObject, of no class of the application.
  private func object(_ key: Int64, _ layout: EntityLayout, in context: NSManagedObjectContext) -> NSManagedObject {
    let table = context.objects.table(for: layout, store: destination)
    if let known = table.object(key) { return known }
    let object = NSManagedObject(entity: layout.entity, insertInto: nil)
    object.state = []
    table.register(object, key)
    return object
  }

  /// Sets one end of a relationship. The other end is set by a call of its own, because it has its own row.
  private func set(_ slot: PropertySlot, of object: NSManagedObject, to members: ContiguousArray<NSManagedObject>) {
    if slot.kind == .toOne {
      object.writableChanges().values[slot.index] = .object(members[0])
      return
    }
    let state = object.toManyState(slot.relationIndex)
    state.keys = KeyArray.empty
    for member in members { _ = state.add(member) }
  }

  /// Puts the members that the relationship already has into another order.
  private func arrange(
    _ slot: PropertySlot, of object: NSManagedObject, to members: ContiguousArray<NSManagedObject>
  ) {
    let state = object.toManyState(slot.relationIndex)
    let numbers = slot.destination?.layout.hasSubentities == true
    state.keys = KeyArray(
      ContiguousArray(members.map(\.key)), isOrdered: true,
      entities: numbers ? ContiguousArray(members.map { Int32(truncatingIfNeeded: destination.number(of: $0)) }) : [],
      commit: 0)
    state.members = members
    state.arrange { _ in }
  }
}
