#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// Migrates a store in place, in one transaction of the server: before the commit every reader sees the old version,
  /// and afterwards the new one.
  ///
  /// Saves of other processes wait from the beginning of the migration and fail when it is done; so do saves of other
  /// coordinators of this process.
  struct ServerMigration {
    let place: ServerPlace
    let options: ServerOptions
    let migration: InferredMigration
    /// The configuration of the destination that the store holds; nil for all entities.
    let configuration: String?

    /// - Throws: 134110 for rows without required values, with numbers that do not fit, or with several members where
    ///   only one is allowed; 134111 for rows that are equal and must not be; 134140 if no mapping can be inferred;
    ///   134130 for a store of neither model; 134090 for a lock that is not released in time; and the server's other
    ///   errors. After an error the store is unchanged.
    func run() throws {
      MigrationLog.write("beginning lightweight migration on the server at \(place.display)")
      // Encoding a large model takes a moment; it is done before the store is locked, so that no other program waits
      // for it.
      let model = try ModelCache.encode(migration.destination)
      try StoreLock.retrying(timeout: options.timeout) { lockTimeout in
        let connection = try OpenedServer.connect(place, options)
        defer { connection.close() }
        let lock = StoreLock(connection, place)
        do {
          try lock.take(timeout: lockTimeout)
          // Another process may have migrated the store first.
          let row = try lock.storeRow()
          if row.metadata.differences(from: entities).isEmpty { return try connection.execute("ROLLBACK") }
          try carryOut(row, model, connection)
          try connection.commit()
        } catch {
          if connection.isUsable { try? connection.execute("ROLLBACK") }
          throw error
        }
      }
      MigrationLog.write("completed lightweight migration on the server at \(place.display)")
    }

    /// Returns the plan for the store in its present state, with counts of the rows that prevent the migration. This
    /// changes nothing.
    func plan() throws -> MigrationPlan {
      let connection = try OpenedServer.connect(place, options)
      defer { connection.close() }
      try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      guard let row = try StoreRow.read(connection, place: place.display) else { throw OpenedServer.missing(place) }
      let planner = try planner(row, connection)
      var plan = planner.plan()
      plan.steps += planner.computed.compactMap(planner.statement)
      for index in plan.checks.indices {
        plan.checks[index].violations = try connection.integer(plan.checks[index].sql)
      }
      return plan
    }

    private var entities: [NSEntityDescription] {
      migration.destination.entities(forConfigurationName: configuration) ?? []
    }

    private func carryOut(_ row: StoreRow, _ model: Data, _ connection: ServerConnection) throws {
      let planner = try planner(row, connection)
      let plan = planner.plan()
      MigrationLog.write(
        "in-place migration has \(plan.checks.count) checks and \(plan.steps.count) steps, which touch "
          + "\(plan.rowsTouched) rows")
      for check in plan.checks {
        guard try connection.integer(check.sql) == 0 else { throw try refusal(check, connection) }
      }
      try HistoryRows(planner.versions).writeBits(connection)
      for step in plan.steps { try run(step, connection) }
      for derivation in planner.computed {
        if let step = planner.statement(derivation) {
          try run(step, connection)
        } else {
          try ComputedStrings(derivation, planner.versions.new).write(connection)
        }
      }
      try verify(plan, planner.versions, connection)
      var metadata = row.metadata
      metadata.describe(migration.destination, entities: entities)
      try StoreRow(metadata: metadata, version: row.version + 1, model: model).replace(connection)
    }

    private func planner(_ row: StoreRow, _ connection: ServerConnection) throws -> ServerMigrationPlanner {
      let names = Set((row.metadata.properties[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]).keys)
      let held = migration.source.entities.filter { names.contains($0.name ?? "") }
      guard row.metadata.differences(from: held).isEmpty else {
        throw StoreMigrationError.missingSource(place.display, row.metadata.dictionary)
      }
      let old = SQLModel(entities: held, dialect: PostgreSQLDialect())
      try checkNumbers(old, connection)
      let new = SQLModel(entities: entities, dialect: PostgreSQLDialect())
      try OpenedServer.checkLimits(of: new, place)
      let versions = StoreVersions(
        migration, old: old, new: new, contents: try StoreContents(connection, schema: old),
        words: ServerMigrationWords())
      try migration.check(holding: Set(new.entities.map(\.name)))
      return ServerMigrationPlanner(versions)
    }

    /// Checks that the entity numbers in the store are those of the model: rows are found by these numbers.
    private func checkNumbers(_ schema: SQLModel, _ connection: ServerConnection) throws {
      var found: [Int: String] = [:]
      try connection.query("SELECT number, name FROM \"_entity\"") { found[Int($0.int32($1, 0))] = $0.string($1, 1) }
      let known = Dictionary(schema.entities.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
      if found == known { return }
      throw StoreMigrationError.incomplete(
        place.display, "the table \"_entity\" does not have the numbers of the source model's entities")
    }

    private func run(_ step: MigrationPlan.Step, _ connection: ServerConnection) throws {
      guard case .sql(let text) = step.action else { return }
      do {
        try connection.execute(text)
      } catch let error as ServerError {
        if error.sqlState == "23505", let obstacle = step.obstacle { throw obstacle.error }
        throw error
      }
    }

    /// Returns the error for rows that violate a check.
    private func refusal(_ check: MigrationPlan.Check, _ connection: ServerConnection) throws -> NSError {
      guard let query = check.examples else { return check.obstacle.error }
      let obstacle = check.obstacle, examples = try connection.texts(query).joined(separator: "; ")
      return MigrationObstacle(
        kind: obstacle.kind, entity: obstacle.entity, property: obstacle.property,
        reason: "\(obstacle.reason): \(examples)"
      ).error
    }

    /// Checks that every table and column exists, and that the tables have the expected numbers of rows.
    private func verify(_ plan: MigrationPlan, _ versions: StoreVersions, _ connection: ServerConnection) throws {
      let found = try StoreContents(connection, schema: SQLModel(entities: [], dialect: PostgreSQLDialect()))
      for table in DDL.definitions(of: versions.new) {
        for column in table.columns where !found.hasColumn(column.name, in: table.name) {
          throw StoreMigrationError.incomplete(place.display, "the column \(column.name) of \(table.name) is missing")
        }
      }
      for (query, count) in plan.expectedRows {
        let rows = try connection.integer(query) ?? 0
        if rows != count {
          throw StoreMigrationError.incomplete(place.display, "\(query) gives \(rows) and not \(count)")
        }
      }
    }
  }
#endif
