import Foundation

extension NSPersistentStoreCoordinator {
  /// Opens a store, or creates it. Posts `NSPersistentStoreCoordinatorStoresDidChange` after it. A container does this
  /// for each of its descriptions; call it where there is no container, or for a further store.
  ///
  /// ```swift
  /// let coordinator = container.persistentStoreCoordinator
  /// let store = try coordinator.addPersistentStore(
  ///   ofType: NSSQLiteStoreType, configurationName: nil, at: folder.appendingPathComponent("Archive.sqlite"),
  ///   options: [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true])
  /// print(store.identifier != nil, coordinator.persistentStores.count)  // true 2
  /// ```
  ///
  /// **Only the options that you give apply**: unlike with a description, a store of another version of the model is
  /// not migrated unless the options ask for it. The method may be called on any thread. It returns when the store is
  /// open and, if necessary, migrated.
  /// - Parameters:
  ///   - storeType: `NSSQLiteStoreType`, or another type that a class is registered for.
  ///   - configuration: the model's configuration that the store is to hold; nil for all entities.
  ///   - storeURL: the file; `/dev/null` for a private store that is removed when it is closed. The folder must exist.
  ///   - options: see the option keys beside `NSPersistentStore`; a value of the wrong type is 134080 (D-STO-22).
  /// - Returns: the store, which is among ``persistentStores`` now.
  /// - Throws: 134000 for an unknown type, 134020 for a model that is too large (D-MOD-09), 134080 for a store that is already
  ///   added, else the errors of opening the file: 256, 259, 260, 513, 134090, 134100; and if the options ask for migration, its errors: 134110, 134111,
  ///   134130, 134140. A store that cannot be migrated is unchanged.
  ///
  /// See also ``addPersistentStore(with:completionHandler:)``, ``remove(_:)``.
  @discardableResult
  public final func addPersistentStore(
    ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    let storeClass = try Self.storeClass(forType: storeType)
    if let storeURL, storeClass.identity(at: storeURL) != nil, persistentStore(for: storeURL) != nil {
      throw NSError(
        coreData: NSPersistentStoreOpenError,
        "Can't add the same store twice: \(storeURL.placeOfStore)", [NSFilePathErrorKey: storeURL.placeOfStore])
    }
    try managedObjectModel.prepareWithinLimits()
    try DispatchStart.prepare()
    let store = try openMigrated(storeType, storeClass, configuration, storeURL, options)
    add(store)
    return store
  }

  /// Opens a store without adding it to this coordinator. A store of another version of the model is migrated first if
  /// the options ask for it.
  private final func openMigrated(
    _ type: String, _ storeClass: NSPersistentStore.Type, _ configuration: String?, _ url: URL?,
    _ options: [AnyHashable: Any]?
  ) throws -> NSPersistentStore {
    func migration(_ url: URL) -> AutomaticMigration {
      AutomaticMigration(
        coordinator: self, storeClass: storeClass, type: type, configuration: configuration, url: url, options: options)
    }
    let hasStages = options?[NSPersistentStoreStagedMigrationManagerOptionKey] != nil
    if hasStages, let url, (try? storeClass.isPresent(at: url, options: options)) == true {
      let migration = migration(url)
      if migration.isUnfinished { try migration.run() }
    }
    do {
      return try open(type, configuration, url, options)
    } catch let error as NSError where error.code == NSPersistentStoreIncompatibleVersionHashError {
      let migrationOptions = try MigrationOptions(options)
      guard migrationOptions.migrates, !migrationOptions.isReadOnly, let url, error.domain == NSCocoaErrorDomain else {
        throw error
      }
      try migration(url).run()
      return try open(type, configuration, url, options)
    }
  }

  /// Opens a store, or creates it, as `addPersistentStore(ofType:configurationName:at:options:)` does.
  @discardableResult
  public final func addPersistentStore(
    type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    try addPersistentStore(
      ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
  }
}
