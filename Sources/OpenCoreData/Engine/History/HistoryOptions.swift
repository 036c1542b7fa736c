import Foundation

/// Option: whether saves and batch requests write persistent history; NSNumber of a Boolean, or a dictionary of options,
/// which also means yes.
///
/// Differs from Apple (D-HIS-01): a store that has a history and is opened without the option stays writable; its
/// history is left as it is, and what is saved meanwhile is missing from it. The options in a dictionary have no
/// effect.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"

/// Option: whether commits to the store's file or its server, of this process and of others, are announced by
/// `NSNotification.Name.NSPersistentStoreRemoteChange`; NSNumber of a Boolean.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
  "NSPersistentStoreRemoteChangeNotificationPostOptionKey"

/// In the user info of a remote change: the token of the latest transaction; absent where history is not tracked.
public let NSPersistentHistoryTokenKey = "historyToken"

/// In the user info of a remote change: the store's URL.
public let NSPersistentStoreURLKey = "storeURL"

/// The options of a store, as far as they say something about history.
package struct HistoryOptions {
  package let isTracked: Bool
  package let announcesChanges: Bool

  /// - Throws: 134080 for a value of the wrong type.
  package init(_ options: [AnyHashable: Any]?) throws {
    isTracked =
      try options?[NSPersistentHistoryTrackingKey] is NSDictionary
      || StoreOptionValue.flag(NSPersistentHistoryTrackingKey, in: options)
    announcesChanges = try StoreOptionValue.flag(
      NSPersistentStoreRemoteChangeNotificationPostOptionKey, in: options)
  }
}
