import Foundation

/// Option: whether saves and batch requests write persistent history; NSNumber of a Boolean, or a dictionary of
/// options, which also means yes. No if it is not there.
///
/// Turn it on where another process writes the store, or where changes are sent elsewhere: history tells what was changed
/// since a token, and by which author. It costs a row for each changed object in the same transaction; delete the part
/// that no reader needs any more by ``NSPersistentHistoryChangeRequest/deleteHistory(before:)-(Date)``.
///
/// ```swift
/// let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Tracked.sqlite"))
/// description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
/// let coordinator = NSPersistentStoreCoordinator(managedObjectModel: container.managedObjectModel)
/// coordinator.addPersistentStore(with: description) { _, error in print(error == nil) }  // true
/// ```
///
/// Differs from Apple (D-HIS-01): a store that has a history and is opened without the option stays writable; its history
/// is left as it is, and changes that are saved meanwhile are missing from it. The options in a dictionary have no
/// effect.
///
/// See also ``NSPersistentHistoryChangeRequest``.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"

/// Option: whether commits to the store's file or its server, of this process and of others, are announced by
/// `NSNotification.Name.NSPersistentStoreRemoteChange`; NSNumber of a Boolean, no if it is not there.
///
/// Needed where several programs write one store. If history is tracked, too, contexts that merge automatically then
/// follow the saves of the other programs.
///
/// ```swift
/// let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Shared.sqlite"))
/// description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
/// description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
/// print(description.options.count)  // 4
/// ```
///
/// See also ``NSManagedObjectContext/automaticallyMergesChangesFromParent``.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
  "NSPersistentStoreRemoteChangeNotificationPostOptionKey"

/// In the user info of a remote change: the token of the latest transaction; absent where history is not tracked.
public let NSPersistentHistoryTokenKey = "historyToken"

/// In the user info of a remote change: the store's URL.
public let NSPersistentStoreURLKey = "storeURL"

/// The options of a store that concern history.
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
