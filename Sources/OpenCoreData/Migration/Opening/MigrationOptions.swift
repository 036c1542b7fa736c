import Foundation

/// The options of a store that concern migration.
struct MigrationOptions {
  let migrates: Bool
  let infers: Bool
  let defers: Bool
  let isReadOnly: Bool
  let stages: NSStagedMigrationManager?

  /// - Throws: 134080 for a value of the wrong type.
  init(_ options: [AnyHashable: Any]?) throws {
    migrates = try StoreOptionValue.flag(NSMigratePersistentStoresAutomaticallyOption, in: options)
    infers = try StoreOptionValue.flag(NSInferMappingModelAutomaticallyOption, in: options)
    defers = try StoreOptionValue.flag(NSPersistentStoreDeferredLightweightMigrationOptionKey, in: options)
    isReadOnly = try StoreOptionValue.flag(NSReadOnlyPersistentStoreOption, in: options)
    let key = NSPersistentStoreStagedMigrationManagerOptionKey
    stages = options?[key] as? NSStagedMigrationManager
    if stages == nil, let other = options?[key] {
      throw NSError(
        coreData: NSPersistentStoreOpenError,
        "The option \(key) must be an NSStagedMigrationManager; it is \(type(of: other)).")
    }
  }
}
