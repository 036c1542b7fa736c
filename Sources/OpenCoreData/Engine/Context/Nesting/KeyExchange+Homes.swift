import Foundation
import OpenCocoaFoundation

extension KeyExchange {
  /// Notes the store of the permanent members of an object that has a temporary key; nothing is noted where there is only
  /// one store.
  func noteHome(_ store: NSPersistentStore?, of object: NSManagedObject) {
    guard object.key < 0, let store, (context.persistentStoreCoordinator?.persistentStores.count ?? 0) > 1 else {
      return
    }
    context.nestedKeys.noteHome(store, of: object.key)
  }

  /// The store that the permanent keys in a relationship belong to: the object's own store, or the one that it will be
  /// saved to.
  func homeStore(of object: NSManagedObject) -> NSPersistentStore? {
    if let store = object.table?.store { return store }
    let stores = context.persistentStoreCoordinator?.persistentStores ?? []
    if stores.count <= 1 { return stores.first }
    if let known = context.identityMaps.assignedStore(of: object) ?? context.nestedKeys.home(of: object.key) {
      return known
    }
    return relatedStore(of: object) ?? (try? ChangeRun(in: context).store(for: object))
  }

  /// The store of an object that a new one is related to.
  private func relatedStore(of object: NSManagedObject) -> NSPersistentStore? {
    for slot in object.layout.slots where slot.kind.isRelationship && !slot.isTransient {
      if slot.kind == .toOne {
        if case .object(let member)? = object.changes?.values[slot.index], member.key > 0 { return member.table?.store }
      } else if let state = object.relations?.states[slot.relationIndex] as? ToManyState,
        let member = state.added.first(where: { $0.key > 0 })
      {
        return member.table?.store
      }
    }
    return nil
  }
}
