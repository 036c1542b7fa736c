import Foundation

// The notifications of a coordinator. They are posted on the thread that adds or removes a store.

extension NSNotification.Name {
  /// Before the stores of a coordinator, which is the notification's object, change: contexts can still be saved, or reset.
  /// The user info is that of `NSPersistentStoreCoordinatorStoresDidChange`, without
  /// `NSUUIDChangedPersistentStoresKey`. The change may yet fail.
  public static let NSPersistentStoreCoordinatorStoresWillChange =
    NSNotification.Name("NSPersistentStoreCoordinatorStoresWillChangeNotification")

  /// After the stores of a coordinator, which is the notification's object, have changed: arrays of stores under
  /// `NSAddedPersistentStoresKey` and `NSRemovedPersistentStoresKey`, and after the migration of a store to another UUID
  /// the old and the new one under `NSUUIDChangedPersistentStoresKey`.
  public static let NSPersistentStoreCoordinatorStoresDidChange =
    NSNotification.Name("NSPersistentStoreCoordinatorStoresDidChangeNotification")

  /// Before a coordinator, which is the notification's object, lets go of a store, which is the one in the array under
  /// `NSRemovedPersistentStoresKey`.
  public static let NSPersistentStoreCoordinatorWillRemoveStore =
    NSNotification.Name("NSPersistentStoreCoordinatorWillRemoveStoreNotification")
}

/// In the user info of `StoresWillChange` and `StoresDidChange`: the array of stores that were added; absent where
/// there are none.
public let NSAddedPersistentStoresKey = "added"
/// In the user info of `StoresWillChange`, `StoresDidChange` and `WillRemoveStore`: the array of stores that go or have
/// gone; absent where there are none.
public let NSRemovedPersistentStoresKey = "removed"
/// In the user info of a coordinator's notification: an array of a store that was migrated to another UUID, and the new one.
public let NSUUIDChangedPersistentStoresKey = "uuidChanged"

extension NSPersistentStoreCoordinator {
  final func post(_ name: Notification.Name, _ stores: [String: [NSPersistentStore]]) {
    NotificationCenter.default.post(name: name, object: self, userInfo: stores)
  }

  /// Tells that a store is about to go: observers of the coordinator, then those of the store.
  final func postWillRemove(_ store: NSPersistentStore) {
    let removed = [NSRemovedPersistentStoresKey: [store]]
    post(.NSPersistentStoreCoordinatorStoresWillChange, removed)
    NotificationCenter.default.post(
      name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store, userInfo: removed)
  }
}
