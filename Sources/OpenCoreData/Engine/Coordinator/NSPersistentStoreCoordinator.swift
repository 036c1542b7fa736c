import Foundation
import OpenCocoaFoundation
import Synchronization

/// Stands between contexts and stores: knows the model, opens stores, and holds the rows that all contexts share. Safe
/// to use from every thread.
///
/// A container makes one. Use it directly for work on stores: adding and removing, metadata, copies, URIs of objects. Its
/// row cache (16 MB for each store, besides the rows that objects use) is why a second context reads without a statement
/// what the first has read; coordinators of one file do not share their caches, but notice each other's commits.
///
/// ```swift
/// let coordinator = NSPersistentStoreCoordinator(managedObjectModel: container.managedObjectModel)
/// try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
/// let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
/// context.persistentStoreCoordinator = coordinator
/// print(try context.count(for: NSFetchRequest<Entry>(entityName: "Entry")))  // 0
/// ```
///
/// See also ``NSPersistentContainer``, ``NSPersistentStore``.
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {  // the store list belongs to `stores`
  /// The model; it cannot be changed any more.
  public final let managedObjectModel: NSManagedObjectModel
  /// A name for people; set it before other threads know the coordinator.
  public final var name: String? {
    didSet { LiveObjects.note(name: name, of: self) }
  }
  final let turns = CoordinatorQueue()
  private final let stores = Mutex<[NSPersistentStore]>([])
  /// Whether one of the stores may wait for a server.
  final let mayWaitForServer = Atomic<Bool>(false)

  /// Makes a coordinator without stores. From here on the model cannot be changed; a model that contradicts itself stops
  /// the program. An entity with too many properties (D-MOD-09) is an error when a store is added.
  public required init(managedObjectModel model: NSManagedObjectModel) {
    managedObjectModel = model
    super.init()
    LiveObjects.note(self)
    // A model with an entity that is too large gets an error from the first store that is added.
    if (try? model.prepareWithinLimits()) != nil { ModelRegistry.use(model) } else { model.freeze() }
  }

  deinit { LiveObjects.forget(self) }

  /// Makes a coordinator of a model without entities, as a placeholder: its stores can have no objects.
  public convenience override init() { self.init(managedObjectModel: NSManagedObjectModel()) }

  /// The stores, in the order in which they were added, which is the order in which a new object's store is looked for.
  /// A copy of the list: stores that come later are not in it.
  ///
  /// ```swift
  /// let store = container.persistentStoreCoordinator.persistentStores.first
  /// print(store?.type ?? "none", store?.isReadOnly ?? true)  // SQLite false
  /// ```
  ///
  /// Empty until the container has loaded its stores, and where that failed.
  ///
  /// See also ``persistentStore(for:)``, ``NSManagedObjectContext/assign(_:to:)``.
  public final var persistentStores: [NSPersistentStore] { stores.withLock { $0 } }

  /// Changes the list of the stores.
  final func changeStores<Value>(_ body: (inout [NSPersistentStore]) -> Value) -> Value {
    stores.withLock { stores in
      defer { mayWaitForServer.store(stores.contains(where: \.waitsForServer), ordering: .relaxed) }
      return body(&stores)
    }
  }

  /// Makes a store that is not yet among this coordinator's.
  /// - Throws: 134000 for an unknown type, 134020 for a model with an entity that is too large, else errors of opening: 134100
  ///   for a store of another version of the model.
  final func open(
    _ type: String, _ configuration: String?, _ url: URL?, _ options: [AnyHashable: Any]?
  ) throws -> NSPersistentStore {
    try managedObjectModel.prepareWithinLimits()
    return try Self.storeClass(forType: type)
      .opened(type, at: url, configuration: configuration, options: options, for: self)
  }

  /// Adds an open store to this coordinator's stores. Posts `NSPersistentStoreCoordinatorStoresDidChange` afterwards.
  final func add(_ store: NSPersistentStore) {
    changeStores { $0.append(store) }
    store.didAdd(to: self)
    post(.NSPersistentStoreCoordinatorStoresDidChange, [NSAddedPersistentStoresKey: [store]])
  }

  /// Closes a store and its file: call it before the file is copied by other means, moved or deleted. Nothing is deleted
  /// here: ``destroyPersistentStore(at:ofType:options:)`` does that.
  ///
  /// Save or reset contexts before: changes of the store's objects cannot be saved any more, and **a fault of its objects
  /// that fires later stops the program** (D-STO-23).
  ///
  /// ```swift
  /// let coordinator = container.persistentStoreCoordinator
  /// context.reset()
  /// try coordinator.remove(coordinator.persistentStores[0])
  /// print(coordinator.persistentStores.count)  // 0
  /// ```
  ///
  /// Posts `NSPersistentStoreCoordinatorWillRemoveStore`, with the store as its object, before, and
  /// `NSPersistentStoreCoordinatorStoresDidChange` after it.
  /// - Throws: 134080 when the store is not one of this coordinator's.
  public final func remove(_ store: NSPersistentStore) throws {
    if persistentStores.contains(where: { $0 === store }) { postWillRemove(store) }
    let removed = changeStores { stores in
      stores.firstIndex { $0 === store }.map { stores.remove(at: $0) }
    }
    guard let removed else {
      throw NSError(coreData: NSPersistentStoreOpenError, "The store is not one of this coordinator's: \(store)")
    }
    removed.willRemove(from: self)
    removed.coordinator = nil
    removed.close()
    // Without cached rows, faults of the store's objects cannot fire any more.
    removed.rows.removeAll()
    post(.NSPersistentStoreCoordinatorStoresDidChange, [NSRemovedPersistentStoresKey: [store]])
  }

  /// The store at that URL, or nil. Files are compared by their identity, so that a link leads to its store.
  ///
  /// ```swift
  /// let coordinator = container.persistentStoreCoordinator
  /// let store = coordinator.persistentStore(for: folder.appendingPathComponent("Diary.sqlite"))
  /// print(store === coordinator.persistentStores[0])  // true
  /// ```
  ///
  /// See also ``url(for:)``.
  public final func persistentStore(for url: URL) -> NSPersistentStore? {
    persistentStores.first { store in
      guard let place = store.url else { return false }
      let storeClass = Swift.type(of: store)
      guard let identity = storeClass.identity(at: place) else { return place == url }
      return identity == storeClass.identity(at: url)
    }
  }

  /// The URL of a store; `/dev/null` for a store in memory.
  public final func url(for store: NSPersistentStore) -> URL { store.url ?? .privateStore }

  /// The ID that a URI stands for; nil when no store here has that UUID, the model has no such entity, or the URI is a
  /// temporary ID's. Reads nothing: ``NSManagedObjectContext/existingObject(with:)`` tells whether there is such a row.
  ///
  /// For links to objects that were kept outside: in preferences, messages and web addresses. The store must be open.
  ///
  /// ```swift
  /// let uri = try fetchEntry("Monday", in: context).objectID.uriRepresentation()
  /// let other = try openDiary(at: folder.appendingPathComponent("Diary.sqlite"))
  /// let id = other.persistentStoreCoordinator.managedObjectID(forURIRepresentation: uri)
  /// let none = other.persistentStoreCoordinator.managedObjectID(for: "x-coredata://nobody/Entry/p1")
  /// print(id != nil, none == nil)  // true true
  /// ```
  /// - Parameter url: what ``NSManagedObjectID/uriRepresentation()`` gave, also in another process.
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

  /// The metadata of an open store: its type and UUID, the model's version hashes, and what the application has added
  /// by ``setMetadata(_:for:)``.
  public final func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

  /// Removes every row from the row caches of the coordinator's stores, so that they are as in a new process: for
  /// measuring, and after memory ran short. Objects that are realised keep their values. Not in Apple's framework
  /// (D-EXT-02).
  public final func emptyRowCache() {
    for store in persistentStores { store.rows.removeAll() }
  }
}
