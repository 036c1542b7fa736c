import Foundation
import OpenCocoaFoundation
import Synchronization

// Sendable: what can be set belongs to `lock`, and the rest never changes.
/// A place where objects are kept, as a coordinator sees it: a SQLite file, a store in memory or in one file, a schema
/// of a server, or a place that a class of your own defines.
///
/// You get one from ``NSPersistentStoreCoordinator/persistentStores``, and ask it for its URL and its
/// metadata; reading and writing go through contexts. To make stores of your own, subclass ``NSAtomicStore`` or
/// ``NSIncrementalStore``; a direct subclass cannot be added to a coordinator.
///
/// ```swift
/// let store = container.persistentStoreCoordinator.persistentStores[0]
/// print(store.type, store.url?.lastPathComponent ?? "", store.isReadOnly)  // SQLite Diary.sqlite false
/// ```
///
/// A store that was removed from its coordinator cannot be used any more; faults of its objects must not fire then
/// (D-STO-23).
open class NSPersistentStore: NSObject, WeaklyReferenced, @unchecked Sendable {
  /// A weak reference to the store, for objects that may outlive it.
  package final let reference = WeakReference()
  /// The model's configuration that the store holds; `PF_DEFAULT_CONFIGURATION_NAME` for a store of the whole model.
  public final let configurationName: String
  /// The options that the store was added with; keys that it does not know are among them, and have no effect.
  public final let options: [AnyHashable: Any]?
  /// The model of the coordinator.
  package final let model: NSManagedObjectModel
  /// The rows that contexts share.
  package final let rows: RowCache
  /// The entities of the configuration that the store holds; empty if that is all entities.
  package final var entityNames: Set<String>
  private final let clock = Atomic<UInt64>(1)
  private final let lock = NSLock()
  private final var storedURL: URL?
  private final var storedMetadata: [String: Any] = [:]
  private final var storedIdentifier = ""
  private final var storedHome: StoreReference?
  private final var storedReadOnly: Bool
  package final weak var coordinator: NSPersistentStoreCoordinator?

  /// Makes a store for a coordinator, which calls this for the class that is registered for a type; nothing is read yet.
  ///
  /// Differs from Apple (D-STO-03): `required`, since the class is known at run time only. A subclass that overrides it
  /// says `required init` in place of `override init`.
  public required init(
    persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) {
    FrameworkStart.ensure()
    configurationName = name ?? NSManagedObjectModel.defaultConfiguration
    self.options = options
    // A value that is no Boolean is refused when the store is opened.
    storedReadOnly = (try? StoreOptionValue.flag(NSReadOnlyPersistentStoreOption, in: options)) ?? true
    storedURL = url
    let model = root?.managedObjectModel ?? NSManagedObjectModel()
    model.prepare()
    self.model = model
    entityNames = Set(name.flatMap { model.entities(forConfigurationName: $0) }?.compactMap(\.name) ?? [])
    rows = RowCache(entityCount: model.entities.count)
    coordinator = root
    super.init()
    reference.begin(self)
  }

  deinit { reference.end() }

  /// Whether the store holds all entities of the model.
  package final var isDefaultConfiguration: Bool { configurationName == NSManagedObjectModel.defaultConfiguration }

  /// The coordinator that the store was added to; nil before it was opened and once it was removed.
  public final var persistentStoreCoordinator: NSPersistentStoreCoordinator? { coordinator }

  private final func locked<Value>(_ body: () -> Value) -> Value {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  /// Where the store is. Setting it here moves nothing: `NSPersistentStoreCoordinator.setURL(_:for:)` does.
  open var url: URL? {
    get { locked { storedURL } }
    set { locked { storedURL = newValue } }
  }

  /// Whether the store refuses to be written; a save to it throws 513 then.
  open var isReadOnly: Bool {
    get { locked { storedReadOnly } }
    set { locked { storedReadOnly = newValue } }
  }

  /// The kind of store, such as `NSSQLiteStoreType`; what the metadata say, unless a subclass says otherwise.
  open var type: String { metadata[NSStoreTypeKey] as? String ?? "" }

  /// The store's UUID, which is the host of its objects' URIs. Setting it changes the metadata, and with them every URI
  /// that was given out; IDs made before keep the old one (D-STO-30).
  open var identifier: String! {
    get { locked { storedIdentifier } }
    set {
      locked {
        storedIdentifier = newValue ?? ""
        storedMetadata[NSStoreUUIDKey] = storedIdentifier
      }
    }
  }

  /// The reference to this store that object IDs made from now on hold.
  package final var home: StoreReference {
    // A subclass may have a getter of its own.
    let identifier = identifier
    return locked {
      if let storedHome, storedHome.identifier == identifier { return storedHome }
      let home = StoreReference(self, identifier: identifier)
      storedHome = home
      return home
    }
  }

  /// The store's metadata: type, UUID, version hashes, and what the application has added. What is set is written by
  /// the next save of a context, also one without changes.
  open var metadata: [String: Any]! {
    get { locked { storedMetadata } }
    set {
      locked {
        storedMetadata = newValue ?? [:]
        // Metadata without a UUID leave the store's identifier as it is.
        if let identifier = storedMetadata[NSStoreUUIDKey] as? String { storedIdentifier = identifier }
        if !storedIdentifier.isEmpty { storedMetadata[NSStoreUUIDKey] = storedIdentifier }
      }
    }
  }

  /// Sets `metadata` to what the store contains. A class of your own overrides it; it is called once, before the store is
  /// used.
  /// - Throws: the error of reading the metadata.
  open func loadMetadata() throws {}

  /// The metadata of the store at a place, without opening it; a class that is not SQLite's overrides this.
  /// - Throws: 260 where there is no file, 259 if it is not a SQLite store.
  open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
    try sqliteClass.metadata(at: url, options: nil)
  }

  /// Replaces the metadata of the store at a place; a class that is not SQLite's overrides it.
  /// - Throws: 260 where there is no file, 259 if it is not a SQLite store, 513 if it cannot be written.
  open class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
    try sqliteClass.setMetadata(metadata ?? [:], at: url, options: nil)
  }

  /// The class of SQLite stores.
  private class var sqliteClass: NSPersistentStore.Type {
    get throws {
      let known = try NSPersistentStoreCoordinator.storeClass(forType: NSSQLiteStoreType)
      // A class of an application's own that has taken the type and answers nothing itself.
      if known == self {
        raise(.internalInconsistency, "\(self) must override what reads and writes metadata at a place.")
      }
      return known
    }
  }

  /// Called when the coordinator has taken the store among its own.
  open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}

  /// Called before the coordinator removes the store.
  open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}

  // MARK: Opening

  /// Makes a store of this class for a coordinator, ready for use.
  @_spi(Store) open class func opened(
    _ type: String, at url: URL?, configuration: String?, options: [AnyHashable: Any]?,
    for coordinator: NSPersistentStoreCoordinator
  ) throws -> NSPersistentStore {
    if coordinator.managedObjectModel.entities(forConfigurationName: configuration) == nil {
      throw NSError(
        coreData: NSPersistentStoreOpenError, "The model has no configuration named '\(configuration ?? "")'.")
    }
    let store = self.init(
      persistentStoreCoordinator: coordinator, configurationName: configuration, at: try url ?? placeWithoutURL(),
      options: options)
    try store.open(type)
    return store
  }

  /// Reads what the store says about itself, and what else it has to know before it can be used.
  @_spi(Store) open func open(_ type: String) throws { notAStore() }

  /// The URL for a store that was added without a URL.
  /// - Throws: 134080 if this kind of store needs a URL.
  @_spi(Store) open class func placeWithoutURL() throws -> URL {
    throw NSError(coreData: NSPersistentStoreOpenError, "A store of class \(self) needs a URL.")
  }

  // MARK: Stores at a place that are not open

  /// Whether a store of this class has a place of its own, a file or a part of a database, where it can be destroyed and
  /// replaced.
  @_spi(Store) open class var isFile: Bool { false }

  /// Whether a store of this class keeps nothing when it is closed, whatever its URL is.
  @_spi(Store) open class var isInMemoryOnly: Bool { false }

  /// An identity that is equal for two URLs exactly if they lead to the same store of this class; nil for a place at
  /// which each opening makes a new store.
  @_spi(Store) open class func identity(at url: URL) -> String? {
    if url.isPrivateStore { return nil }
    return url.isFileURL ? url.standardizedFileURL.path : url.absoluteString
  }

  /// Whether a store of this class, or anything else, is at a place already.
  @_spi(Store) open class func isPresent(at url: URL, options: [AnyHashable: Any]?) throws -> Bool {
    try url.isFileURL && StoreFiles(url).kind != .missing
  }

  /// Prepares the place of a new store, if opening the store fills it: creates its file with that mode, so that other
  /// users never can read more than the mode allows.
  @_spi(Store) open class func prepareFile(at url: URL, mode: mode_t) throws {}

  /// Destroys the store at a place.
  /// - Parameter letGo: removes stores that are open there from their coordinator; called once it is known that the place
  ///   has a store which can be destroyed.
  @_spi(Store) open class func destroyStore(at url: URL, options: [AnyHashable: Any]?, letGo: () throws -> Void) throws
  { notAFile() }

  /// Destroys the store at a place, and leaves no file of it.
  @_spi(Store) open class func removeStore(at url: URL, options: [AnyHashable: Any]?) throws {
    try destroyStore(at: url, options: options) {}
  }

  /// Puts a copy of a store in the place of another one.
  @_spi(Store) open class func replaceStore(
    at url: URL, options: [AnyHashable: Any]?, with source: URL, sourceOptions: [AnyHashable: Any]?
  ) throws { notAFile() }

  /// The metadata of the store at a place.
  @_spi(Store) open class func metadata(at url: URL, options: [AnyHashable: Any]?) throws -> [String: Any] {
    try metadataForPersistentStore(with: url)
  }

  /// Replaces what the store at a place says about itself.
  @_spi(Store) open class func setMetadata(_ metadata: [String: Any]?, at url: URL, options: [AnyHashable: Any]?) throws
  {
    try setMetadata(metadata, forPersistentStoreAt: url)
  }

  private class func notAFile() -> Never { raise(.internalInconsistency, "Stores of class \(self) are no files.") }

  // MARK: Migrating

  /// The model that the store at a place keeps of its own; nil where stores of this class keep none.
  @_spi(Store) open class func keptModel(at place: MigrationPlace) throws -> NSManagedObjectModel? { nil }

  /// Migrates the store at a place by an inferred migration.
  /// - Parameter defers: whether the removal of tables and columns that are not needed any more may be left for later.
  /// - Throws: 134140 if stores of this class need a mapping model.
  @_spi(Store) open class func migrate(
    _ place: MigrationPlace, by migration: InferredMigration, configuration: String?, defers: Bool
  ) throws {
    throw StoreMigrationError.missingMapping(
      migration, reason: "A store of type \(place.type) cannot be migrated without a mapping model.")
  }

  /// Holds the store at a place, so that its contents can be exchanged.
  @_spi(Store) open class func beginExchange(_ place: MigrationPlace) throws -> any StoreExchanging { notAFile() }

  /// Returns a place beside a store that an exchange has locked. A new store can be made there, whose contents the exchange
  /// then takes. Whatever earlier migrations have left there is removed. Nil if stores of this class are files, which have
  /// working folders.
  @_spi(Store) open class func workingURL(beside place: MigrationPlace) throws -> URL? { nil }

  /// Moves a closed store to a place where there was none.
  /// - Returns: false if there is something by now.
  @_spi(Store) open class func install(_ working: URL, at url: URL) throws -> Bool { notAFile() }

  /// Removes the next thing that a lightweight migration has left for later.
  /// - Returns: whether there was anything to remove.
  @_spi(Store) open func removeLeftover() throws -> Bool { false }

  /// Makes every save fail from now on in which an object would lose an owner to another one. Migrations use it: there it
  /// means that a mapping has lost something.
  @_spi(Store) open func keepSeveralOwnersApart() {}

  /// Tells an open store that the contents of a place were replaced, which may be the store's own place.
  @_spi(Store) open func noteReplacement(at url: URL) throws {}

  /// Copies the store as it is to an empty place, if its own way of copying makes a store of that class.
  /// - Returns: false, with nothing at the place, if objects have to be copied one by one.
  @_spi(Store) open func copyFile(to url: URL, of storeClass: NSPersistentStore.Type) throws -> Bool { false }

  /// Lets new objects have the keys of another store. Keys that the store itself assigns are greater.
  /// - Parameter last: the greatest such key by the name of the root entity.
  /// - Returns: false if every object gets a key of the store's own.
  @_spi(Store) open func allowKeys(upTo last: [String: Int64]) throws -> Bool { false }

  /// Takes all objects of another store of the same model, if there is a faster way than to save them; this one is empty.
  /// - Returns: false, and it is still empty, where they have to be saved.
  @_spi(Store) open func takeObjects(of source: NSPersistentStore, progress: Progress?) throws -> Bool { false }

  /// Takes rights to the store's file away from other users, as far as files of that mode do not give them these rights.
  @_spi(Store) open func limitMode(to mode: mode_t) {}

  /// Goes on at another place: by default the next save writes there. False, and nothing has changed, if that cannot be.
  @_spi(Store) open func move(to url: URL) -> Bool {
    self.url = url
    return true
  }

  // MARK: Commits

  /// The number of the latest commit that is known here. It counts the commits of other processes too, and dates every row.
  @inline(__always)
  package final var latestCommit: UInt64 { clock.load(ordering: .acquiring) }

  /// Counts a commit; the number goes to everything that it wrote.
  package final func nextCommit() -> UInt64 { clock.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue }

  /// Dates everything anew: rows read before now are not kept any more.
  package final func forgetEverything() {
    let commit = nextCommit()
    for number in 0...model.entities.count { rows.invalidate(rootNumber: number, before: commit, all: true) }
    rows.invalidateRelations(before: commit)
  }

  // MARK: What contexts ask of a store; each kind answers in its own way

  /// The features that the store has.
  @_spi(Store) open var abilities: Set<OCDStoreAbility> { [] }

  package final func can(_ ability: OCDStoreAbility) -> Bool { abilities.contains(ability) }

  /// Whether the store holds objects of the entity.
  @_spi(Store) open func holds(_ entity: NSEntityDescription) -> Bool {
    isDefaultConfiguration || entity.name.map(entityNames.contains) ?? false
  }

  /// Whether the store is told which objects contexts have.
  @_spi(Store) open var countsRegistrations: Bool { false }

  /// A context has objects of this store now.
  @_spi(Store) open func didRegister(_ objectIDs: [NSManagedObjectID]) {}

  /// Called when a context has released objects of this store.
  @_spi(Store) open func didUnregister(_ objectIDs: [NSManagedObjectID]) {}

  /// Whether a fault that fires reads the rows of its fault batch too.
  @_spi(Store) open var readsInCompany: Bool { true }

  /// Whether a fetch may leave rows out by their keys.
  @_spi(Store) open var choosesRows: Bool { true }

  /// The layout of the entity that rows with that number belong to.
  @_spi(Store) open func layout(number: Int) -> EntityLayout? {
    let entities = model.entitiesInStoreOrder
    return number > 0 && number <= entities.count ? entities[number - 1].layout : nil
  }

  /// The number of an entity in the store's rows.
  @_spi(Store) open func number(of entity: NSEntityDescription) -> Int { entity.storeNumber }

  /// Full rows; those that the cache has in the same version are not made again.
  @_spi(Store) open func fetchRows(_ target: FetchTarget, transaction: ReadTransaction) throws -> FetchedRows {
    notAStore()
  }

  /// Keys only.
  @_spi(Store) open func fetchKeys(_ target: FetchTarget, transaction: ReadTransaction) throws -> FetchedRows {
    notAStore()
  }

  /// The number of rows that match, with offset and limit applied.
  @_spi(Store) open func count(_ target: FetchTarget, transaction: ReadTransaction) throws -> Int { notAStore() }

  /// The dictionaries that a fetch of dictionaries returns, in its order.
  @_spi(Store) open func fetchDictionaries(
    _ target: FetchTarget, _ query: DictionaryQuery, transaction: ReadTransaction
  ) throws
    -> [[String:
    Any]]
  {
    notAStore()
  }

  /// The number of dictionaries that such a fetch returns.
  @_spi(Store) open func countDictionaries(
    _ target: FetchTarget, _ query: DictionaryQuery, transaction: ReadTransaction
  ) throws -> Int {
    try fetchDictionaries(target, query, transaction: transaction).count
  }

  /// The rows of `keys`, in no particular order, and whether the row cache took them; missing ones are left out.
  @_spi(Store) open func readRows(
    _ keys: ContiguousArray<Int64>, layout: EntityLayout, transaction: ReadTransaction
  ) throws -> (rows: ContiguousArray<Snapshot>, areCached: Bool) { notAStore() }

  /// The keys of the members of one owner's to-many relationship.
  @_spi(Store) open func readMembers(
    of owner: Int64, _ slot: PropertySlot, layout: EntityLayout, transaction: ReadTransaction
  ) throws
    -> KeyArray
  {
    notAStore()
  }

  /// The keys of the members of many owners at once; owners without members get an empty array.
  @_spi(Store) open func readMembers(
    of owners: ContiguousArray<Int64>, _ slot: PropertySlot, layout: EntityLayout, transaction: ReadTransaction
  ) throws -> [Int64: KeyArray] { notAStore() }

  /// Returns the same as the method above, in the order of the owners, by one statement that also reads the members' rows
  /// into the row cache. Nil if the store has no such statement, or if many of these rows are in the row cache already.
  /// - Parameters:
  ///   - isEveryOwner: whether the owners are all objects of their entity, as far as the request shows.
  ///   - readsRowsAgain: whether to read the rows even if many of them are in the row cache.
  @_spi(Store) open func readMembersWithRows(
    of owners: ContiguousArray<Int64>, _ slot: PropertySlot, layout: EntityLayout, isEveryOwner: Bool,
    readsRowsAgain: Bool, transaction: ReadTransaction
  ) throws -> ContiguousArray<KeyArray>? { nil }

  /// Writes the work. After a failure the store is unchanged.
  /// - Throws: `SaveConflict` if others have changed rows that the save writes, or rows that it needs unchanged.
  @_spi(Store) open func save(_ work: SaveWork, in context: NSManagedObjectContext) throws -> SaveResult { notAStore() }

  /// Begins a read transaction at the latest commit that stays open as long as a query generation needs it.
  /// - Throws: 134070 when the store has as many generations as it may.
  @_spi(Store) open func makeGenerationReader() throws -> (any GenerationReader)? { nil }

  /// The read transaction of a context on this store. The context keeps it for as long as it uses the store.
  @_spi(Store) open func makeReadTransaction(for context: NSManagedObjectContext) -> ReadTransaction {
    ReadTransaction(context: context)
  }

  /// The rows of objects of one entity that others have changed or deleted since the objects were read.
  @_spi(Store) open func outdatedRows(
    of objects: ContiguousArray<NSManagedObject>, layout: EntityLayout, transaction: ReadTransaction
  ) throws -> OutdatedRows { notAStore() }

  /// The rows that have some of `values`, which must be unique.
  @_spi(Store) open func findRows(
    of constraint: UniquenessConstraint, having values: ContiguousArray<[StoredValue]>, transaction: ReadTransaction
  ) throws -> [FoundRow] { [] }

  /// Runs `body` while no context can write to the store.
  @_spi(Store) open func withoutWriters<Result>(_ body: () throws -> Result) throws -> Result { try body() }

  /// Writes metadata that have been set since the last save; a save that has nothing to write to this store calls it.
  @_spi(Store) open func saveMetadata() throws {}

  /// Reserves keys for new objects ahead of their save.
  @_spi(Store) open func reserveKeys(_ objects: ContiguousArray<NSManagedObject>) throws -> ContiguousArray<Int64> {
    notAStore()
  }

  /// The text that represents a key in an object ID's URI.
  @_spi(Store) open func referenceText(_ key: Int64, _ entity: NSEntityDescription) -> String { String(key) }

  /// The key that such a text stands for; nil if it cannot stand for one.
  @_spi(Store) open func key(referenceText text: String, _ entity: NSEntityDescription) -> Int64? {
    Int64(text).flatMap { $0 > 0 ? $0 : nil }
  }

  /// A stamp that differs between two states of the store's contents; nil where the store has none.
  @_spi(Store) open func stateStamp() -> String? {
    url.flatMap { $0.isFileURL && !$0.isPrivateStore ? FileStateStamp.text($0.path) : nil }
  }

  /// Gives back what the store holds on to; it is not used any more.
  @_spi(Store) open func close() {}

  private final func notAStore() -> Never {
    raise(.internalInconsistency, "\(Swift.type(of: self)) is neither an NSAtomicStore nor an NSIncrementalStore.")
  }
}

extension NSPersistentStore {
  /// The present rows of those objects that were read in another version than the store has.
  /// - Parameter versions: the versions of the existing rows, by key.
  package final func outdatedRows(
    of objects: ContiguousArray<NSManagedObject>, versions: [Int64: Int64], layout: EntityLayout,
    transaction: ReadTransaction
  ) throws -> OutdatedRows {
    var outdated = OutdatedRows()
    let changed = objects.filter { versions[$0.key] == nil || versions[$0.key] != $0.snapshot?.version }
    if changed.isEmpty { return outdated }
    for row in try readRows(ContiguousArray(changed.map(\.key)), layout: layout, transaction: transaction).rows {
      outdated.rows[row.primaryKey] = row
    }
    for object in changed where outdated.rows[object.key].map({ !$0.fits(object) }) ?? true {
      outdated.rows[object.key] = nil
      outdated.gone.insert(object.key)
    }
    return outdated
  }

  /// The layout of a row's own entity, where that inherits from the same root; else of the entity that was asked for.
  ///
  /// A damaged file may name any entity; an identity map and its rows belong to one root.
  @inline(__always)
  package final func layout(number: Int, asked: EntityLayout) -> EntityLayout {
    guard let own = layout(number: number), own.rootNumber == asked.rootNumber else { return asked }
    return own
  }

  package final func number(of object: NSManagedObject) -> Int { number(of: object.layout.entity) }
}
