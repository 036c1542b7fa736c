#if PostgreSQL
  import Foundation
  import OpenCocoaFoundation
  @_spi(Store) import OpenCoreData
  import Synchronization

  /// A store in a schema of a PostgreSQL server, opened by one coordinator.
  ///
  /// Contexts that read take connections from a pool for as long as they use them; a save takes another connection for
  /// one flight. Rows are kept in the row cache that every store has. When a transaction begins, rows that other
  /// programs have written are removed from the cache (`ServerFreshness`).
  ///
  /// This file has the parts of the store, and its overrides, which Swift does not allow in extensions. Each override calls
  /// a method in the folder of its task.
  final class ServerStore: NSPersistentStore, BatchStore, ExplainingStore, GroupingStore, HistoryStore,
    MigrationPlanning, RelationalStore, ServedStore,
    @unchecked Sendable  // see the locks of its parts
  {
    let schema: SQLModel
    let serverOptions: ServerOptions
    let serverPlace: ServerPlace
    let readers: ConnectionPool
    let writers: ConnectionPool
    /// The connections of query generations.
    let pinned: ConnectionPool
    /// The replica from which contexts read that are not pinned, if there is one.
    let replica: ReadReplica?
    /// Observes the statements of all connections.
    let watch: StatementWatch
    let statements = StatementCache()
    let fetchPlans = FetchPlanCache<PreparedStatement>()
    let stringValues = StringValues()
    let decoders: RowDecoders
    let keys = ServerKeys()
    let delta: DeltaQuery
    /// How an entity's values go into its columns, by the number of the entity less one.
    let writePlans: [ContiguousArray<WriteColumn>]
    /// The types of each column's values, by the number of the entity less one. A column has two types if it is a
    /// to-one key that is followed by the member's entity.
    let columnTypes: [ContiguousArray<[SQLColumnType]>]
    let derivedPlans: [DerivedPlan]
    let derivations: SQLDerivations
    let historyLayouts: [HistoryLayout]
    /// The entity and the properties of each index that keeps values unique, by the index's name.
    let uniqueIndexes: [String: (entity: SQLEntity, properties: [String])]
    let pendingMetadata = PendingMetadata()
    let doubts = SaveDoubts()
    let identity: ServerIdentity
    let attendant = ServerAttendant()
    let tokens = CommitTokens()
    let copySupport = CopySupport()
    /// How long a round trip to the server takes, in microseconds, as measured when the store was opened.
    let roundTrip: Atomic<Int64>
    /// Listens to announcements of changes, if the options ask for it; nil otherwise.
    let listener: RemoteChangeListener?
    let processName = ProcessInfo.processInfo.processName
    let bundleID: String
    /// Whether a save fails if an object would lose an owner to another one.
    let keepsOwnersApart = Atomic<Bool>(false)
    /// The schema's version when the store was opened.
    let openedSchemaVersion: Int64
    let isOutdated = Atomic<Bool>(false)
    /// The connection whose transaction has made this store and is still open; nil for every store that others can see.
    let creation: Mutex<ServerConnection?>
    private let isClosed = Atomic<Bool>(false)
    private let knownFreshness = Mutex<ServerFreshness?>(nil)

    init(
      opened: OpenedServer, coordinator: NSPersistentStoreCoordinator, configurationName: String?,
      options given: [AnyHashable: Any]?
    ) {
      schema = opened.schema
      serverOptions = opened.options
      serverPlace = opened.place
      identity = opened.identity
      openedSchemaVersion = opened.schemaVersion
      creation = Mutex(opened.creation)
      roundTrip = Atomic(Int64(opened.roundTrip / .microseconds(1)))
      let (place, options) = (opened.place, opened.options)
      let watch = StatementWatch(place: opened.url.placeOfStore)
      self.watch = watch
      let open: @Sendable () throws -> ServerConnection = {
        let connection = try OpenedServer.connectAgain(place, options)
        connection.observer = watch
        return connection
      }
      readers = ConnectionPool(limit: options.connectionLimit, open: open)
      writers = ConnectionPool(limit: options.connectionLimit, open: open)
      listener =
        options.announcesChanges
        ? RemoteChangeListener(place, options, opened.identity.snapshot) {
          // The listener repeats failed attempts itself, with its own delays.
          let connection = try OpenedServer.connect(place, options)
          connection.observer = watch
          return connection
        } : nil
      pinned = ConnectionPool(limit: max(16, options.connectionLimit), open: open)
      replica = opened.replica.map { ReadReplica($0, limit: options.connectionLimit, observer: watch) }
      decoders = RowDecoders(schema)
      delta = DeltaQuery(limit: 10_000)
      writePlans = schema.entities.map(WriteColumn.all)
      columnTypes = schema.entities.map { ContiguousArray($0.columns.map { $0.typedNames.map(\.type) }) }
      let derivations = SQLDerivations(of: schema)
      self.derivations = derivations
      derivedPlans = schema.entities.map { DerivedPlan($0, derivations) }
      historyLayouts = schema.entities.map(HistoryLayout.init)
      uniqueIndexes = Dictionary(
        ServerSchema(model: schema).indexDefinitions().compactMap { index in
          index.unique.map { (index.definition.name, $0) }
        }, uniquingKeysWith: { first, _ in first })
      bundleID = Bundle.main.bundleIdentifier ?? processName
      super.init(
        persistentStoreCoordinator: coordinator, configurationName: configurationName, at: opened.url, options: given)
      entityNames = opened.entityNames
      setStoredMetadata(opened.metadata.dictionary)
      let reference = WeaklyReferring<ServerStore>(self)
      for pool in [readers, writers, pinned] { pool.onLoss = { reference.wrappedValue?.noteLostConnection() } }
    }

    required init(
      persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
      options: [AnyHashable: Any]? = nil
    ) {
      raise(.internalInconsistency, "A PostgreSQL store is made by adding it to a coordinator.")
    }

    deinit { close() }

    override var type: String { PostgreSQLStore.typeName }

    override var waitsForServer: Bool { true }
    override var abilities: Set<OCDStoreAbility> {
      [
        .ordering, .composites, .uniqueness, .derivedAttributes, .reopening, .readOnly, .customMetadata, .history,
        .grouping, .concurrency, .generations, .asynchronousFetches, .explanation, .batchInserts, .batchUpdates,
        .batchDeletes,
      ]
    }

    /// The state of the row cache. It is made on first use, because the coordinator's model is prepared only then.
    var freshness: ServerFreshness {
      knownFreshness.withLock { known in
        if let known { return known }
        let made = ServerFreshness(model, relationID: relationID)
        known = made
        return made
      }
    }

    override func didAdd(to coordinator: NSPersistentStoreCoordinator) { beginAttendance() }

    override func close() {
      guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
      endAttendance()
      for pool in [readers, writers, pinned] { pool.close() }
      replica?.pool.close()
    }

    var isOpen: Bool { !isClosed.load(ordering: .acquiring) }

    /// Until when a request that begins now waits for a connection.
    var deadline: ContinuousClock.Instant { .now + .seconds(serverOptions.timeout) }

    /// Notes that a connection was lost: the next one may lead to another server, which lacks the last commits.
    func noteLostConnection() {
      freshness.changeServer()
      replica?.doubt()
    }

    // MARK: Entities

    override func holds(_ entity: NSEntityDescription) -> Bool { schema.entity(for: entity) != nil }

    override func layout(number: Int) -> EntityLayout? { schema.entity(number: number)?.entity.rowLayout }

    override func number(of entity: NSEntityDescription) -> Int { schema.entity(for: entity)?.number ?? 0 }

    /// Returns the store's description of an entity.
    /// - Throws: 134060 for an entity that the store does not hold.
    func entity(_ entity: NSEntityDescription) throws -> SQLEntity {
      if let known = schema.entity(for: entity) { return known }
      throw NSError(
        coreData: NSCoreDataError, "The store at \(place) does not hold the entity '\(entity.name ?? "")'.")
    }

    // MARK: Metadata

    override var metadata: [String: Any]! {
      get { super.metadata }
      set {
        super.metadata = completed(newValue ?? [:])
        pendingMetadata.change()
      }
    }

    override var identifier: String! { didSet { pendingMetadata.change() } }

    /// Sets the metadata without marking it to be written.
    func takeMetadata(_ dictionary: [String: Any]) { super.metadata = dictionary }

    override func saveMetadata() throws { try writeMetadata() }

    // MARK: Requests of contexts

    func cocoa<Result>(_ body: () throws -> Result) throws -> Result {
      do {
        return try body()
      } catch let error as ServerError {
        throw error.cocoaError(self, isWriting: false)
      } catch is PoolTimeout {
        throw noConnection
      } catch is ServerValueError {
        throw NSError(coreData: NSCoreDataError, "The request has a value that no PostgreSQL server takes.")
      }
    }

    override func fetchRows(_ target: FetchTarget, transaction: ReadTransaction) throws -> FetchedRows {
      try cocoa { try selectRows(target, transaction.onServer) }
    }

    override func fetchKeys(_ target: FetchTarget, transaction: ReadTransaction) throws -> FetchedRows {
      try cocoa { try selectKeys(target, transaction.onServer) }
    }

    override func count(_ target: FetchTarget, transaction: ReadTransaction) throws -> Int {
      try cocoa { try selectCount(target, transaction.onServer) }
    }

    override func fetchDictionaries(
      _ target: FetchTarget, _ query: DictionaryQuery, transaction: ReadTransaction
    ) throws -> [[String: Any]] {
      try cocoa { try selectDictionaries(target, query, transaction.onServer) }
    }

    override func countDictionaries(
      _ target: FetchTarget, _ query: DictionaryQuery, transaction: ReadTransaction
    ) throws -> Int {
      try cocoa { try countValues(target, query, transaction.onServer) }
    }

    override func readRows(
      _ keys: ContiguousArray<Int64>, layout: EntityLayout, transaction: ReadTransaction
    ) throws -> (rows: ContiguousArray<Snapshot>, areCached: Bool) {
      try cocoa { try selectRows(withKeys: keys, layout: layout, transaction.onServer) }
    }

    override func readMembers(
      of owner: Int64, _ slot: PropertySlot, layout: EntityLayout, transaction: ReadTransaction
    ) throws -> KeyArray {
      try cocoa { try selectMembers(of: owner, slot, layout, transaction.onServer) }
    }

    override func readMembers(
      of owners: ContiguousArray<Int64>, _ slot: PropertySlot, layout: EntityLayout, transaction: ReadTransaction
    ) throws -> [Int64: KeyArray] {
      try cocoa { try selectMembers(of: owners, slot, layout, transaction.onServer) }
    }

    override func makeReadTransaction(for context: NSManagedObjectContext) -> ReadTransaction {
      ServerReadTransaction(store: self, context: context)
    }

    override func makeGenerationReader() throws -> (any GenerationReader)? {
      try cocoa { try ServerGenerationReader(self) }
    }

    override func outdatedRows(
      of objects: ContiguousArray<NSManagedObject>, layout: EntityLayout, transaction: ReadTransaction
    ) throws -> OutdatedRows {
      try cocoa { try outdatedRows(of: objects, layout, transaction.onServer) }
    }

    override func findRows(
      of constraint: UniquenessConstraint, having values: ContiguousArray<[StoredValue]>, transaction: ReadTransaction
    ) throws -> [FoundRow] {
      try cocoa { try selectRows(of: constraint, having: values, transaction.onServer) }
    }

    override func save(_ work: SaveWork, in context: NSManagedObjectContext) throws -> SaveResult {
      do {
        return try write(work, HistorySource(context))
      } catch let error as ServerError {
        throw error.cocoaError(self, isWriting: true)
      }
    }

    override func reserveKeys(_ objects: ContiguousArray<NSManagedObject>) throws -> ContiguousArray<Int64> {
      try cocoa {
        try assignKeys(ContiguousArray(objects.map { ($0.entity.rowLayout, $0.objectID.primaryKey) }))
      }
    }

    /// Returns true only for the store's own URL: its connections lead to the place at which it was opened.
    override func move(to url: URL) -> Bool { url == self.url }

    override func keepSeveralOwnersApart() { keepsOwnersApart.store(true, ordering: .relaxed) }

    override func takeObjects(of source: NSPersistentStore, progress: Progress?) throws -> Bool {
      try transfer(from: source, progress)
    }

    override func withoutWriters<Result>(_ body: () throws -> Result) throws -> Result { try withSavesLocked(body) }

    // MARK: Stores that are not open

    override class func opened(
      _ type: String, at url: URL?, configuration: String?, options: [AnyHashable: Any]?,
      for coordinator: NSPersistentStoreCoordinator
    ) throws -> NSPersistentStore {
      guard let url else {
        throw NSError(
          coreData: NSPersistentStoreOpenError,
          "A PostgreSQL store needs a URL such as postgresql://user@host/database.")
      }
      let opened = try OpenedServer(
        url, model: coordinator.managedObjectModel, configuration: configuration, options: options)
      return ServerStore(
        opened: opened, coordinator: coordinator, configurationName: configuration, options: options)
    }

    override class func filled(
      _ type: String, at url: URL, configuration: String?, options: [AnyHashable: Any]?,
      for coordinator: NSPersistentStoreCoordinator, by fill: (NSPersistentStore) throws -> Void
    ) throws -> NSPersistentStore? {
      try makeStore(at: url, configuration: configuration, options: options, for: coordinator) {
        try fill($0)
        return nil
      }
    }

    override class func identity(at url: URL) -> String? {
      // A schema that an option names is not known here. Such stores cannot be told apart by their URLs, and may be
      // opened twice.
      guard let schema = ServerPlace.schema(of: url) else { return nil }
      return (try? ServerPlace(url, schema: schema))?.identity
    }

    override class var isFile: Bool { true }

    override class func isPresent(at url: URL, options: [AnyHashable: Any]?) throws -> Bool {
      try withConnection(url, options) { connection, place in try StoreRow.read(connection, place: place.display) != nil
      }
    }

    override class func metadata(at url: URL, options: [AnyHashable: Any]?) throws -> [String: Any] {
      try withConnection(url, options) { connection, place in
        guard let row = try StoreRow.read(connection, place: place.display) else { throw OpenedServer.missing(place) }
        return row.metadata.dictionary
      }
    }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
      try metadata(at: url, options: nil)
    }

    override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
      try setMetadata(metadata, at: url, options: nil)
    }

    override class func setMetadata(_ metadata: [String: Any]?, at url: URL, options: [AnyHashable: Any]?) throws {
      try replaceMetadata(at: url, options, with: metadata)
    }

    override class func keptModel(at place: MigrationPlace) throws -> NSManagedObjectModel? {
      try withConnection(place.url, place.options) { connection, server in
        guard let row = try StoreRow.read(connection, place: server.display) else { throw OpenedServer.missing(server) }
        return try ModelCache.decode(row.model)
      }
    }

    override class func migrate(
      _ place: MigrationPlace, by migration: InferredMigration, configuration: String?, defers: Bool
    ) throws { try migrateInPlace(place, by: migration, configuration: configuration) }

    override class func beginExchange(_ place: MigrationPlace) throws -> any StoreExchanging { try exchange(place) }

    override class func workingURL(beside place: MigrationPlace) throws -> URL? { try makeWorkingURL(beside: place) }

    override class func destroyStore(at url: URL, options: [AnyHashable: Any]?, letGo: () throws -> Void) throws {
      try drop(at: url, options: options, letGo: letGo)
    }

    override class func replaceStore(
      at url: URL, options: [AnyHashable: Any]?, with source: URL, sourceOptions: [AnyHashable: Any]?
    ) throws { try replace(at: url, options: options, with: source, sourceOptions: sourceOptions) }

    override func noteReplacement(at url: URL) throws { noteReplacement(of: url) }
  }
#endif
