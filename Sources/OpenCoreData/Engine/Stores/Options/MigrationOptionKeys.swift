import Foundation

/// Option: whether a store of another version of the model is migrated when it is opened; NSNumber of a Boolean, false if
/// the option is missing. ``NSPersistentStoreDescription`` sets it.
///
/// The migration uses stages if there are any, else a mapping model for the two versions, else an inferred mapping, which
/// a SQLite store carries out in place, in one transaction. Without the option, or if the store may only be read, opening
/// a store of another version throws 134100.
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
/// Option: whether the mapping is inferred from both models if a store is to be migrated and no mapping model is found;
/// NSNumber of a Boolean, false if the option is missing. ``NSPersistentStoreDescription`` sets it.
///
/// The option has no effect unless `NSMigratePersistentStoresAutomaticallyOption` is on, too. If a change cannot be
/// inferred, the error is 134140 with 134190 as its underlying error, which names entity, property and reason.
///
/// ```swift
/// let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Diary.sqlite"))
/// print(description.options[NSInferMappingModelAutomaticallyOption] as? Bool ?? false)  // true
/// ```
///
/// See also ``NSMappingModel/inferredMappingModel(forSourceModel:destinationModel:)``.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// Option: whether a lightweight migration of a SQLite store leaves the removal of unused tables and columns for later;
/// NSNumber of a Boolean, false if the option is missing.
///
/// While there are such tables or columns, the store's metadata have this key with true.
/// `NSPersistentStoreCoordinator.finishDeferredLightweightMigration()` removes them; so does the next migration.
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
  "NSPersistentStoreDeferredLightweightMigrationOptionKey"

/// Option: the `NSStagedMigrationManager` whose stages migrate a store of another version when it is opened.
///
/// The stages take the place of mapping models and of a single inferred mapping;
/// `NSMigratePersistentStoresAutomaticallyOption` has to be on, too.
public let NSPersistentStoreStagedMigrationManagerOptionKey = "NSPersistentStoreStagedMigrationManagerOptionKey"
