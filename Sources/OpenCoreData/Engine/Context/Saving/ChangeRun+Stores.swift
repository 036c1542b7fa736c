import Foundation
import OpenCocoaFoundation

extension ChangeRun {
  func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
    context.checkQueue()
    // If two contexts ask for the same object's key, the second one finds that the object has one.
    try context.ancestors.inside {
      defer {
        // The contexts above have to know the keys even if this context is released.
        var ancestor = context.parentContext
        while let above = ancestor {
          KeyExchange(of: above).absorb()
          ancestor = above.parentContext
        }
      }
      try reserveKeys(for: objects)
    }
  }

  private func reserveKeys(for objects: [NSManagedObject]) throws {
    KeyExchange(of: context).absorb()
    var byStore: [ObjectIdentifier: (store: NSPersistentStore, objects: ContiguousArray<NSManagedObject>)] = [:]
    for object in objects where object.key < 0 {
      let store = try store(for: object)
      byStore[ObjectIdentifier(store), default: (store, [])].objects.append(object)
    }
    for (store, objects) in byStore.values {
      for (object, key) in zip(objects, try store.reserveKeys(objects)) {
        KeyExchange(of: context).give(key, to: object, in: store)
      }
    }
  }

  /// Gives a new object an ID that was obtained for another object, which was never saved.
  func give(_ objectID: NSManagedObjectID, to object: NSManagedObject) {
    context.checkQueue()
    guard object.key < 0, object.isInserted, object.table?.context === context else {
      raise(.invalidArgument, "Only a new object of this context can be given an ID; this is \(object.objectID).")
    }
    guard objectID.key > 0, let store = objectID.persistentStore, objectID.entity.layout === object.layout,
      context.persistentStoreCoordinator === store.persistentStoreCoordinator
    else {
      raise(
        .invalidArgument,
        "The ID \(objectID) cannot become that of a new \(object.layout.name): it must be a permanent one of that entity, "
          + "of a store of the context's coordinator.")
    }
    KeyExchange(of: context).absorb()
    KeyExchange(of: context).give(objectID.key, to: object, in: store)
  }

  /// The store that a new object goes to: the assigned one, else the first that holds its entity and can be written.
  func store(for object: NSManagedObject) throws -> NSPersistentStore {
    if let assigned = context.identityMaps.assignedStore(of: object) { return assigned }
    if let store = object.table?.store ?? context.nestedKeys.home(of: object.key) { return store }
    let stores = try context.requiredCoordinator().persistentStores
    if let store = stores.first(where: { !$0.isReadOnly && $0.holds(object.layout.entity) }) {
      return store
    }
    if let store = stores.first(where: { $0.holds(object.layout.entity) }) { return store }
    throw NSError(
      coreData: NSCoreDataError,
      "There is no store for objects of the entity '\(object.layout.name)': "
        + (stores.isEmpty ? "the coordinator has no stores." : "no store's configuration includes it."))
  }

  func assign(_ object: Any, to store: NSPersistentStore) {
    context.checkQueue()
    guard let object = object as? NSManagedObject else { return }
    guard object.table?.context === context else {
      raise(.invalidArgument, "An NSManagedObjectContext cannot assign objects of other contexts to a store.")
    }
    if object.key > 0 {
      raise(.invalidArgument, "Can’t reassign an object to a different store once it has been saved.")
    }
    guard store.holds(object.layout.entity) else {
      raise(
        .invalidArgument,
        "Can't assign an object to a store that does not contain the object's entity: \(object.layout.name).")
    }
    context.identityMaps.assign(object, to: store)
  }
}
