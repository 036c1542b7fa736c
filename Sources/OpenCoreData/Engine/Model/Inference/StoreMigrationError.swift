import Foundation

/// The errors of migrations that do not concern a single property.
package enum StoreMigrationError {
  /// 134130: the model that a store was made with is not found.
  package static func missingSource(_ path: String, _ metadata: [String: Any]) -> NSError {
    NSError(
      coreData: NSMigrationMissingSourceModelError,
      "Persistent store migration failed, missing source managed object model. No model in the bundles, among those that "
        + "were loaded or in the store at \(path) itself has the entities that it was made with.",
      [NSFilePathErrorKey: path, "metadata": metadata, "reason": "Can't find model for source store"])
  }

  /// 134140: there is no mapping model, and none can be inferred.
  package static func missingMapping(
    _ migration: InferredMigration, reason: String, _ cause: NSError? = nil
  ) -> NSError {
    missingMapping(from: migration.source, to: migration.destination, reason: reason, cause)
  }

  package static func missingMapping(
    from source: NSManagedObjectModel, to destination: NSManagedObjectModel, reason: String, _ cause: NSError? = nil
  ) -> NSError {
    var info: [String: Any] = [
      "sourceModel": source, "destinationModel": destination,
      "reason": "Can't find or automatically infer mapping model for migration: \(reason)",
    ]
    info[NSUnderlyingErrorKey] = cause
    for key in ["entity", "property"] { info[key] = cause?.userInfo[key] }
    return NSError(
      coreData: NSMigrationMissingMappingModelError,
      "Persistent store migration failed, missing mapping model. \(reason)", info)
  }

  /// 134120: the migration was cancelled.
  package static func cancelled(_ path: String) -> NSError {
    NSError(
      coreData: NSMigrationCancelledError, "The migration of the store at \(path) was cancelled; it is as it was.",
      [NSFilePathErrorKey: path])
  }

  /// 134110: the result of a migration is not as expected. Apple's framework has no such error. Nothing is committed.
  package static func incomplete(_ path: String, _ reason: String) -> NSError {
    NSError(
      coreData: NSMigrationError,
      "An error occurred during persistent store migration. The store at \(path) is as it was: \(reason).",
      [NSFilePathErrorKey: path, "reason": reason])
  }
}
