import CoreData
import Testing

/// The strings behind names and keys: programs bridge them, and other languages and archives spell them out. Of some the
/// documentation gives no text; these are unverified (D-CTX-13), and must not change all the same.
@Suite struct NotificationNameTests {
  private typealias Key = NSManagedObjectContext.NotificationKey

  @Test func namesOfContexts() {
    let names: [(Notification.Name, Notification.Name, String)] = [
      (
        .NSManagedObjectContextObjectsDidChange, NSManagedObjectContext.didChangeObjectsNotification,
        "NSObjectsChangedInManagingContextNotification"
      ),
      (
        .NSManagedObjectContextWillSave, NSManagedObjectContext.willSaveObjectsNotification,
        "NSManagingContextWillSaveChangesNotification"
      ),
      (
        .NSManagedObjectContextDidSave, NSManagedObjectContext.didSaveObjectsNotification,
        "NSManagingContextDidSaveChangesNotification"
      ),
      (
        .NSManagedObjectContextDidSaveObjectIDs, NSManagedObjectContext.didSaveObjectIDsNotification,
        "NSManagedObjectContextDidSaveObjectIDsNotification"
      ),
      (
        .NSManagedObjectContextDidMergeChangesObjectIDs, NSManagedObjectContext.didMergeChangesObjectIDsNotification,
        "NSManagedObjectContextDidMergeChangesObjectIDsNotification"
      ),
    ]
    for (name, other, text) in names { #expect(name.rawValue == text && other == name) }
    #expect(Set(names.map(\.2)).count == names.count)
  }

  @Test func keysOfContexts() {
    let keys: [(String, Key, String)] = [
      (NSInsertedObjectsKey, .insertedObjects, "inserted"), (NSUpdatedObjectsKey, .updatedObjects, "updated"),
      (NSDeletedObjectsKey, .deletedObjects, "deleted"), (NSRefreshedObjectsKey, .refreshedObjects, "refreshed"),
      (NSInvalidatedObjectsKey, .invalidatedObjects, "invalidated"),
      (NSInvalidatedAllObjectsKey, .invalidatedAllObjects, "invalidatedAll"),
      (NSInsertedObjectIDsKey, .insertedObjectIDs, "inserted_objectIDs"),
      (NSUpdatedObjectIDsKey, .updatedObjectIDs, "updated_objectIDs"),
      (NSDeletedObjectIDsKey, .deletedObjectIDs, "deleted_objectIDs"),
      (NSRefreshedObjectIDsKey, .refreshedObjectIDs, "refreshed_objectIDs"),
      (NSInvalidatedObjectIDsKey, .invalidatedObjectIDs, "invalidated_objectIDs"),
      (NSManagedObjectContextQueryGenerationKey, .queryGeneration, "newQueryGeneration"),
    ]
    for (constant, key, text) in keys {
      #expect(constant == text && key.rawValue == text && Key(rawValue: text) == key)
    }
    #expect(Set(keys.map(\.2)).count == keys.count && Key(rawValue: "unknown") == nil)
  }

  @Test func namesAndKeysOfCoordinators() {
    let names: [(Notification.Name, String)] = [
      (.NSPersistentStoreCoordinatorStoresWillChange, "NSPersistentStoreCoordinatorStoresWillChangeNotification"),
      (.NSPersistentStoreCoordinatorStoresDidChange, "NSPersistentStoreCoordinatorStoresDidChangeNotification"),
      (.NSPersistentStoreCoordinatorWillRemoveStore, "NSPersistentStoreCoordinatorWillRemoveStoreNotification"),
      (.NSPersistentStoreRemoteChange, "NSPersistentStoreRemoteChangeNotification"),
    ]
    for (name, text) in names { #expect(name.rawValue == text) }
    #expect(NSAddedPersistentStoresKey == "added" && NSRemovedPersistentStoresKey == "removed")
    #expect(NSUUIDChangedPersistentStoresKey == "uuidChanged" && NSPersistentStoreURLKey == "storeURL")
  }

  /// What comes with a notification is under these very strings.
  @Test(arguments: TestStore.all) func whatIsPosted(_ store: TestStore) throws {
    let context = TestModel.context(try store.coordinator(TestModel.library()))
    nonisolated(unsafe) var told: [String: Set<String>] = [:]
    let names = [
      "NSObjectsChangedInManagingContextNotification", "NSManagingContextDidSaveChangesNotification",
      "NSManagedObjectContextDidSaveObjectIDsNotification",
    ]
    let tokens = names.map { name in
      NotificationCenter.default.addObserver(forName: Notification.Name(name), object: context, queue: nil) { note in
        for (key, value) in note.userInfo ?? [:] {
          let isEmpty = (value as? Set<AnyHashable>)?.isEmpty ?? (value as? [Any])?.isEmpty ?? false
          if let key = key as? String, !isEmpty { told[name, default: []].insert(key) }
        }
      }
    }
    defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
    try context.performAndWait {
      let changed = context.make("Author"), gone = context.make("Author"), kept = context.make("Author")
      try context.save()
      told = [:]
      changed.setValue("A", forKey: "name")
      context.delete(gone)
      _ = context.make("Author")
      context.refresh(kept, mergeChanges: true)
      try context.save()
      #expect(told[names[0]] == ["inserted", "updated", "deleted", "refreshed"])
      #expect(told[names[1]] == ["inserted", "updated", "deleted"])
      #expect(told[names[2]] == ["inserted_objectIDs", "updated_objectIDs", "deleted_objectIDs"])
      told = [:]
      context.reset()
      #expect(told == [names[0]: ["invalidatedAll"]])
    }
  }
}
