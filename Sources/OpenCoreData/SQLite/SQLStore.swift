import CSQLite
import Foundation
import OpenCocoaFoundation
import Synchronization

/// A SQLite database in Apple's format, as one coordinator has it open.
///
/// One connection writes, under `writer`'s lock; a pool of others reads. `clock` counts the commits that this store has
/// seen, its own and other processes', and dates every cached row.
final class SQLStore: NSPersistentStore, @unchecked Sendable {  // see the locks of its parts
  let path: String
  let model: NSManagedObjectModel
  let schema: SQLModel
  let timeout: TimeInterval
  let writer: StoreWriter
  let rows: RowCache
  private(set) var readers: ReaderPool
  private let codecs: [RowCodec]
  /// By Z_ENT - 1: how an entity's values go into its columns.
  let writePlans: [ContiguousArray<WriteColumn>]
  private let storeIdentifier: String
  private let clock = Atomic<UInt64>(1)
  private let removesFilesOnClose: Bool
  private let traces: ReadingTraces?
  let commitsUntilLook = Atomic<Int>(64)
  let plans = PlanCache()
  let fetchPlans = FetchPlanCache()

  init(opened: OpenedStore, model: NSManagedObjectModel, configurationName: String?, options: [AnyHashable: Any]?) {
    path = opened.path
    self.model = model
    schema = opened.schema
    timeout = opened.timeout
    writer = StoreWriter(opened.connection)
    rows = RowCache(entityCount: model.entities.count)
    let open = opened.openReader
    readers = ReaderPool(limit: 8, open: open)
    let file = URL(fileURLWithPath: path)
    let external = file.deletingLastPathComponent()
      .appendingPathComponent(".\(file.deletingPathExtension().lastPathComponent)_SUPPORT/_EXTERNAL_DATA")
    codecs = schema.entities.map { RowCodec($0, in: opened.schema, externalFolder: external) }
    writePlans = schema.entities.map { entity in
      let layout = entity.entity.layout
      return ContiguousArray(
        entity.columns.map { column in
          let slot = layout.slot(named: column.propertyName)
          return WriteColumn(slot: slot?.kind == .unsupported ? nil : slot, width: column.names.count)
        })
    }
    storeIdentifier = opened.identifier
    removesFilesOnClose = opened.isPrivate
    traces = opened.traces
    super.init(
      url: opened.url, configurationName: configurationName, options: options, isReadOnly: opened.isReadOnly)
    metadata = opened.metadata
    readers.whenIdle = { [weak self] in self?.checkpointWhenIdle() }
    // From here on the writer knows what is new.
    _ = writer.seesForeignCommit()
  }

  deinit { close() }

  override var identifier: String { storeIdentifier }

  func codec(_ entity: SQLEntity) -> RowCodec { codecs[entity.number - 1] }

  /// The layout of the entity that rows with that Z_ENT belong to.
  func layout(number: Int) -> EntityLayout? { schema.entity(number: number)?.entity.layout }

  /// The store's side of an entity; one that the store does not hold is an error.
  func entity(_ entity: NSEntityDescription) throws -> SQLEntity {
    if let known = schema.entity(for: entity) { return known }
    throw NSError(
      coreData: NSCoreDataError, "The store at \(path) does not hold the entity '\(entity.name ?? "")'.")
  }

  /// Closes the connections; files of a private store go with it.
  func close() {
    readers.close()
    writer.close()
    traces?.remove()
    if removesFilesOnClose { PrivateStoreFolder.remove(storePath: path) }
  }

  // MARK: Commits

  /// The number of the latest commit that is known here.
  @inline(__always)
  var latestCommit: UInt64 { clock.load(ordering: .acquiring) }

  /// Counts a commit; the number goes to everything that it wrote.
  func nextCommit() -> UInt64 { clock.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue }

  /// Begins a read transaction and tells the commit that it reads at.
  ///
  /// It is 0, and what is read is neither kept in the cache nor taken from it, where that cannot be told: a save is just
  /// becoming visible, and others that still read at the commit before must not get its rows. That is over in a moment,
  /// unless the save is a large one, so it is worth a few attempts.
  func beginRead(_ connection: SQLiteConnection) throws -> UInt64 {
    var commit = try beginAndNotice(connection)
    var attempts = 0
    while commit == 0, attempts < 10 {
      attempts += 1
      try connection.statement("COMMIT").run()
      usleep(50)
      commit = try beginAndNotice(connection)
    }
    return commit
  }

  /// Moves an open read transaction to the latest commit; nil when it is there already.
  func refreshIfStale(_ connection: SQLiteConnection, from commit: UInt64) throws -> UInt64? {
    try connection.statement("COMMIT").run()
    return try beginRead(connection)
  }

  /// Begins a read transaction, and notices if another process, or another coordinator, has committed since the last one
  /// on this connection; then nothing cached holds any more, and the transaction is no good: 0.
  ///
  /// A reader's data_version changes with this store's own commits too. Where some of those may have come between, and
  /// for a connection that is new, the writer's tells: it changes with others' commits alone. While a save runs it cannot
  /// be asked; then the next transaction asks again.
  private func beginAndNotice(_ connection: SQLiteConnection) throws -> UInt64 {
    let finished = writer.commitsFinished
    let commit = latestCommit
    try connection.statement("BEGIN").run()
    let version = try connection.integer("PRAGMA data_version") ?? 0
    let begun = writer.commitsBegun
    let isForeign: Bool?
    if connection.dataVersion == version {
      isForeign = false
    } else if connection.dataVersion != nil, connection.seenCommits == begun {
      isForeign = true
    } else {
      isForeign = writer.seesForeignCommit()
    }
    connection.dataVersion = isForeign == nil ? nil : version
    connection.seenCommits = finished
    if isForeign == true { forgetEverything() }
    return isForeign == false && finished == begun ? commit : 0
  }

  /// Dates everything anew: rows read before now are not kept any more.
  func forgetEverything() {
    let commit = nextCommit()
    for number in 0...model.entities.count { rows.invalidate(rootNumber: number, before: commit, all: true) }
    rows.invalidateRelations(before: commit)
  }
}
