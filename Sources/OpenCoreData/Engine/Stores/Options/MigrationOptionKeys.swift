import Foundation

/// Option: whether a store of another version of the model is migrated when it is opened; NSNumber of a Boolean, no if
/// it is not there. ``NSPersistentStoreDescription`` sets it.
///
/// Stages come first, if there are any, then a mapping model for these two versions, then what can be inferred, which
/// for SQLite is done in place, in one transaction. Without the option, or where the store may only be read, opening
/// such a store throws 134100.
///
/// ```swift
/// let coordinator = NSPersistentStoreCoordinator(managedObjectModel: container.managedObjectModel)
/// let url = folder.appendingPathComponent("Diary.sqlite")
/// try coordinator.addPersistentStore(
///   ofType: NSSQLiteStoreType, configurationName: nil, at: url,
///   options: [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true])
/// print(coordinator.persistentStores.count)  // 1
/// ```
///
/// See also ``NSPersistentStoreDescription/shouldMigrateStoreAutomatically``.
public let NSMigratePersistentStoresAutomaticallyOption = "NSMigratePersistentStoresAutomaticallyOption"
/// Option: whether the mapping is inferred from both models where a store is to be migrated and no mapping model is
/// found; NSNumber of a Boolean, no if it is not there. ``NSPersistentStoreDescription`` sets it.
///
/// Alone it does nothing: `NSMigratePersistentStoresAutomaticallyOption` has to be on, too. A change that cannot be
/// inferred is 134140 with 134190 under it, naming entity, property and reason.
///
/// ```swift
/// let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Diary.sqlite"))
/// print(description.options[NSInferMappingModelAutomaticallyOption] as? Bool ?? false)  // true
/// ```
///
/// See also ``NSMappingModel/inferredMappingModel(forSourceModel:destinationModel:)``.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// Option: whether a lightweight migration of a SQLite store leaves tables and columns that are not used any more for
/// later; NSNumber of a Boolean, no if it is not there.
///
/// While something is left, the store's metadata have this key with true, and
/// `NSPersistentStoreCoordinator.finishDeferredLightweightMigration()` removes it. The next migration does that, too.
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
  "NSPersistentStoreDeferredLightweightMigrationOptionKey"

/// Option: the `NSStagedMigrationManager` by whose stages a store of another version is migrated when it is opened.
///
/// It takes the place of mapping models and of a single inferred step; `NSMigratePersistentStoresAutomaticallyOption` has
/// to be on, too.
public let NSPersistentStoreStagedMigrationManagerOptionKey = "NSPersistentStoreStagedMigrationManagerOptionKey"
