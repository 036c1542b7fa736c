import CoreData

extension Check {
  static let coordinatorNames = Check(
    "D-CTX-13", "raw names of the coordinator's notifications and keys",
    expected:
      "NSPersistentStoreCoordinatorStoresWillChangeNotification, NSPersistentStoreCoordinatorStoresDidChangeNotification, added, removed, uuidChanged"
  ) {
    return [
      Notification.Name.NSPersistentStoreCoordinatorStoresWillChange.rawValue,
      Notification.Name.NSPersistentStoreCoordinatorStoresDidChange.rawValue, NSAddedPersistentStoresKey,
      NSRemovedPersistentStoresKey, NSUUIDChangedPersistentStoresKey,
    ].joined(separator: ", ")
  }
}
