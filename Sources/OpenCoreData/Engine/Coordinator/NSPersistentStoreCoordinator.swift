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

  /// Makes a store that is not yet among this coordinator's.
  /// - Throws: 134000 for an unknown type, else what opening throws: 134100 for a store of another version of the model.
  final func open(
    _ type: String, _ configuration: String?, _ url: URL?, _ options: [AnyHashable: Any]?
  ) throws -> NSPersistentStore {
    try Self.storeClass(forType: type)
      .opened(type, at: url, configuration: configuration, options: options, for: self)
  }

  /// Takes an open store among this coordinator's. Posts `NSPersistentStoreCoordinatorStoresDidChange` after it.
  final func add(_ store: NSPersistentStore) {
    stores.withLock { $0.append(store) }
    store.didAdd(to: self)
    post(.NSPersistentStoreCoordinatorStoresDidChange, [NSAddedPersistentStoresKey: [store]])
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
    persistentStores.first { store in
      guard let place = store.url else { return false }
      let storeClass = Swift.type(of: store)
      guard let identity = storeClass.identity(at: place) else { return place == url }
      return identity == storeClass.identity(at: url)
    }
  }

  /// Where a store is.
  public final func url(for store: NSPersistentStore) -> URL { store.url ?? .privateStore }

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

  /// The metadata of a store.
  public final func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

  /// Forgets every row that the coordinator's stores have cached, as a new process would begin.
  ///
  /// Not in Apple's framework; objects that are realised keep their values.
  public final func emptyRowCache() {
    for store in persistentStores { store.rows.removeAll() }
  }
}
