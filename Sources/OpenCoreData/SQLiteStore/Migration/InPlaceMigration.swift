import CSQLite
import Foundation
import OpenCocoaFoundation

/// Migrates a SQLite store where it is, by SQL alone.
///
/// Everything happens in one transaction of the file itself. Until the transaction is committed, every reader sees the old
/// version, and after that the new one. If the process is killed, SQLite restores one of the two versions from the log or the
/// journal. A copy beside the store that replaces it at the end would be worse: others may have the file open and would go on
/// with the old one; the contents of the write-ahead log would have to be copied first; file, log and folder cannot be
/// renamed in a single step; and a copy needs room for all data twice, a migration in place only for the data that change.
///
/// Before the commit, the migration checks that all rows exist and that the tables fit the model. Files of values that are
/// not needed any more are removed after the commit, so that a crash in between may leave a file too many, but never a value
/// without its file.
package struct InPlaceMigration {
  private let storeFiles: StoreFiles
  package let migration: InferredMigration
  /// The configuration of the destination model that the store holds; nil for all entities.
  let configuration: String?
  let options: StoreOptions
  /// Whether tables and columns that are not used any more stay until a later clean-up.
  var defers = false

  private var path: String { storeFiles.path }

  init(
    files: StoreFiles, migration: InferredMigration, configuration: String?, options: StoreOptions, defers: Bool = false
  ) {
    (storeFiles, self.migration, self.configuration) = (files, migration, configuration)
    (self.options, self.defers) = (options, defers)
  }

  /// Makes a migration of the store at `url`.
  /// - Parameter source: The model with which the store was made; nil to look for it in the way that opening a store does.
  /// - Throws: 134130 if no source model is found, 134080 for options of the wrong type, and the errors of reading the
  ///   store's metadata.
  package init(
    storeAt url: URL, from source: NSManagedObjectModel? = nil, to destination: NSManagedObjectModel,
    configuration: String? = nil, options: [AnyHashable: Any]? = nil
  ) throws {
    let read = { try StoreMetadata.read(at: url, options: options).dictionary }
    let found =
      if let source {
        (model: source, metadata: try read())
      } else {
        try SourceModelSearch.model(readingMetadata: read, cached: { try StoredModel(contentsOf: url).model })
      }
    guard let source = found.model else { throw StoreMigrationError.missingSource(url.path, found.metadata) }
    try source.prepareWithinLimits()
    try destination.prepareWithinLimits()
    self.init(
      files: try StoreFiles(url), migration: InferredMigration(from: source, to: destination),
      configuration: configuration, options: try StoreOptions(options))
  }

  /// Returns the plan for the present state of the file, without changing anything.
  /// - Parameter checking: Whether the rows that violate the migration's conditions are counted.
  /// - Throws: 134140 if no mapping can be inferred, and the errors of reading the store.
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
  /// - Parameter progress: counts rows. Cancelling it rolls the transaction back.
  /// - Returns: the plan that was carried out; nil if somebody else had migrated the store meanwhile.
  /// - Throws: 134110 for rows without values that they must have, with numbers that do not fit, or with several members
  ///   where one may be; 134111 for rows that are equal and must not be; 134120 after a cancellation; 134140 if no mapping
  ///   can be inferred; 640 if there is no room; otherwise SQLite's errors. Then the store is as it was.
  @discardableResult
  package func run(progress: Progress? = nil) throws -> MigrationPlan? {
    // Values come into rows, or their files go, only where they belong.
    StrayedValues.move(storeFiles)
    MigrationLog.write("beginning lightweight migration on connection")
    // Encoding a large model needs as much memory for a moment as the plan. It is done before the plan is made, so that the
    // two do not need memory at the same time.
    let cache = try ModelCache.encode(migration.destination)
    let connection = try beginTransaction()
    var files: [String] = []
    let external = storeFiles.external
    var mark: ExternalMark?
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
      mark = files.isEmpty ? nil : external.mark()
      try connection.execute("COMMIT")
    } catch {
      try? connection.execute("ROLLBACK")
      // Where the commit may be on the disk in spite of the error, the mark tells of the files.
      if !SQLiteError.leavesOpen(error) { mark?.remove() }
      throw error
    }
    MigrationLog.write("completed lightweight migration on connection")
    // A reader may prevent this; then the log stays as long as the reader needs it, and nobody waits for the reader.
    connection.waitForLocks(0)
    _ = try? connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    SettledCommits.remove(files, of: external, marked: mark, connection)
    progress.map { $0.completedUnitCount = $0.totalUnitCount }
    return plan
  }

  /// Opens the file, and begins a transaction that keeps others from writing and, without a log, from reading.
  private func beginTransaction() throws -> SQLiteConnection {
    let connection = try SharedIndex.writable(path, timeout: options.timeout)
    if sqlite3_db_readonly(connection.handle, "main") == 1 {
      throw NSError(
        coreData: CocoaError.Code.fileWriteNoPermission.rawValue,
        "The store at \(path) cannot be migrated: it cannot be written.", [NSFilePathErrorKey: path])
    }
    for (name, value) in options.writerPragmas(isPrivate: false) { _ = try connection.rows("PRAGMA \(name)=\(value)") }
    try connection.findStrayedValues(of: storeFiles.external)
    // Files are removed after the commit, which has to be on the disk by then.
    _ = try connection.rows("PRAGMA synchronous=FULL")
    try connection.execute("BEGIN EXCLUSIVE")
    return connection
  }

  /// Returns the error for rows that violate a check, with examples.
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
  /// - Returns: the planner, and the files that nothing needs after this clean-up.
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

  /// Makes sure that the entity numbers in the file are those of the model, because rows are found by their numbers.
  private func checkNumbers(_ schema: SQLModel, _ connection: SQLiteConnection) throws {
    for row in try connection.rows("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY") {
      guard let number = row[0].flatMap({ Int($0) }), let name = row[1], let entity = schema.entity(number: number),
        // Z_PRIMARYKEY may have an old name of the entity, which an older migration has left.
        entity.name != name, schema.entity(named: name) != nil
      else { continue }
      throw StoreMigrationError.incomplete(
        path, "number \(number) in Z_PRIMARYKEY is \(name) where the source model has \(entity.name)")
    }
  }

  // MARK: The transaction

  /// - Returns: the files that no row names after the migration.
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
      // Tables and columns that wait for a later clean-up still refer to some of the files.
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

  /// Returns the error of a step, with the table and entity that the step is about.
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

  /// Makes sure that all tables, columns and rows exist.
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
