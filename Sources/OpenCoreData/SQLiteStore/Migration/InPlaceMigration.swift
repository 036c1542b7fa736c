import CSQLite
import Foundation
import OpenCocoaFoundation

/// Migrates a SQLite store in place, by SQL alone.
///
/// Everything happens in one transaction of the file itself. Until it is committed, every reader sees the old version, and
/// after that the new one. A process that is killed leaves the log, or the journal, from which SQLite restores one of the
/// two. A copy beside the store that takes its place at the end would have disadvantages: programs that have the file open
/// would go on with the old one, the contents of the write-ahead log would have to be copied first, renaming file, log and
/// folder is not a single step, and everything would need room twice, where this needs it only for what changes.
///
/// Before the commit it is checked that all rows exist, and that the model fits the file. Files of values that are not needed
/// any more are removed after the commit: an interruption may leave a file that is not needed, but never a value without its
/// file.
package struct InPlaceMigration {
  let path: String
  package let migration: InferredMigration
  /// The configuration of the destination that the store holds; nil for all entities.
  let configuration: String?
  let options: StoreOptions
  /// Whether tables and columns that are not used any more stay for the time being.
  var defers = false

  init(
    path: String, migration: InferredMigration, configuration: String?, options: StoreOptions, defers: Bool = false
  ) {
    (self.path, self.migration, self.configuration) = (path, migration, configuration)
    (self.options, self.defers) = (options, defers)
  }

  /// A migration of the store at `url`.
  /// - Parameter source: The model that the store was made with; nil to look for it as opening the store does.
  /// - Throws: 134130 where no source model is found, 134080 for options of the wrong type, and what reading the store's
  ///   metadata throws.
  package init(
    storeAt url: URL, from source: NSManagedObjectModel? = nil, to destination: NSManagedObjectModel,
    configuration: String? = nil, options: [AnyHashable: Any]? = nil
  ) throws {
    let metadata = try StoreMetadata.read(at: url, options: options).dictionary
    let cached = { try StoredModel(contentsOf: url).model }
    guard let source = source ?? SourceModelSearch.model(metadata, cached: cached) else {
      throw StoreMigrationError.missingSource(url.path, metadata)
    }
    source.prepare()
    destination.prepare()
    self.init(
      path: try StoreFiles(url).path, migration: InferredMigration(from: source, to: destination),
      configuration: configuration, options: try StoreOptions(options))
  }

  /// The plan for the file as it is now; nothing is changed.
  /// - Parameter checking: Whether the rows are counted that are not as the migration needs them.
  /// - Throws: 134140 if no mapping can be inferred, and what reading the store throws.
  package func plan(checking: Bool = false) throws -> MigrationPlan {
    let connection = try StoreInspection.open(path, timeout: options.timeout)
    try connection.execute("BEGIN")
    defer { try? connection.execute("ROLLBACK") }
    guard let metadata = try StoreMetadata(connection) else { throw notAStore }
    let planner = try planner(metadata, connection).planner
    var plan = planner.plan()
    guard checking else { return plan }
    try Self.addFunctions(planner, connection)
    for index in plan.checks.indices { plan.checks[index].violations = try connection.integer(plan.checks[index].sql) }
    return plan
  }

  /// Registers the SQL functions that a plan's statements call.
  private static func addFunctions(_ planner: MigrationPlanner, _ connection: SQLiteConnection) throws {
    for function in [planner.history.function, NumberConversion.function] { try function.add(to: connection) }
  }

  /// Migrates the store.
  /// - Parameter progress: counts rows; the transaction is rolled back when it is cancelled.
  /// - Returns: the plan that was carried out; nil if another program had migrated the store in the meantime.
  /// - Throws: 134110 for rows without values that are required, with numbers that do not fit, or with several members where
  ///   one is allowed; 134111 for rows that are equal and must be unique; 134120 after a cancellation; 134140 if no mapping
  ///   can be inferred; 640 without room; SQLite's errors. The store is unchanged then.
  @discardableResult
  package func run(progress: Progress? = nil) throws -> MigrationPlan? {
    let connection = try SQLiteConnection(
      path: path, readOnly: false, create: false, timeout: options.timeout, pragmas: [])
    if sqlite3_db_readonly(connection.handle, "main") == 1 {
      throw NSError(
        coreData: CocoaError.Code.fileWriteNoPermission.rawValue,
        "The store at \(path) cannot be migrated: it cannot be written.", [NSFilePathErrorKey: path])
    }
    for (name, value) in options.writerPragmas(isPrivate: false) { _ = try connection.rows("PRAGMA \(name)=\(value)") }
    // Files go after the commit, which has to be on the disk by then.
    _ = try connection.rows("PRAGMA synchronous=FULL")
    MigrationLog.write("beginning lightweight migration on connection")
    // Encoding a large model needs as much memory for a moment as the plan does. Having both at once would need twice as
    // much.
    let cache = try ModelCache.encode(migration.destination)
    try connection.execute("BEGIN EXCLUSIVE")
    var files: [String] = []
    let plan: MigrationPlan
    do {
      guard let metadata = try StoreMetadata(connection) else { throw notAStore }
      if metadata.differences(from: entities).isEmpty {
        try connection.execute("ROLLBACK")
        return nil
      }
      let (planner, unused) = try self.planner(metadata, connection, finishing: true)
      plan = planner.plan()
      MigrationLog.write(
        "in-place migration has \(plan.checks.count) checks and \(plan.steps.count) steps, which touch "
          + "\(plan.rowsTouched) rows")
      files = try unused + carryOut(plan, planner, metadata, cache, connection, progress)
      try connection.execute("COMMIT")
    } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
    MigrationLog.write("completed lightweight migration on connection")
    // A reader may be in the way; then the log stays as long as it needs it.
    _ = try? connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    ExternalStorage(storePath: path).remove(files)
    progress.map { $0.completedUnitCount = $0.totalUnitCount }
    return plan
  }

  /// The error for rows that are not as they must be.
  private func refusal(_ check: MigrationPlan.Check, _ connection: SQLiteConnection) throws -> NSError {
    guard let query = check.examples else { return check.obstacle.error }
    let examples = try connection.rows(query).compactMap { $0[0] }.joined(separator: "; ")
    let obstacle = check.obstacle
    return MigrationObstacle(
      kind: obstacle.kind, entity: obstacle.entity, property: obstacle.property,
      reason: "\(obstacle.reason): \(examples)"
    ).error
  }

  private var entities: [NSEntityDescription] {
    migration.destination.entities(forConfigurationName: configuration) ?? []
  }

  private var notAStore: NSError {
    NSError(
      coreData: CocoaError.Code.fileReadCorruptFile.rawValue,
      "The file at \(path) is a SQLite database, but not a Core Data store: it has no metadata.",
      [NSFilePathErrorKey: path])
  }

  /// - Parameter finishing: whether the clean-up of an earlier migration is done first.
  /// - Returns: the planner, and the files that this clean-up makes useless.
  private func planner(
    _ metadata: StoreMetadata, _ connection: SQLiteConnection, finishing: Bool = false
  ) throws -> (planner: MigrationPlanner, unused: [String]) {
    let names = Set((metadata.properties[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]).keys)
    let held = migration.source.entities.filter { names.contains($0.name ?? "") }
    guard metadata.differences(from: held).isEmpty else {
      throw StoreMigrationError.missingSource(path, metadata.dictionary)
    }
    try checkNumbers(SQLModel(entities: held, dialect: SQLiteDialect()), connection)
    let old = try SQLModel(entities: held, in: connection)
    var unused: [String] = []
    if finishing { unused = try MigrationLeftovers(metadata).removeAll(connection, fileSchema: old) }
    let contents = try StoreContents(connection, schema: old)
    let new = SQLModel(entities: entities, dialect: SQLiteDialect())
    try new.checkLimits(path: path)
    let versions = StoreVersions(migration, old: old, new: new, contents: contents)
    try migration.check(holding: Set(versions.new.entities.map(\.name)))
    return (MigrationPlanner(versions, defers: defers), unused)
  }

  /// Makes sure that the numbers in the file are those of the model's entities: rows are found by them.
  private func checkNumbers(_ schema: SQLModel, _ connection: SQLiteConnection) throws {
    for row in try connection.rows("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY") {
      guard let number = row[0].flatMap({ Int($0) }), let name = row[1], let entity = schema.entity(number: number),
        // An older migration may have left an old name.
        entity.name != name, schema.entity(named: name) != nil
      else { continue }
      throw StoreMigrationError.incomplete(
        path, "number \(number) in Z_PRIMARYKEY is \(name) where the source model has \(entity.name)")
    }
  }

  // MARK: The transaction

  /// - Returns: the files that no row names afterwards.
  private func carryOut(
    _ plan: MigrationPlan, _ planner: MigrationPlanner, _ metadata: StoreMetadata, _ cache: Data,
    _ connection: SQLiteConnection, _ progress: Progress?
  ) throws -> [String] {
    try Self.addFunctions(planner, connection)
    let watch = MigrationWatch(progress, total: plan.rowsTouched + Int64(plan.steps.count + plan.checks.count) + 1)
    return try watch.observe(connection) {
      for check in plan.checks {
        try watch.advance(by: 1)
        guard try connection.integer(check.sql) == 0 else { throw try refusal(check, connection) }
      }
      let files = try plan.droppedFiles.flatMap { query in try references(query, connection) }
      for step in plan.steps {
        try watch.begin(step.rows + 1)
        do { try connection.execute(step.sql) } catch { throw named(error, step) }
        try watch.end()
      }
      try verify(plan, planner, connection)
      var metadata = metadata
      metadata.describe(migration.destination, entities: entities)
      plan.leftovers.write(to: &metadata)
      try metadata.write(connection)
      try write(cache, connection)
      // The deferred clean-up still refers to some of the files.
      let waiting = try plan.leftovers.files(connection)
      return files.filter { !waiting.contains($0) }
    } failure: { error in
      watch.isCancelled ? StoreMigrationError.cancelled(path) : error
    }
  }

  private func references(_ query: String, _ connection: SQLiteConnection) throws -> [String] {
    let statement = try SQLiteStatement(query, on: connection)
    statement.begin()
    var result: [String] = []
    while try statement.step() {
      if let name = statement.data(0)?.withUnsafeBytes({ ExternalReference($0)?.name }) { result.append(name) }
    }
    return result
  }

  /// The error of a step, with the step's subject.
  private func named(_ error: any Error, _ step: MigrationPlan.Step) -> any Error {
    if SQLiteError.isNotUnique(error), let obstacle = step.obstacle { return obstacle.error }
    let error = error as NSError
    var info = error.userInfo
    info["table"] = step.subject
    let entity = migration.entities.first {
      $0.destination?.superentity == nil && "Z\($0.name.uppercased())" == step.subject
    }
    info["entity"] = entity?.name
    return NSError(domain: error.domain, code: error.code, userInfo: info)
  }

  /// Checks that every table, every column and every row exists.
  private func verify(_ plan: MigrationPlan, _ planner: MigrationPlanner, _ connection: SQLiteConnection) throws {
    for table in planner.versions.new.tables {
      var wanted = [(table.name, ["Z_PK", "Z_ENT", "Z_OPT"] + table.columns.map(\.name))]
      wanted += table.joinTables.map { ($0.name, [$0.sourceColumn, $0.destinationColumn] + $0.orderColumns) }
      for (name, columns) in wanted {
        let found = Set(try connection.columns(of: name).map { $0.uppercased() })
        for column in columns where !found.contains(column.uppercased()) {
          throw StoreMigrationError.incomplete(path, "the column \(column) of \(name) is missing")
        }
      }
    }
    for (query, count) in plan.expectedRows {
      let found = try connection.integer(query) ?? 0
      if found != count { throw StoreMigrationError.incomplete(path, "\(query) gives \(found) and not \(count)") }
    }
  }

  private func write(_ modelCache: Data, _ connection: SQLiteConnection) throws {
    if try connection.integer("SELECT COUNT(*) FROM sqlite_master WHERE name = 'Z_MODELCACHE'") == 0 {
      try connection.execute("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
    }
    try connection.execute("DELETE FROM Z_MODELCACHE")
    let cache = try connection.statement("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES(?)")
    cache.bind(modelCache, at: 1)
    try cache.run()
  }
}
