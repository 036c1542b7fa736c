import CSQLite
import Foundation
import OpenCocoaFoundation
import Synchronization

/// A SQLite database in Apple's format that one coordinator has open.
///
/// One connection writes, under the lock of `writer`; the connections of a pool read.
final class SQLiteStore: NSPersistentStore, BatchStore, ExplainingStore, GroupingStore, HistoryStore, RelationalStore,
  @unchecked Sendable  // see the locks of its parts
{
  /// Whether the store is in a folder of its own, which is removed when the store is closed.
  let isPrivate: Bool
  private let realPath: Mutex<String>
  /// The place of large values. Only `writeIntoCopy` changes it, before anybody else uses the store.
  @exclusivity(unchecked) private(set) var external: ExternalStorage
  /// The abilities of this store. A store has query generations only if its database has a write-ahead log.
  private let ownAbilities: Set<OCDStoreAbility>
  let schema: SQLModel
  let timeout: TimeInterval
  let writer: StoreWriter
  private(set) var readers: ReaderPool
  // As `external`, which the codecs know.
  @exclusivity(unchecked) private var codecs: RowCodecs
  /// The columns that an entity's values are written to, at the index Z_ENT - 1.
  let writePlans: [ContiguousArray<WriteColumn>]
  let hasOrderedRelationships: Bool
  let derivations: SQLDerivations
  let hasDerivedAttributes: Bool
  /// The plans for the derived attributes of each entity, at the index Z_ENT - 1.
  let derivedPlans: [DerivedPlan]
  private let traces: ReadingTraces?
  let commitsUntilLook = Atomic<Int>(64)
  /// Whether a commit has found the log to be long and no query generation has begun since.
  let checkpointIsDue = Atomic<Bool>(false)
  let plans = PlanCache()
  let fetchPlans = FetchPlanCache<SQLStatement>()
  let pendingMetadata = PendingMetadata()
  /// Writes the persistent history; nil if history is not tracked, or if the store is read-only.
  let history: HistoryLog?

  /// Whether a save fails if it would take a member from one owner and give it to another. Set in migrations, before anybody
  /// else uses the store.
  nonisolated(unsafe) var keepsSeveralOwnersApart = false

  /// - Parameter coordinator: the coordinator with whose model the store was opened.
  init(
    opened: OpenedStore, coordinator: NSPersistentStoreCoordinator, configurationName: String?,
    options: [AnyHashable: Any]?
  ) {
    isPrivate = opened.isPrivate
    realPath = Mutex(opened.path)
    external = opened.values
    ownAbilities = Self.abilities(of: opened)
    schema = opened.schema
    timeout = opened.options.timeout
    writer = StoreWriter(opened.connection, external: opened.external)
    let open = opened.openReader
    readers = ReaderPool(limit: opened.options.readerLimit, open: open)
    codecs = RowCodecs(opened.schema, external: external)
    writePlans = schema.entities.map(WriteColumn.all)
    history = opened.options.history.isTracked && !opened.options.isReadOnly ? HistoryLog(opened.schema) : nil
    hasOrderedRelationships = schema.entities.contains { !$0.entity.layout.orderedSlots.isEmpty }
    let derivations = SQLDerivations(of: schema)
    self.derivations = derivations
    hasDerivedAttributes = !derivations.all.isEmpty || !derivations.unstored.isEmpty
    derivedPlans = schema.entities.map { DerivedPlan($0, derivations) }
    traces = opened.traces
    super.init(
      persistentStoreCoordinator: coordinator, configurationName: configurationName, at: opened.url, options: options)
    entityNames = opened.entityNames
    setStoredMetadata(opened.metadata)
    let store = WeaklyReferring(self)
    writer.othersHaveCommitted = { store.wrappedValue?.forgetEverything() }
    if !opened.hasLog { writer.willCommit = { store.wrappedValue?.readers.takeBackIdle() } }
    readers.whenIdle = { store.wrappedValue?.checkpointWhenIdle() }
    if let external = opened.external {
      external.whenLeft = { [weak readers] in readers?.reapLater() }
      readers.whenReaped = { [weak external, weak writer] in
        if let writer { external?.removeUnused(writer, isDue: true) }
      }
    }
    // The first call only notes the present version of the database: later calls tell whether others have committed since.
    _ = writer.seesForeignCommit()
  }

  /// Returns the abilities of a store. Query generations need a write-ahead log, because without one nobody can read an older
  /// state of the database.
  private static func abilities(of opened: OpenedStore) -> Set<OCDStoreAbility> {
    var abilities: Set<OCDStoreAbility> = [
      .ordering, .composites, .uniqueness, .derivedAttributes, .readOnly, .customMetadata, .batchInserts, .batchUpdates,
      .batchDeletes, .history, .explanation, .grouping, .concurrency, .asynchronousFetches,
    ]
    if !opened.isPrivate { abilities.formUnion([.reopening, .files]) }
    if opened.external != nil { abilities.insert(.externalStorage) }
    if opened.hasLog { abilities.insert(.generations) }
    return abilities
  }

  required init(
    persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
    options: [AnyHashable: Any]?
  ) {
    raise(.internalInconsistency, "A SQLite store is made by adding it to a coordinator.")
  }

  deinit { close() }

  override var type: String { NSSQLiteStoreType }

  /// The path of the database, after symbolic links. It was followed when the store was opened, and is not followed again.
  var path: String { realPath.withLock { $0 } }

  /// The place of the database by which others reach it as this store does: the URL that it was given.
  var givenPlace: URL { (isPrivate ? nil : super.url) ?? URL(fileURLWithPath: path) }

  /// The location of the store. Setting it moves the store, if that is possible.
  override var url: URL? {
    get { super.url }
    set { if let newValue { _ = move(to: newValue) } }
  }

  func setPlace(_ url: URL, path: String) {
    super.url = url
    realPath.withLock { $0 = path }
  }

  override func withoutWriters<Result>(_ body: () throws -> Result) throws -> Result {
    try isReadOnly ? writer.withConnection { _ in try body() } : writer.withoutOthers(body)
  }

  override var metadata: [String: Any]! {
    get { super.metadata }
    set {
      super.metadata = completed(newValue ?? [:])
      pendingMetadata.change()
    }
  }

  override var identifier: String! { didSet { pendingMetadata.change() } }

  /// Sets the metadata without noting that they must be written.
  func takeMetadata(_ dictionary: [String: Any]) { super.metadata = dictionary }

  override func saveMetadata() throws { try writeMetadata() }

  // MARK: What contexts ask for

  override func holds(_ entity: NSEntityDescription) -> Bool { schema.entity(for: entity) != nil }

  override func layout(number: Int) -> EntityLayout? { schema.entity(number: number)?.entity.layout }

  override func number(of entity: NSEntityDescription) -> Int { schema.entity(for: entity)?.number ?? 0 }

  override func fetchRows(_ target: FetchTarget, transaction: ReadTransaction) throws -> FetchedRows {
    try selectRows(target, transaction: transaction)
  }

  override func fetchKeys(_ target: FetchTarget, transaction: ReadTransaction) throws -> FetchedRows {
    try selectKeys(target, transaction: transaction)
  }

  override func count(_ target: FetchTarget, transaction: ReadTransaction) throws -> Int {
    try selectCount(target, transaction: transaction)
  }

  override func fetchDictionaries(
    _ target: FetchTarget, _ query: DictionaryQuery, transaction: ReadTransaction
  ) throws -> [[String: Any]] { try selectDictionaries(target, query, transaction: transaction) }

  override func countDictionaries(_ target: FetchTarget, _ query: DictionaryQuery, transaction: ReadTransaction) throws
    -> Int
  {
    try countValues(target, query, transaction: transaction)
  }

  override func readRows(
    _ keys: ContiguousArray<Int64>, layout: EntityLayout, transaction: ReadTransaction
  ) throws -> (rows: ContiguousArray<Snapshot>, areCached: Bool) {
    try selectRows(withKeys: keys, layout: layout, transaction: transaction)
  }

  override func readMembers(
    of owner: Int64, _ slot: PropertySlot, layout: EntityLayout, transaction: ReadTransaction
  ) throws -> KeyArray {
    guard let toMany = try entity(layout.entity).toManys[slot.name] else { return KeyArray.empty }
    return try readRelationKeys(owner, toMany, id: relationID(layout, slot), transaction: transaction)
  }

  override func readMembers(
    of owners: ContiguousArray<Int64>, _ slot: PropertySlot, layout: EntityLayout, transaction: ReadTransaction
  ) throws -> [Int64: KeyArray] {
    guard let toMany = try entity(layout.entity).toManys[slot.name] else { return [:] }
    return try readRelationKeys(owners, toMany, id: relationID(layout, slot), transaction: transaction)
  }

  override func readMembersWithRows(
    of owners: ContiguousArray<Int64>, _ slot: PropertySlot, layout: EntityLayout, isEveryOwner: Bool,
    readsRowsAgain: Bool, transaction: ReadTransaction
  ) throws -> ContiguousArray<KeyArray>? {
    guard let toMany = try entity(layout.entity).toManys[slot.name] else { return nil }
    return try selectMembersWithRows(
      of: owners, toMany, id: relationID(layout, slot), isEveryOwner: isEveryOwner, readsRowsAgain: readsRowsAgain,
      transaction: transaction)
  }

  override func makeReadTransaction(for context: NSManagedObjectContext) -> ReadTransaction {
    SQLiteReadTransaction(store: self, context: context)
  }

  override func save(_ work: SaveWork, in context: NSManagedObjectContext) throws -> SaveResult {
    try save(work, HistorySource(context))
  }

  override func outdatedRows(
    of objects: ContiguousArray<NSManagedObject>, layout: EntityLayout, transaction: ReadTransaction
  ) throws -> OutdatedRows {
    let entity = try entity(layout.entity)
    let versions = try transaction.read(latest: false) { connection, _ in
      try readVersions(ContiguousArray(objects.map(\.key)), entity, connection)
    }
    return try outdatedRows(of: objects, versions: versions, layout: layout, transaction: transaction)
  }

  override var abilities: Set<OCDStoreAbility> { ownAbilities }

  override func makeGenerationReader() throws -> (any GenerationReader)? { try PinnedReader(self) }

  override func findRows(
    of constraint: UniquenessConstraint, having values: ContiguousArray<[StoredValue]>, transaction: ReadTransaction
  ) throws -> [FoundRow] { try selectRows(of: constraint, having: values, transaction: transaction) }

  override func reserveKeys(_ objects: ContiguousArray<NSManagedObject>) throws -> ContiguousArray<Int64> {
    try takeKeys(objects)
  }

  override func allowKeys(upTo last: [String: Int64]) throws -> Bool { try raiseLastKeys(to: last) }

  // MARK: Class methods

  override class func opened(
    _ type: String, at url: URL?, configuration: String?, options: [AnyHashable: Any]?,
    for coordinator: NSPersistentStoreCoordinator
  ) throws -> NSPersistentStore {
    guard let url, url.isFileURL else {
      throw NSError(
        coreData: NSPersistentStoreOpenError,
        "A SQLite store needs a file URL, not \(url?.placeOfStore ?? "nil").")
    }
    let opened = try OpenedStore(
      url: url, model: coordinator.managedObjectModel, configuration: configuration, options: options)
    return SQLiteStore(opened: opened, coordinator: coordinator, configurationName: configuration, options: options)
  }

  override class var isFile: Bool { true }

  override class func prepareFile(at url: URL, mode: mode_t) throws {
    try FolderHandle.makeEmptyFile(at: url, mode: mode | 0o600)
  }

  override class func destroyStore(at url: URL, options: [AnyHashable: Any]?, letGo: () throws -> Void) throws {
    let files = try StoreFiles(url), options = try StoreOptions(options)
    try StoreDestruction.check(files, options: options)
    try letGo()
    try StoreDestruction.destroy(files, options: options)
  }

  override class func removeStore(at url: URL, options: [AnyHashable: Any]?) throws {
    try StoreDestruction.destroy(StoreFiles(url), options: StoreOptions(options), removesFile: true)
  }

  override class func replaceStore(
    at url: URL, options: [AnyHashable: Any]?, with source: URL, sourceOptions: [AnyHashable: Any]?
  ) throws {
    try StoreReplacement.replace(
      StoreFiles(url), options: StoreOptions(options), with: StoreFiles(source),
      sourceOptions: StoreOptions(sourceOptions))
  }

  override class func metadata(at url: URL, options: [AnyHashable: Any]?) throws -> [String: Any] {
    try StoreMetadata.read(at: url, options: options).dictionary
  }

  override class func setMetadata(_ metadata: [String: Any]?, at url: URL, options: [AnyHashable: Any]?) throws {
    try StoreMetadata.write(metadata ?? [:], at: url, options: options)
  }

  override class func keptModel(at place: MigrationPlace) throws -> NSManagedObjectModel? {
    try StoredModel(contentsOf: place.url).model
  }

  override class func migrate(
    _ place: MigrationPlace, by migration: InferredMigration, configuration: String?, defers: Bool
  ) throws {
    try InPlaceMigration(
      files: StoreFiles(place.url), migration: migration, configuration: configuration,
      options: StoreOptions(place.options), defers: defers
    ).run()
  }

  override class func beginExchange(_ place: MigrationPlace) throws -> any StoreExchanging {
    try StoreExchange(StoreFiles(place.url), options: StoreOptions(place.options))
  }

  override class func install(_ working: URL, at url: URL) throws -> Bool {
    let working = try StoreFiles(working)
    try StoreFiles.synchronize(working.path)
    return try StoreCopy(ofClosedStore: working).install(at: StoreFiles(url))
  }

  override func removeLeftover() throws -> Bool { try removeNextLeftover() }

  override func keepSeveralOwnersApart() { keepsSeveralOwnersApart = true }

  override func stateStamp() -> String? { super.stateStamp().map { "\($0)\n\(LogStateStamp.text(path))" } }

  override func noteReplacement(at url: URL) throws {
    if try StoreFiles(URL(fileURLWithPath: path)).isSame(as: StoreFiles(url)) { try takeReplacement() }
  }

  override func copyFile(to url: URL, of storeClass: NSPersistentStore.Type) throws -> Bool {
    guard storeClass == SQLiteStore.self else { return false }
    try NSPersistentStoreCoordinator.backUpPersistentStore(at: givenPlace, to: url, options: options)
    return true
  }

  override func move(to url: URL) -> Bool { moveFile(to: url) }

  override func writeIntoCopy(at url: URL, since commit: UInt64) throws -> Bool {
    try moveIntoCopy(at: url, since: commit)
  }

  /// Keeps large values beside another file from now on.
  func keepValues(at values: ExternalStorage) {
    external = values
    codecs = RowCodecs(schema, external: values)
  }

  override func didAdd(to coordinator: NSPersistentStoreCoordinator) { RemoteChanges.watch(self, for: coordinator) }

  // MARK: Entities

  func codec(_ entity: SQLEntity) -> RowCodec { codecs[entity] }

  /// Returns the store's description of an entity; throws if the store does not hold the entity.
  func entity(_ entity: NSEntityDescription) throws -> SQLEntity {
    if let known = schema.entity(for: entity) { return known }
    throw NSError(
      coreData: NSCoreDataError, "The store at \(path) does not hold the entity '\(entity.name ?? "")'.")
  }

  /// Closes the connections and removes the files of a private store.
  override func close() {
    RemoteChanges.stop(ObjectIdentifier(self))
    readers.close()
    writer.external?.removeUnused(writer, closing: true)
    writer.close()
    traces?.remove()
    if isPrivate { PrivateStoreFolder.remove(storePath: path) }
  }
}
