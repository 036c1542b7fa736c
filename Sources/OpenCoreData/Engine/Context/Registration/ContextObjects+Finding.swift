import Foundation
import OpenCocoaFoundation

// Objects by their IDs.
extension ContextObjects {
  func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
    context.checkQueue()
    KeyExchange(of: context).absorb()
    return known(objectID)
  }

  private func known(_ objectID: NSManagedObjectID) -> NSManagedObject? {
    let store = objectID.persistentStore
    if let family = context.identityMaps.family(of: store),
      let object = family.table(objectID.entity.layout.rootNumber).object(objectID.key)
    {
      return object
    }
    // The ID is temporary, and its object may have got a permanent one.
    guard objectID.key < 0, let entry = KeyExchange(of: context).permanentKey(of: objectID.key) else { return nil }
    return context.identityMaps.family(of: entry.store)?.table(entry.rootNumber).object(entry.permanent)
  }

  func object(with objectID: NSManagedObjectID) -> NSManagedObject {
    if let known = context.registeredObject(for: objectID) { return known }
    let layout = localLayout(objectID.entity)
    if objectID.key < 0, let entry = KeyExchange(of: context).permanentKey(of: objectID.key) {
      return faultObject(key: entry.permanent, layout: layout, store: entry.store)
    }
    return faultObject(key: objectID.key, layout: layout, store: objectID.persistentStore)
  }

  func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
    if let known = context.registeredObject(for: objectID) {
      if known.state.contains(.inaccessible) { throw missing(objectID) }
      if known.isUnread { try fulfillOrThrow(known) }
      return known
    }
    if let store = objectID.persistentStore {
      guard context.persistentStoreCoordinator?.persistentStores.contains(store) == true else {
        throw missing(objectID)
      }
    } else if objectID.key > 0
      || context.parentContext == nil && KeyExchange(of: context).permanentKey(of: objectID.key) == nil
    {
      throw missing(objectID)
    }
    let object = context.object(with: objectID)
    try fulfillOrThrow(object)
    return object
  }

  private func fulfillOrThrow(_ object: NSManagedObject) throws {
    let reader = FaultReader(of: context)
    guard let row = try reader.rowNow(object) ?? reader.laterRow(object) else { throw missing(object.objectID) }
    reader.realise(object, row)
  }

  func missing(_ objectID: NSManagedObjectID) -> NSError {
    NSError(
      coreData: NSManagedObjectReferentialIntegrityError,
      "Attempt to access an object not found in store: \(objectID).", ["objectID": objectID])
  }
}
