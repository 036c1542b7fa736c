import Foundation
import OpenCocoaFoundation

// Options for Core Data over iCloud, which Apple has removed. Code that still uses them compiles; a store ignores
// them, as stores on Apple's present systems do.

/// Option of stores in iCloud, which Apple has removed; ignored.
@available(*, deprecated, message: "Core Data in iCloud has been removed")
public let NSPersistentStoreUbiquitousContentNameKey = "NSPersistentStoreUbiquitousContentNameKey"
/// Option of stores in iCloud, which Apple has removed; ignored.
@available(*, deprecated, message: "Core Data in iCloud has been removed")
public let NSPersistentStoreUbiquitousContentURLKey = "NSPersistentStoreUbiquitousContentURLKey"
/// Option of stores in iCloud, which Apple has removed; ignored.
@available(*, deprecated, message: "Core Data in iCloud has been removed")
public let NSPersistentStoreUbiquitousPeerTokenOption = "NSPersistentStoreUbiquitousPeerTokenOption"
/// Option of stores in iCloud, which Apple has removed; ignored.
@available(*, deprecated, message: "Core Data in iCloud has been removed")
public let NSPersistentStoreUbiquitousContainerIdentifierKey = "NSPersistentStoreUbiquitousContainerIdentifierKey"
/// Option of stores in iCloud, which Apple has removed; ignored.
@available(*, deprecated, message: "Core Data in iCloud has been removed")
public let NSPersistentStoreRemoveUbiquitousMetadataOption = "NSPersistentStoreRemoveUbiquitousMetadataOption"
/// Option of stores in iCloud, which Apple has removed; ignored.
@available(*, deprecated, message: "Core Data in iCloud has been removed")
public let NSPersistentStoreRebuildFromUbiquitousContentOption = "NSPersistentStoreRebuildFromUbiquitousContentOption"
/// The key for the transition type in notifications about stores in iCloud, which Apple has removed. Never posted here.
@available(*, deprecated, message: "Core Data in iCloud has been removed")
public let NSPersistentStoreUbiquitousTransitionTypeKey = "NSPersistentStoreUbiquitousTransitionTypeKey"

/// Why the stores of a coordinator changed in iCloud. No notification here contains it.
@available(*, deprecated, message: "Core Data in iCloud has been removed")
public enum NSPersistentStoreUbiquitousTransitionType: UInt, Sendable {
  /// An account of iCloud was added; never reported here (D-MIS-11).
  case accountAdded = 1
  /// An account of iCloud was removed; never reported here (D-MIS-11).
  case accountRemoved
  /// The contents in iCloud were removed; never reported here (D-MIS-11).
  case contentRemoved
  /// The contents of iCloud were imported; never reported here (D-MIS-11).
  case initialImportCompleted
}

extension Notification.Name {
  /// Posted on Apple's former systems when changes from iCloud were in a store; never posted here.
  @available(*, deprecated, message: "Core Data in iCloud has been removed")
  public static let NSPersistentStoreDidImportUbiquitousContentChanges = Notification.Name(
    "NSPersistentStoreDidImportUbiquitousContentChangesNotification")
}

extension NSPersistentStoreCoordinator {
  /// Destroys a SQLite store, as `destroyPersistentStore(at:ofType:options:)` does; no copy in iCloud can exist.
  /// - Throws: the errors of `destroyPersistentStore(at:ofType:options:)`.
  @available(*, deprecated, message: "Core Data in iCloud has been removed")
  public class func removeUbiquitousContentAndPersistentStore(
    at storeURL: URL, options: [AnyHashable: Any]? = nil
  ) throws {
    try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
      .destroyPersistentStore(at: storeURL, ofType: NSSQLiteStoreType, options: options)
  }
}
