import Foundation
import OpenCocoaFoundation
import Synchronization

/// Stands between contexts and stores: knows the model, opens stores, and holds the rows that all contexts share.
///
/// Safe to use from every thread.
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {  // the store list belongs to `stores`
  /// The model; it cannot be changed any more.
  public final let managedObjectModel: NSManagedObjectModel
  /// A name for people; set it before other threads know the coordinator.
  public final var name: String?
  final let turns = CoordinatorQueue()
  final let stores = Mutex<[NSPersistentStore]>([])

  /// Makes a coordinator without stores.
  public required init(managedObjectModel model: NSManagedObjectModel) {
    managedObjectModel = model
    super.init()
    model.prepare()
    ModelRegistry.use(model)
  }

  /// The stores, in the order in which they were added.
  public final var persistentStores: [NSPersistentStore] { stores.withLock { $0 } }

  /// Opens a store, or creates it. Posts `NSPersistentStoreCoordinatorStoresDidChange` after it.
  /// - Parameters:
  ///   - storeType: `NSSQLiteStoreType`, or another type that a class is registered for.
  ///   - configuration: the model's configuration that the store is to hold; nil for all entities.
  ///   - storeURL: the file; `/dev/null` for a private store that is gone when it is closed.
  ///   - options: see the option keys beside `NSPersistentStore`.
  /// - Throws: 134000 for an unknown type, 134080 for a store that is already added, else what opening the file throws:
  ///   256, 259, 260, 513, 134090, 134100; and where the options ask for migration what that throws: 134110, 134111,
  ///   134130, 134140. A store that cannot be migrated is as it was.
  @discardableResult
  public final func addPersistentStore(
    ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    if let storeURL, storeURL.path != "/dev/null",
      persistentStores.contains(where: { $0.url?.standardizedFileURL == storeURL.standardizedFileURL })
    {
      throw NSError(
        coreData: NSPersistentStoreOpenError,
        "Can't add the same store twice: \(storeURL.path)", [NSFilePathErrorKey: storeURL.path])
    }
    try DispatchStart.prepare()
    let store = try open(storeType, configuration, storeURL, options)
    let added = [NSAddedPersistentStoresKey: [store]]
    stores.withLock { $0.append(store) }
    store.didAdd(to: self)
    post(.NSPersistentStoreCoordinatorStoresDidChange, added)
    return store
  }

  /// Makes the store, which is not yet among this coordinator's; one of another version of the model is migrated first if
  /// the options ask for that.
  final func open(
    _ type: String, _ configuration: String?, _ url: URL?, _ options: [AnyHashable: Any]?
  ) throws -> NSPersistentStore {
    let storeClass = try Self.storeClass(forType: type)
    let hasStages = options?[NSPersistentStoreStagedMigrationManagerOptionKey] != nil
    if hasStages, let url, FileManager.default.fileExists(atPath: url.path) {
      let migration = AutomaticMigration(
        coordinator: self, storeClass: storeClass, type: type, configuration: configuration, url: url, options: options)
      if migration.isUnfinished { try migration.run() }
    }
    do {
      return try storeClass.opened(type, at: url, configuration: configuration, options: options, for: self)
    } catch let error as NSError where error.code == NSPersistentStoreIncompatibleVersionHashError {
      let migrationOptions = try MigrationOptions(options)
      guard migrationOptions.migrates, !migrationOptions.isReadOnly, let url, error.domain == NSCocoaErrorDomain else {
        throw error
      }
      try AutomaticMigration(
        coordinator: self, storeClass: storeClass, type: type, configuration: configuration, url: url, options: options
      ).run()
      return try storeClass.opened(type, at: url, configuration: configuration, options: options, for: self)
    }
  }

  /// Opens the store that a description describes, and tells how it went.
  ///
  /// The handler is called before this returns, or later on another thread where the description asks for that.
  public final func addPersistentStore(
    with description: NSPersistentStoreDescription,
    completionHandler: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    nonisolated(unsafe) let handler = completionHandler  // called once, by whichever thread opens the store
    let open: @Sendable () -> Void = {
      do {
        try self.addPersistentStore(
          ofType: description.type, configurationName: description.configuration, at: description.url,
          options: description.options)
        handler(description, nil)
      } catch {
        handler(description, error)
      }
    }
    guard description.shouldAddStoreAsynchronously else { return open() }
    do {
      try DispatchStart.prepare()
    } catch {
      return handler(description, error)
    }
    DispatchQueue.global().async(execute: open)
  }

  /// Closes a store; its objects in contexts can read nothing more. Posts `NSPersistentStoreCoordinatorStoresWillChange`
  /// and, with the store as its object, `NSPersistentStoreCoordinatorWillRemoveStore` before,
  /// `NSPersistentStoreCoordinatorStoresDidChange` after it.
  /// - Throws: an error when the store is not one of this coordinator's.
  public final func remove(_ store: NSPersistentStore) throws {
    if persistentStores.contains(where: { $0 === store }) { postWillRemove(store) }
    let removed = stores.withLock { stores in
      stores.firstIndex { $0 === store }.map { stores.remove(at: $0) }
    }
    guard let removed else {
      throw NSError(coreData: NSPersistentStoreOpenError, "The store is not one of this coordinator's: \(store)")
    }
    removed.willRemove(from: self)
    removed.coordinator = nil
    removed.close()
    // Faults of its objects must not come to life again.
    removed.rows.removeAll()
    post(.NSPersistentStoreCoordinatorStoresDidChange, [NSRemovedPersistentStoresKey: [store]])
  }

  /// The store at that URL, or nil.
  public final func persistentStore(for url: URL) -> NSPersistentStore? {
    persistentStores.first { $0.url?.standardizedFileURL == url.standardizedFileURL }
  }

  /// Where a store is.
  public final func url(for store: NSPersistentStore) -> URL { store.url ?? URL(fileURLWithPath: "/dev/null") }

  /// The ID that a URI stands for; nil when no store here has that UUID, or the model no such entity.
  public final func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
    let parts = url.path(percentEncoded: true).split(separator: "/")
    guard url.scheme == "x-coredata", parts.count == 2, parts[1].hasPrefix("p"),
      let store = persistentStores.first(where: { $0.identifier.caseInsensitiveCompare(url.host ?? "") == .orderedSame }
      ),
      let entity = managedObjectModel.entitiesByName[String(parts[0])],
      let key = store.key(referenceText: String(parts[1].dropFirst()), entity)
    else { return nil }
    return NSManagedObjectID(entity: entity, store: store, key: key)
  }

  /// What a store says about itself.
  public final func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

  /// Forgets every row that the coordinator's stores have cached, as a new process would begin.
  ///
  /// Not in Apple's framework; objects that are realised keep their values.
  public final func emptyRowCache() {
    for store in persistentStores { store.rows.removeAll() }
  }
}
