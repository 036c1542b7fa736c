import CoreData
import Foundation

extension NSManagedObjectContext {
  /// Saves, and returns the notification of the save.
  func savedNotification() throws -> Notification {
    nonisolated(unsafe) var saved: Notification?
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: self, queue: nil
    ) { saved = $0 }
    defer { NotificationCenter.default.removeObserver(token) }
    try performAndWait { try save() }
    guard let saved else { throw WorkloadError(description: "a save was not told of") }
    return saved
  }
}
