import Foundation
import OpenCocoaFoundation

/// Finds, makes and registers the objects of a context. The state is `IdentityMaps`.
struct ContextObjects {
  let context: NSManagedObjectContext

  @inline(__always)
  init(of context: NSManagedObjectContext) { self.context = context }

  var registeredObjects: Set<NSManagedObject> {
    context.checkQueue()
    var result: Set<NSManagedObject> = []
    for table in context.identityMaps.all { result.formUnion(table.all()) }
    return result
  }

  /// The identity maps for `store`.
  func tables(for store: NSPersistentStore?, model: NSManagedObjectModel) -> StoreTables {
    if let family = context.identityMaps.family(of: store) { return family }
    let family = StoreTables(context: context, store: store, model: model)
    context.identityMaps.add(family)
    return family
  }

  @inline(__always)
  func table(for layout: EntityLayout, store: NSPersistentStore?) -> IdentityMap {
    if let family = context.identityMaps.family(of: store) { return family.table(layout.rootNumber) }
    return tables(for: store, model: layout.entity.managedObjectModel).table(layout.rootNumber)
  }

  /// The object of a row: the registered one, or a new fault.
  func faultObject(key: Int64, layout: EntityLayout, store: NSPersistentStore?) -> NSManagedObject {
    let table = table(for: layout, store: store)
    return table.object(key) ?? makeFault(key, layout, table)
  }

  func makeFault(_ key: Int64, _ layout: EntityLayout, _ table: IdentityMap) -> NSManagedObject {
    let object = makeUnregistered(layout)
    table.register(object, key)
    return object
  }

  /// A fault that still has to be registered.
  @inline(__always)
  func makeUnregistered(_ layout: EntityLayout) -> NSManagedObject {
    let object = ManagedInstance.make(layout)
    object.state = []
    // Values that the class's initialiser has set are meant for new objects, not for faults.
    if object.changesReference != nil { object.changes = nil }
    if object.relations != nil { object.relations = nil }
    if context.retainsRegisteredObjects { context.identityMaps.retain(object) }
    return object
  }

  /// Re-registers an object under its permanent key.
  func move(_ object: NSManagedObject, to store: NSPersistentStore, key: Int64) {
    object.table?.remove(object)
    table(for: object.layout, store: store).register(object, key)
    if object.state.contains(.refreshed) {
      // The event knows refreshed objects by their keys.
      object.state.remove(.refreshed)
      context.event.noteRefresh(of: object)
    }
  }

  /// Takes an object whose row is gone, or never was, out of the context.
  func unregister(_ object: NSManagedObject) {
    object.table?.remove(object)
    object.table = object.table.map { tables(for: $0.store, model: $0.model).limbo }
    object.relations = nil
    object.state = object.state.intersection(.observed).union(.hasNoRow)
    context.identityMaps.forget(object)
  }

  /// The objects for the keys of a relationship's members; objects that are not registered become faults that fire in
  /// batches.
  func faults(
    _ keys: KeyArray, of slot: PropertySlot, _ owner: NSManagedObject, layout: EntityLayout, store: NSPersistentStore?
  ) -> ContiguousArray<NSManagedObject> {
    if keys.hasTemporaryKeys { return mixedFaults(keys, of: slot, layout: layout, store: store) }
    let table = table(for: layout, store: store)
    let objects: ContiguousArray<NSManagedObject>
    if let store, !keys.entities.isEmpty {
      objects = table.findOrMake(keys.keys) {
        makeUnregistered(store.layout(number: Int(keys.entities[$0]), asked: layout))
      }
    } else {
      objects = table.findOrMake(keys.keys) { _ in makeUnregistered(layout) }
    }
    var faultBatch: FaultBatch?
    objects.forEachUncounted { _, object in
      guard object.rowReference == nil, object.faultBatch == nil else { return }
      if faultBatch == nil {
        faultBatch =
          owner.faultBatch?.memberBatch(of: owner.key, slot)
          ?? FaultBatch(keys.keys, layout: layout, origin: slot.property)
      }
      object.faultBatch = faultBatch
    }
    return objects
  }

  /// Returns the same faults for a child context in which some keys are temporary, because no store has the objects yet.
  private func mixedFaults(
    _ keys: KeyArray, of slot: PropertySlot, layout: EntityLayout, store: NSPersistentStore?
  ) -> ContiguousArray<NSManagedObject> {
    var result: ContiguousArray<NSManagedObject> = []
    let new = table(for: layout, store: nil), rows = store.map { table(for: layout, store: $0) }
    var faultBatch: FaultBatch?
    for (index, key) in keys.keys.enumerated() {
      guard let table = key < 0 ? new : rows else { continue }
      let own = keys.entities.isEmpty ? nil : Int(keys.entities[index])
      let object =
        table.object(key)
        ?? makeFault(key, own.map { self.layout(number: $0, asked: layout, store: table.store) } ?? layout, table)
      if key > 0, object.rowReference == nil, object.faultBatch == nil {
        if faultBatch == nil {
          faultBatch = FaultBatch(keys.keys.filter { $0 > 0 }, layout: layout, origin: slot.property)
        }
        object.faultBatch = faultBatch
      }
      result.append(object)
    }
    return result
  }

  /// The layout of the entity with that number, which is the store's number, or the model's if no store is given.
  func layout(number: Int, asked: EntityLayout, store: NSPersistentStore?) -> EntityLayout {
    if let store { return store.layout(number: number, asked: asked) }
    let entities = asked.entity.managedObjectModel.entitiesInStoreOrder
    guard number > 0, number <= entities.count, entities[number - 1].layout.rootNumber == asked.rootNumber else {
      return asked
    }
    return entities[number - 1].layout
  }

  /// The layout of the context's own model for an entity that may come from another copy of it.
  func localLayout(_ entity: NSEntityDescription) -> EntityLayout {
    let own = context.persistentStoreCoordinator?.managedObjectModel.entitiesByName[entity.name ?? ""]
    return (own ?? entity).layout
  }
}
