import CoreData
import CoreDataTools
import Foundation

/// Plans a migration with an empty store of the older version: what would be done follows from the two versions, and a store of
/// a gigabyte need not be read for it.
struct EmptyStorePlan {
  /// What steps there are, with their statements.
  /// - Parameters:
  ///   - source: the older version.
  ///   - configuration: what of it the store holds; nil for all entities.
  ///   - name: what the store is called in texts.
  ///   - isCancelled: asked now and then.
  /// - Throws: a `StudioError` that says what stands in the way.
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
      // A model that a coordinator has used cannot be changed any more; others use this one.
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
