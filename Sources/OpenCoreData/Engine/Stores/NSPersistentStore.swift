import Foundation
import OpenCocoaFoundation
import Synchronization

// Sendable: `lock` guards the properties that callers can set; the others do not change while the store is in use.
/// A place where objects are kept, as a coordinator sees it: a SQLite file, a store in memory or in one file, a schema
/// of a server, or a store of a class of your own.
///
/// You get a store from ``NSPersistentStoreCoordinator/persistentStores``. A store says where it is and gives its
/// metadata; objects are read and written through contexts. To make a kind of store of your own, subclass
/// ``NSAtomicStore`` or ``NSIncrementalStore``; a direct subclass of `NSPersistentStore` cannot be added to a coordinator.
///
/// ```swift
/// let store = container.persistentStoreCoordinator.persistentStores[0]
/// print(store.type, store.url?.lastPathComponent ?? "", store.isReadOnly)  // SQLite Diary.sqlite false
/// ```
///
/// A store that was removed cannot be used any more; the faults of its objects must not fire then (D-STO-23).
open class NSPersistentStore: NSObject, WeaklyReferenced, @unchecked Sendable {
  /// The weak reference by which other objects refer to the store without keeping it alive.
  package final let reference = WeakReference()
  /// The model's configuration that the store holds; `PF_DEFAULT_CONFIGURATION_NAME` for a store of the whole model.
  public final let configurationName: String
  /// The options that the store was added with. They include keys that the store does not know, which have no effect.
  public final let options: [AnyHashable: Any]?
  /// The model of the coordinator.
  package final let model: NSManagedObjectModel
  /// The row cache: the rows that contexts share.
  package final let rows: RowCache
  /// The names of the entities in the store's configuration; empty if the store holds all entities of the model.
  package final var entityNames: Set<String>
  private final let clock = Atomic<UInt64>(1)
  private final let lock = NSLock()
  private final var storedURL: URL?
  private final var storedMetadata: [String: Any] = [:]
  private final var storedIdentifier = ""
  private final var storedHome: StoreReference?
  private final var storedReadOnly: Bool
  package final weak var coordinator: NSPersistentStoreCoordinator?

  /// Makes a store for a coordinator, which calls this on the class that is registered for a type. Reads nothing yet.
  ///
  /// Differs from Apple (D-STO-03): the initialiser is `required`, because the class is known at run time only. A subclass
  /// that overrides it says `required init` in place of `override init`.
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

  /// The coordinator that the store was made for; nil after the store was removed from it.
  public final var persistentStoreCoordinator: NSPersistentStoreCoordinator? { coordinator }

  private final func locked<Value>(_ body: () -> Value) -> Value {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  /// Where the store is. Setting this property does not move the store; use `NSPersistentStoreCoordinator.setURL(_:for:)`.
  open var url: URL? {
    get { locked { storedURL } }
    set { locked { storedURL = newValue } }
  }

  /// Whether the store refuses to be written. A save to a read-only store throws 513.
  open var isReadOnly: Bool {
    get { locked { storedReadOnly } }
    set { locked { storedReadOnly = newValue } }
  }

  /// The kind of store, such as `NSSQLiteStoreType`, from the metadata unless a subclass overrides this.
  open var type: String { metadata[NSStoreTypeKey] as? String ?? "" }

  /// The store's UUID, which is the host of its objects' URIs. Setting it also changes the metadata, and the URIs of object
  /// IDs that are made from now on; object IDs that were made before keep the old UUID (D-STO-30).
  open var identifier: String! {
    get { locked { storedIdentifier } }
    set {
      locked {
        storedIdentifier = newValue ?? ""
        storedMetadata[NSStoreUUIDKey] = storedIdentifier
      }
    }
  }

  /// The reference to this store that new object IDs hold.
  package final var home: StoreReference {
    // Read before `lock` is acquired, because a subclass may override the getter.
    let identifier = identifier
    return locked {
      if let storedHome, storedHome.identifier == identifier { return storedHome }
      let home = StoreReference(self, identifier: identifier)
      storedHome = home
      return home
    }
  }

  /// The store's metadata: type, UUID, version hashes, and the keys that the application has added. The next save of a
  /// context writes metadata that were set, even if the context has no changes.
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

  /// Sets `metadata` to the metadata that the store keeps. A class of your own overrides this method, which is called
  /// once, before the store is used.
  /// - Throws: an error if the metadata cannot be read.
  open func loadMetadata() throws {}

  /// Returns the metadata of the store at a place without opening it; a class of other stores than SQLite overrides this.
  /// - Throws: 260 if there is no file, 259 if it is not a SQLite store.
  open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
    try sqliteClass.metadata(at: url, options: nil)
  }

  /// Replaces the metadata of the store at a place; a class of other stores than SQLite overrides this.
  /// - Throws: 260 if there is no file, 259 if it is not a SQLite store, 513 if it cannot be written.
  open class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
    try sqliteClass.setMetadata(metadata ?? [:], at: url, options: nil)
  }

  /// The class of SQLite stores.
  private class var sqliteClass: NSPersistentStore.Type {
    get throws {
      let known = try NSPersistentStoreCoordinator.storeClass(forType: NSSQLiteStoreType)
      // The application has registered this class for the type, and the class does not override the calling method.
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

  /// Reads the metadata and everything else that the store needs before it can be used.
  @_spi(Store) open func open(_ type: String) throws { notAStore() }

  /// Returns the URL of a store that was added without a URL.
  /// - Throws: 134080 where this kind of store needs one.
  @_spi(Store) open class func placeWithoutURL() throws -> URL {
    throw NSError(coreData: NSPersistentStoreOpenError, "A store of class \(self) needs a URL.")
  }

  // MARK: Stores at a place that are not open

  /// Whether a store of this class has a place of its own, a file or a part of a database, where it can be destroyed and
  /// replaced.
  @_spi(Store) open class var isFile: Bool { false }

  /// Whether a store of this class leaves nothing behind when it is closed, whatever its URL.
  @_spi(Store) open class var isInMemoryOnly: Bool { false }

  /// An identity that is equal for two URLs exactly if they lead to the same store of this class; nil for a place at
  /// which each opening makes a new store.
  @_spi(Store) open class func identity(at url: URL) -> String? {
    if url.isPrivateStore { return nil }
    return url.isFileURL ? url.standardizedFileURL.path : url.absoluteString
  }

  /// Whether there is already a store of this class, or anything else, at a place.
  @_spi(Store) open class func isPresent(at url: URL, options: [AnyHashable: Any]?) throws -> Bool {
    try url.isFileURL && StoreFiles(url).kind != .missing
  }

  /// Creates the file of a new store with `mode`, if this kind of store can be opened at an empty file. Other users can
  /// then never read more than the mode allows.
  @_spi(Store) open class func prepareFile(at url: URL, mode: mode_t) throws {}

  /// Destroys the store at a place.
  /// - Parameter letGo: removes the stores that are open at that place from their coordinator. It is called once it is
  ///   known that there is a store at the place which can be destroyed.
  @_spi(Store) open class func destroyStore(at url: URL, options: [AnyHashable: Any]?, letGo: () throws -> Void) throws
  { notAFile() }

  /// Destroys the store at a place and removes all its files.
  @_spi(Store) open class func removeStore(at url: URL, options: [AnyHashable: Any]?) throws {
    try destroyStore(at: url, options: options) {}
  }

  /// Replaces a store by a copy of another one.
  @_spi(Store) open class func replaceStore(
    at url: URL, options: [AnyHashable: Any]?, with source: URL, sourceOptions: [AnyHashable: Any]?
  ) throws { notAFile() }

  /// Returns the metadata of the store at a place.
  @_spi(Store) open class func metadata(at url: URL, options: [AnyHashable: Any]?) throws -> [String: Any] {
    try metadataForPersistentStore(with: url)
  }

  /// Replaces the metadata of the store at a place.
  @_spi(Store) open class func setMetadata(_ metadata: [String: Any]?, at url: URL, options: [AnyHashable: Any]?) throws
  {
    try setMetadata(metadata, forPersistentStoreAt: url)
  }

  private class func notAFile() -> Never { raise(.internalInconsistency, "Stores of class \(self) are no files.") }

  // MARK: Migrating

  /// Returns the model that the store at a place keeps with its data; nil if stores of this class keep no model.
  @_spi(Store) open class func keptModel(at place: MigrationPlace) throws -> NSManagedObjectModel? { nil }

  /// Migrates the store at a place to another version of the model by an inferred mapping.
  /// - Parameter defers: whether tables and columns that are not needed any more may be removed later.
  /// - Throws: 134140 if stores of this class need a mapping model.
  @_spi(Store) open class func migrate(
    _ place: MigrationPlace, by migration: InferredMigration, configuration: String?, defers: Bool
  ) throws {
    throw StoreMigrationError.missingMapping(
      migration, reason: "A store of type \(place.type) cannot be migrated without a mapping model.")
  }

  /// Locks the store at a place, so that its contents can be exchanged.
  @_spi(Store) open class func beginExchange(_ place: MigrationPlace) throws -> any StoreExchanging { notAFile() }

  /// Returns a place beside a store that an exchange holds. A new store can be made there, and the exchange then takes its
  /// contents. The method removes what earlier migrations have left there. Nil if stores of this class are files: a
  /// working folder is used for these.
  @_spi(Store) open class func workingURL(beside place: MigrationPlace) throws -> URL? { nil }

  /// Moves a closed store to a place where there was no store.
  /// - Returns: false if there is something at the place by now.
  @_spi(Store) open class func install(_ working: URL, at url: URL) throws -> Bool { notAFile() }

  /// Removes the next table or column that a lightweight migration has left for later.
  /// - Returns: whether there was anything to remove.
  @_spi(Store) open func removeLeftover() throws -> Bool { false }

  /// Makes every later save fail in which an object would be taken from one owner and given to another. Migrations use
  /// this, because there such a change means that a mapping has lost a relationship.
  @_spi(Store) open func keepSeveralOwnersApart() {}

  /// Tells an open store that the store at a place was replaced; the place may be that of this store.
  @_spi(Store) open func noteReplacement(at url: URL) throws {}

  /// Copies the store in its present state to an empty place, if the store's own way of copying makes a store of that class.
  /// - Returns: false if the objects have to be copied one by one; the place is still empty then.
  @_spi(Store) open func copyFile(to url: URL, of storeClass: NSPersistentStore.Type) throws -> Bool { false }

  /// Lets new objects have the keys of another store. The keys that this store gives out later are greater than these.
  /// - Parameter last: the greatest key of the other store, by the name of the root entity.
  /// - Returns: false if the store gives every object a key of its own.
  @_spi(Store) open func allowKeys(upTo last: [String: Int64]) throws -> Bool { false }

  /// Makes a store at an empty place and fills it in one step: until this method returns, others see nothing of the store,
  /// and nothing of it is left where `fill` fails or the process ends.
  /// - Returns: nil, after nothing was done, if stores of this class are not made in this way.
  /// - Throws: 516 if there is a store at the place.
  @_spi(Store) open class func filled(
    _ type: String, at url: URL, configuration: String?, options: [AnyHashable: Any]?,
    for coordinator: NSPersistentStoreCoordinator, by fill: (NSPersistentStore) throws -> Void
  ) throws -> NSPersistentStore? { nil }

  /// Copies all objects of another store of the same model into this empty store, if there is a faster way than saves.
  /// - Returns: false if the objects have to be saved; this store is still empty then.
  @_spi(Store) open func takeObjects(of source: NSPersistentStore, progress: Progress?) throws -> Bool { false }

  /// Removes those permissions of the store's file for the group and for other users that `mode` does not include.
  @_spi(Store) open func limitMode(to mode: mode_t) {}

  /// Moves the store to another place; by default the next save writes there. Returns false, and changes nothing, if the
  /// store cannot be moved.
  @_spi(Store) open func move(to url: URL) -> Bool {
    self.url = url
    return true
  }

  /// Lets a store that was opened for reading alone be written, into a copy at `url`, where nothing is yet: from now on it
  /// reads and writes the copy, and its own file stays as it is. Called by migrations, before anybody else uses the store.
  /// - Parameter commit: the latest commit that the caller has read.
  /// - Returns: false for a kind of store that cannot do that.
  /// - Throws: the errors of copying; 134050 if others have written the store since that commit.
  @_spi(Store) open func writeIntoCopy(at url: URL, since commit: UInt64) throws -> Bool { false }

  // MARK: Commits

  /// The number of the latest commit that is known here. The commits of other processes count too; each row has the
  /// number of a commit as its date.
  @inline(__always)
  package final var latestCommit: UInt64 { clock.load(ordering: .acquiring) }

  /// Counts a commit, and returns its number, which dates every row that the commit wrote.
  package final func nextCommit() -> UInt64 { clock.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue }

  /// Counts a commit, and makes the row cache drop all rows and relationships that were read before it.
  package final func forgetEverything() {
    let commit = nextCommit()
    for number in 0...model.entities.count { rows.invalidate(rootNumber: number, before: commit, all: true) }
    rows.invalidateRelations(before: commit)
  }

  // MARK: What contexts ask of a store; each kind of store overrides it

  /// The features that the store has.
  @_spi(Store) open var abilities: Set<OCDStoreAbility> { [] }

  package final func can(_ ability: OCDStoreAbility) -> Bool { abilities.contains(ability) }

  /// Whether the store holds objects of the entity.
  @_spi(Store) open func holds(_ entity: NSEntityDescription) -> Bool {
    isDefaultConfiguration || entity.name.map(entityNames.contains) ?? false
  }

  /// Whether contexts tell the store which of its objects they register.
  @_spi(Store) open var countsRegistrations: Bool { false }

  /// Called when a context has registered objects of this store.
  @_spi(Store) open func didRegister(_ objectIDs: [NSManagedObjectID]) {}

  /// Called when a context has let go of objects of this store.
  @_spi(Store) open func didUnregister(_ objectIDs: [NSManagedObjectID]) {}

  /// Whether a fault that fires also reads the rows of the other objects of its fault batch.
  @_spi(Store) open var readsInCompany: Bool { true }

  /// Whether an answer may have to come from outside of the process, as from a server. Asynchronous blocks of contexts then
  /// never run on the threads of their callers. The value must not change, and must be given without asking the
  /// coordinator.
  @_spi(Store) open var waitsForServer: Bool { false }

  /// Whether the store can include or exclude rows by their keys in a fetch.
  @_spi(Store) open var choosesRows: Bool { true }

  /// Returns the layout of the entity with that number in the store's rows; nil if there is none.
  @_spi(Store) open func layout(number: Int) -> EntityLayout? {
    let entities = model.entitiesInStoreOrder
    return number > 0 && number <= entities.count ? entities[number - 1].layout : nil
  }

  /// Returns the number that stands for an entity in the store's rows.
  @_spi(Store) open func number(of entity: NSEntityDescription) -> Int { entity.storeNumber }

  /// Fetches full rows. Rows that the row cache has in the same version are not made again.
  @_spi(Store) open func fetchRows(_ target: FetchTarget, transaction: ReadTransaction) throws -> FetchedRows {
    notAStore()
  }

  /// Fetches the keys of the rows only.
  @_spi(Store) open func fetchKeys(_ target: FetchTarget, transaction: ReadTransaction) throws -> FetchedRows {
    notAStore()
  }

  /// Returns the number of matching rows, after offset and limit.
  @_spi(Store) open func count(_ target: FetchTarget, transaction: ReadTransaction) throws -> Int { notAStore() }

  /// Returns the dictionaries of a fetch with the dictionary result type, in the order of the fetch.
  @_spi(Store) open func fetchDictionaries(
    _ target: FetchTarget, _ query: DictionaryQuery, transaction: ReadTransaction
  ) throws
    -> [[String:
    Any]]
  {
    notAStore()
  }

  /// Returns the number of dictionaries that `fetchDictionaries` returns.
  @_spi(Store) open func countDictionaries(
    _ target: FetchTarget, _ query: DictionaryQuery, transaction: ReadTransaction
  ) throws -> Int {
    try fetchDictionaries(target, query, transaction: transaction).count
  }

  /// Reads the rows of `keys`, in no particular order, without those that are missing, and tells whether the row cache took
  /// the rows.
  @_spi(Store) open func readRows(
    _ keys: ContiguousArray<Int64>, layout: EntityLayout, transaction: ReadTransaction
  ) throws -> (rows: ContiguousArray<Snapshot>, areCached: Bool) { notAStore() }

  /// Reads the keys of the members of one owner's to-many relationship.
  @_spi(Store) open func readMembers(
    of owner: Int64, _ slot: PropertySlot, layout: EntityLayout, transaction: ReadTransaction
  ) throws
    -> KeyArray
  {
    notAStore()
  }

  /// Reads the keys of the members of many owners at once; an owner without members gets an empty array.
  @_spi(Store) open func readMembers(
    of owners: ContiguousArray<Int64>, _ slot: PropertySlot, layout: EntityLayout, transaction: ReadTransaction
  ) throws -> [Int64: KeyArray] { notAStore() }

  /// Reads the keys of the members of many owners, in the order of the owners, by one statement that also reads the
  /// members' rows into the row cache. Nil if the store has no such statement, or if many of the rows are in the row cache.
  /// - Parameters:
  ///   - isEveryOwner: whether the owners are all objects of their entity, as far as the request says.
  ///   - readsRowsAgain: whether the rows are read even if many of them are in the row cache.
  @_spi(Store) open func readMembersWithRows(
    of owners: ContiguousArray<Int64>, _ slot: PropertySlot, layout: EntityLayout, isEveryOwner: Bool,
    readsRowsAgain: Bool, transaction: ReadTransaction
  ) throws -> ContiguousArray<KeyArray>? { nil }

  /// Writes the changes of a save. If the save fails, the store is as it was.
  /// - Throws: `SaveConflict` if another context or process has changed a row that is to be written, or that must be
  ///   unchanged when this save is written.
  @_spi(Store) open func save(_ work: SaveWork, in context: NSManagedObjectContext) throws -> SaveResult { notAStore() }

  /// Begins a read transaction at the latest commit; the transaction stays open for as long as a query generation needs it.
  /// - Throws: 134070 if the store already has the greatest number of generations.
  @_spi(Store) open func makeGenerationReader() throws -> (any GenerationReader)? { nil }

  /// Makes the read transaction of a context on this store. The context keeps it for as long as it uses the store.
  @_spi(Store) open func makeReadTransaction(for context: NSManagedObjectContext) -> ReadTransaction {
    ReadTransaction(context: context)
  }

  /// Returns the rows of objects of one entity that others have changed or deleted since the objects were read.
  @_spi(Store) open func outdatedRows(
    of objects: ContiguousArray<NSManagedObject>, layout: EntityLayout, transaction: ReadTransaction
  ) throws -> OutdatedRows { notAStore() }

  /// Finds the rows that have one of the groups of `values`, which must be unique.
  @_spi(Store) open func findRows(
    of constraint: UniquenessConstraint, having values: ContiguousArray<[StoredValue]>, transaction: ReadTransaction
  ) throws -> [FoundRow] { [] }

  /// Runs `body` while no context can write to the store.
  @_spi(Store) open func withoutWriters<Result>(_ body: () throws -> Result) throws -> Result { try body() }

  /// Writes the metadata if they have been set since the last save. A save that has no objects for this store calls it.
  @_spi(Store) open func saveMetadata() throws {}

  /// Reserves keys for new objects ahead of their save.
  @_spi(Store) open func reserveKeys(_ objects: ContiguousArray<NSManagedObject>) throws -> ContiguousArray<Int64> {
    notAStore()
  }

  /// Returns the text that represents a key in an object ID's URI.
  @_spi(Store) open func referenceText(_ key: Int64, _ entity: NSEntityDescription) -> String { String(key) }

  /// Returns the key that such a text stands for; nil if the text stands for none.
  @_spi(Store) open func key(referenceText text: String, _ entity: NSEntityDescription) -> Int64? {
    Int64(text).flatMap { $0 > 0 ? $0 : nil }
  }

  /// Returns a stamp that differs between two states of the store's contents; nil if the store has no such stamp.
  @_spi(Store) open func stateStamp() -> String? {
    url.flatMap { $0.isFileURL && !$0.isPrivateStore ? FileStateStamp.text($0.path) : nil }
  }

  /// Releases everything that the store holds. The store is not used after this call.
  @_spi(Store) open func close() {}

  private final func notAStore() -> Never {
    raise(.internalInconsistency, "\(Swift.type(of: self)) is neither an NSAtomicStore nor an NSIncrementalStore.")
  }
}

extension NSPersistentStore {
  /// Returns the rows of those of `objects` that were read in another version than the store has.
  /// - Parameter versions: the versions of the rows that are in the store, by key.
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

  /// Returns the layout with that number if its entity has the same root as the entity that was asked for; else the layout
  /// of the entity that was asked for.
  ///
  /// A damaged file may name any entity, but an identity map and its rows belong to one root entity.
  @inline(__always)
  package final func layout(number: Int, asked: EntityLayout) -> EntityLayout {
    guard let own = layout(number: number), own.rootNumber == asked.rootNumber else { return asked }
    return own
  }

  package final func number(of object: NSManagedObject) -> Int { number(of: object.layout.entity) }
}
