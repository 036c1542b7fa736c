/// A store as the IDs of its objects know it, all of which share this: they do not keep it.
final class StoreReference: @unchecked Sendable {  // the identifier never changes; weak references can be read anywhere
  private(set) weak var store: NSPersistentStore?
  /// The store's UUID when this was made.
  let identifier: String?

  init(_ store: NSPersistentStore, identifier: String?) {
    self.store = store
    self.identifier = identifier
  }
}

/// Makes the IDs of many objects, which mostly are in one store.
struct ObjectIDMaker {
  private var last: (store: NSPersistentStore, reference: StoreReference)?

  /// The object's ID, as `objectID` gives it.
  mutating func id(of object: NSManagedObject) -> NSManagedObjectID {
    guard object.key > 0, let store = object.table?.store else { return object.objectID }
    if last?.store !== store { last = (store, store.reference) }
    return NSManagedObjectID(entity: object.layout.entity, home: last?.reference, key: object.key)
  }
}
