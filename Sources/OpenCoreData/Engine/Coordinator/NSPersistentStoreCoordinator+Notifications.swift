import Foundation

// The notifications of a coordinator. They are posted on the thread that adds or removes a store.

extension NSNotification.Name {
  /// Posted before a store of a coordinator, which is the notification's object, is migrated to another place: contexts can
  /// still be saved, or reset. The user info is that of `NSPersistentStoreCoordinatorStoresDidChange`, without
  /// `NSUUIDChangedPersistentStoresKey`. The change may yet fail. Adding and removing stores do not post it (D-STO-26).
  public static let NSPersistentStoreCoordinatorStoresWillChange =
    NSNotification.Name("NSPersistentStoreCoordinatorStoresWillChangeNotification")

  /// Posted after the stores of a coordinator, which is the notification's object, have changed. The user info has arrays
  /// of stores under `NSAddedPersistentStoresKey` and `NSRemovedPersistentStoresKey`, and after the migration of a store
  /// to another UUID the old and the new store under `NSUUIDChangedPersistentStoresKey`.
  public static let NSPersistentStoreCoordinatorStoresDidChange =
    NSNotification.Name("NSPersistentStoreCoordinatorStoresDidChangeNotification")

  /// Posted before a coordinator, which is the notification's object, removes a store, which is the only element of the
  /// array under `NSRemovedPersistentStoresKey`.
  public static let NSPersistentStoreCoordinatorWillRemoveStore =
    NSNotification.Name("NSPersistentStoreCoordinatorWillRemoveStoreNotification")
}

/// In the user info of `StoresWillChange` and `StoresDidChange`: the array of stores that were added; absent where
/// there are none.
public let NSAddedPersistentStoresKey = "added"
/// In the user info of `StoresWillChange`, `StoresDidChange` and `WillRemoveStore`: the array of stores that are being
/// removed or have been removed; absent where there are none.
public let NSRemovedPersistentStoresKey = "removed"
/// In the user info of a coordinator's notification: an array of a store that was migrated to another UUID, and the new
/// store.
public let NSUUIDChangedPersistentStoresKey = "uuidChanged"

extension NSPersistentStoreCoordinator {
  final func post(_ name: Notification.Name, _ stores: [String: [NSPersistentStore]]) {
    NotificationCenter.default.post(name: name, object: self, userInfo: stores)
  }

  /// Posts that a store is about to be removed, for observers of the store.
  final func postWillRemove(_ store: NSPersistentStore) {
    NotificationCenter.default.post(
      name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store,
      userInfo: [NSRemovedPersistentStoresKey: [store]])
  }
}
