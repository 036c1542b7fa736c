import Foundation

extension NSNotification.Name {
  /// Posted when a store was committed to, by this process or by another one; the object is the coordinator.
  ///
  /// The store must have been added with `NSPersistentStoreRemoteChangeNotificationPostOptionKey`. The user info has
  /// `NSStoreUUIDKey`, `NSPersistentStoreURLKey` and, where history is tracked, `NSPersistentHistoryTokenKey`. It is posted
  /// on a queue of its own; commits that follow each other closely may share one.
  public static let NSPersistentStoreRemoteChange = NSNotification.Name("NSPersistentStoreRemoteChangeNotification")
}
