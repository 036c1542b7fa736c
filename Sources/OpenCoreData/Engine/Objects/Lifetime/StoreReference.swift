/// A weak reference to a store, which all IDs of the store's objects share: an ID does not keep its store alive.
// `@unchecked`: the identifier never changes, and a weak reference can be read anywhere.
package final class StoreReference: @unchecked Sendable {
  @WeaklyReferring private(set) var store: NSPersistentStore?
  /// The store's UUID when this reference was made.
  let identifier: String?

  init(_ store: NSPersistentStore, identifier: String?) {
    _store = WeaklyReferring(store)
    self.identifier = identifier
  }
}

/// Makes the IDs of many objects, which mostly are of one entity and store.
struct ObjectIDMaker {
  private var table: IdentityMap?
  private var home: StoreReference?

  /// The object's ID, as `objectID` gives it.
  mutating func id(of object: NSManagedObject) -> NSManagedObjectID {
    guard object.key > 0 else { return object.objectID }
    if object.table !== table {
      table = object.table
      home = table?.store?.home
    }
    return NSManagedObjectID(entity: object.layout.entity, home: home, key: object.key)
  }
}
