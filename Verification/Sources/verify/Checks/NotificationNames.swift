import CoreData

extension Check {
  static let notificationNames = Check(
    "D-CTX-13", "raw names of notifications",
    expected:
      "NSManagingContextWillSaveChangesNotification, NSManagingContextDidSaveChangesNotification, NSObjectsChangedInManagingContextNotification"
  ) {
    return [
      Notification.Name.NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave,
      .NSManagedObjectContextObjectsDidChange,
    ].map(\.rawValue).joined(separator: ", ")
  }
}
