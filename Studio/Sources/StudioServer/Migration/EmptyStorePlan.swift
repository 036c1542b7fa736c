import CoreData
import CoreDataTools
import Foundation

/// Plans a migration with an empty store of the older version. The steps depend only on the two versions, so a store of a
/// gigabyte need not be read.
struct EmptyStorePlan {
  /// Returns the steps of the migration, with their statements.
  /// - Parameters:
  ///   - source: The older version.
  ///   - configuration: The configuration of the model that the store uses; nil for all entities.
  ///   - name: The name of the store in texts.
  ///   - isCancelled: Called repeatedly; the planning ends if it returns true.
  /// - Throws: A `StudioError` with the reason why the migration is not possible.
  static func report(
    source: NSManagedObjectModel, configuration: String? = nil, name: String, wish: MigrationWish, folder: URL,
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) throws -> MigrateReport {
    let place = folder.appendingPathComponent("studio-plan-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: place) }
    let url = place.appendingPathComponent("Empty.sqlite")
    do {
      // A model that a coordinator has used cannot be changed any more, and `source` is shared; so a copy is used.
      let model = source.copy() as? NSManagedObjectModel ?? source
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: configuration, at: url, options: nil)
      try coordinator.remove(store)
      return try MigrationRehearsal(url, to: wish).plan(isCancelled: isCancelled)
    } catch let error as CancellationError {
      throw error
    } catch {
      throw StudioError(
        .badRequest, "There is no way", PlainWords.text(of: error, places: [url.path: name]))
    }
  }
}
