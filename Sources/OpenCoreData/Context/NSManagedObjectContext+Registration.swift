import Foundation
import OpenCocoaFoundation

// The identity map: which objects the context has, and how it comes by them.
extension NSManagedObjectContext {
  /// The objects that the context has, faults included.
  public final var registeredObjects: Set<NSManagedObject> {
    checkQueue()
    var result: Set<NSManagedObject> = []
    for table in families.lazy.flatMap(\.tables) { result.formUnion(table.all()) }
    return result
  }

  /// The identity maps for `store`.
  final func tables(for store: NSPersistentStore?, model: NSManagedObjectModel) -> StoreTables {
    for family in families where family.store === store { return family }
    let family = StoreTables(context: self, store: store, model: model)
    families.append(family)
    return family
  }

  @inline(__always)
  final func table(for layout: EntityLayout, store: NSPersistentStore?) -> EntityTable {
    for family in families where family.store === store { return family.table(layout.rootNumber) }
    return tables(for: store, model: layout.entity.managedObjectModel).table(layout.rootNumber)
  }

  /// The object of a row: the registered one, or a new fault.
  final func faultObject(key: Int64, layout: EntityLayout, store: NSPersistentStore?) -> NSManagedObject {
    let table = table(for: layout, store: store)
    return table.object(key) ?? makeFault(key, layout, table)
  }

  final func makeFault(_ key: Int64, _ layout: EntityLayout, _ table: EntityTable) -> NSManagedObject {
    let object = ManagedInstance.make(layout)
    object.state = []
    // What the class's initialiser may have set is for new objects.
    if object.changes != nil { object.changes = nil }
    if object.relations != nil { object.relations = nil }
    table.register(object, key)
    if retainsRegisteredObjects { retained.insert(object) }
    return object
  }

  /// The objects of a relationship's members; those that are not registered become faults that fire in company.
  final func faults(_ keys: KeyArray, layout: EntityLayout, store: NSPersistentStore?) -> ContiguousArray<
    NSManagedObject
  > {
    var result: ContiguousArray<NSManagedObject> = []
    result.reserveCapacity(keys.keys.count)
    faults(keys, layout: layout, store: store) { result.append($0) }
    return result
  }

  final func faults(
    _ keys: KeyArray, layout: EntityLayout, store: NSPersistentStore?, _ body: (consuming NSManagedObject) -> Void
  ) {
    let table = table(for: layout, store: store)
    var company: FaultCompany?
    table.lookUp(keys.keys) { index, known in
      let object: NSManagedObject
      if let known {
        object = known
      } else {
        let own = keys.entities.isEmpty ? nil : store?.layout(number: Int(keys.entities[index]), asked: layout)
        object = makeFault(keys.keys[index], own ?? layout, table)
      }
      if object.rowReference == nil, object.company == nil {
        if company == nil { company = FaultCompany(keys.keys, layout: layout) }
        object.company = company
      }
      body(object)
    }
  }

  /// The registered object with that ID; nil when there is none. Reads nothing.
  public final func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
    checkQueue()
    let store = objectID.persistentStore
    for family in families where family.store === store {
      if let object = family.table(objectID.entity.layout.rootNumber).object(objectID.key) { return object }
    }
    return nil
  }

  /// The object with that ID: the registered one or a fault, whether or not there is such a row. Reads nothing.
  public final func object(with objectID: NSManagedObjectID) -> NSManagedObject {
    if let known = registeredObject(for: objectID) { return known }
    return faultObject(
      key: objectID.key, layout: localLayout(objectID.entity), store: objectID.persistentStore)
  }

  /// The object with that ID, realised.
  /// - Throws: 133000 when the store has no such row, or the store is not one of this context's.
  public final func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
    if let known = registeredObject(for: objectID) {
      if known.state.contains(.inaccessible) { throw missing(objectID) }
      if known.isFault { try fulfillOrThrow(known) }
      return known
    }
    guard let store = objectID.persistentStore,
      persistentStoreCoordinator?.persistentStores.contains(store) == true
    else { throw missing(objectID) }
    let object = object(with: objectID)
    try fulfillOrThrow(object)
    return object
  }

  private final func fulfillOrThrow(_ object: NSManagedObject) throws {
    guard let row = try rowNow(object) else { throw missing(object.objectID) }
    realise(object, row)
  }

  final func missing(_ objectID: NSManagedObjectID) -> NSError {
    NSError(
      coreData: NSManagedObjectReferentialIntegrityError,
      "Attempt to access an object not found in store: \(objectID).", ["objectID": objectID])
  }

  /// The layout of the context's own model for an entity that may come from another copy of it.
  final func localLayout(_ entity: NSEntityDescription) -> EntityLayout {
    let own = persistentStoreCoordinator?.managedObjectModel.entitiesByName[entity.name ?? ""]
    return (own ?? entity).layout
  }
}
