#if PostgreSQL
  @_spi(Store) import OpenCoreData

  /// Makes the plan of a migration in place: the statements that lead from the old model and the store's contents to
  /// the new model.
  ///
  /// The statements come in an order in which each finds what it needs, as in SQLite's plan. First indexes are dropped.
  /// Then new tables are created and filled, which reads only old tables. Then the tables that stay are altered, the
  /// others are dropped, and tables are renamed. At last come indexes, the order of members, history, and the numbers
  /// of entities.
  struct ServerMigrationPlanner {
    let versions: StoreVersions
    private let derived: DerivedMigration
    private var columns: [Int: EntityColumns] = [:]
    private var tables: [ServerTableMigration] = []
    private var joins: [ServerJoinMigration] = []

    init(_ versions: StoreVersions) {
      self.versions = versions
      derived = DerivedMigration(versions)
      for (number, before) in versions.predecessors {
        guard let entity = versions.new.entity(number: number), let change = versions.migrations[number] else {
          continue
        }
        columns[number] = EntityColumns(before, entity, change, versions, derived)
      }
      var taken: Set<String> = []
      // The new table of the root entity after which the old table was named takes precedence.
      func rank(_ table: SQLTable) -> (Int, Int) {
        let root = table.entityNumbers.first ?? 0
        return (versions.predecessors[root].map { $0.superentity == nil } ?? false ? 0 : 1, root)
      }
      for table in versions.new.tables.sorted(by: { rank($0) < rank($1) }) {
        let made = ServerTableMigration(table, versions, columns: columns) { !taken.contains($0) }
        if let name = made.taken { taken.insert(name) }
        tables.append(made)
      }
      for (place, table) in versions.new.tables.flatMap(\.joinTables).enumerated() {
        let made = ServerJoinMigration(table, versions, place: place) { !taken.contains($0) }
        if let name = made.taken { taken.insert(name) }
        joins.append(made)
      }
    }

    /// The attributes that are computed from other attributes of the row after all statements have run, in this order.
    var computed: [SQLDerivation] { derived.recomputed }

    /// Returns the statement that computes a derived attribute; nil if the framework computes it, because the server's
    /// string functions differ.
    func statement(_ derivation: SQLDerivation) -> MigrationPlan.Step? {
      switch derivation.kind {
      case .row(let function, _) where function != .copy: return nil
      case .row(_, let source): return derived.step(derivation, versions.quoted(source.columnName))
      default: break
      }
      let type = (versions.new.dialect as? PostgreSQLDialect)?.typeName(derivation.attribute.type) ?? "numeric"
      return derived.step(derivation, "(\(derived.value(of: derivation)))::\(type)")
    }

    func plan() -> MigrationPlan {
      var plan = MigrationPlan()
      plan.entities = changedEntities
      for number in columns.keys.sorted() {
        guard let columns = columns[number], versions.predecessors[number]?.entity.isAbstract == false else { continue }
        for check in columns.checks
        where !plan.checks.contains(where: { $0.obstacle == check.obstacle && $0.sql == check.sql }) {
          plan.checks.append(check)
        }
      }
      plan.checks += abstractChecks
      let indexes = ServerIndexMigration(versions, tables: tables, joins: joins)
      plan.steps += indexes.drops
      plan.steps += tables.flatMap(\.filling) + joins.flatMap(\.filling)
      plan.steps += tables.flatMap(\.altering) + joins.flatMap(\.altering)
      plan.steps += removals + renamings + sequences
      plan.steps += indexes.creations + places
      plan.steps += HistoryRows(versions).steps + entities
      plan.expectedRows = tables.map { ("SELECT count(*) FROM \(versions.quoted($0.table.name))", $0.expectedRows) }
      return plan
    }

    private func step(_ sql: String, _ subject: String, rows: Int64 = 0) -> MigrationPlan.Step {
      MigrationPlan.Step(.sql(sql), rows: rows, subject: subject)
    }

    /// The checks for objects of entities that are abstract in the new model.
    private var abstractChecks: [MigrationPlan.Check] {
      versions.predecessors.sorted { $0.key < $1.key }.compactMap { number, before in
        guard let entity = versions.new.entity(number: number), entity.entity.isAbstract, !before.entity.isAbstract
        else { return nil }
        return MigrationPlan.Check(
          sql:
            "SELECT count(*) FROM \(versions.quoted(before.tableName)) WHERE \(versions.entityNumber) = \(before.number)",
          obstacle: MigrationObstacle(
            kind: .abstractEntity, entity: entity.name, property: nil,
            reason: "it is abstract now, and there is an object that is of none of its subentities"))
      }
    }

    // MARK: Names

    private var taken: [(old: String, new: String)] {
      let all = tables.map { ($0.taken, $0.table.name) } + joins.map { ($0.taken, $0.table.name) }
      return all.compactMap { old, new in old.map { ($0, new) } }
    }

    /// Drops the old tables that do not become new ones.
    private var removals: [MigrationPlan.Step] {
      let kept = Set(taken.map(\.old))
      return versions.old.tables.flatMap { [$0.name] + $0.joinTables.map(\.name) }
        .filter { !kept.contains($0) && versions.contents.hasTable($0) }
        .map { step("DROP TABLE \(versions.quoted($0))", $0) }
    }

    private var renamings: [MigrationPlan.Step] {
      let made = tables.map { ($0.temporaryName, $0.table.name) } + joins.map { ($0.temporaryName, $0.table.name) }
      let all =
        TableAlteration.ordered(taken.filter { $0.old != $0.new })
        + made.compactMap { old, new in old.map { ($0, new) } }
      return all.map { old, new in
        step("ALTER TABLE \(versions.quoted(old)) RENAME TO \(versions.quoted(new))", new)
      }
    }

    /// Each root entity keeps the sequence of the table from which its rows come. Rows of other tables get keys after
    /// those of that table, and new keys come after these.
    private var sequences: [MigrationPlan.Step] {
      func name(_ table: SQLTable, _ model: SQLModel) -> String? {
        table.entityNumbers.first.flatMap(model.entity(number:)).map {
          model.dialect.naming.column(of: [$0.root.name, "_pk"])
        }
      }
      var free = Dictionary(
        versions.old.tables.compactMap { table in name(table, versions.old).map { (table.name, $0) } },
        uniquingKeysWith: { first, _ in first })
      var moved: [(old: String, new: String)] = [], later: [MigrationPlan.Step] = []
      for migration in tables {
        guard let new = name(migration.table, versions.new) else { continue }
        let home = versions.homes[migration.table.name]
        if let old = home.flatMap({ free.removeValue(forKey: $0) }) {
          if old != new { moved.append((old, new)) }
          if migration.taken != nil { continue }
        } else {
          later.append(
            step(
              "CREATE SEQUENCE \(versions.quoted(new)) AS bigint INCREMENT BY \(ServerKeys.block)", migration.table.name
            ))
        }
        let next = versions.highestKey(of: migration.table) + 1
        later.append(
          step(
            "SELECT setval(\(versions.new.dialect.literal(.text(versions.quoted(new)))), \(next), false)",
            migration.table.name))
      }
      let gone = free.values.sorted().map { step("DROP SEQUENCE IF EXISTS \(versions.quoted($0))", $0) }
      let renamed = TableAlteration.ordered(moved).map { old, new in
        step("ALTER SEQUENCE \(versions.quoted(old)) RENAME TO \(versions.quoted(new))", new)
      }
      return gone + renamed + later
    }

    // MARK: What follows

    /// The order of members in relationships that had no order: that of the members' keys, with the usual gaps.
    private var places: [MigrationPlan.Step] {
      versions.new.entities.flatMap { entity in
        entity.columns.compactMap { column -> MigrationPlan.Step? in
          guard case .toOne(let toOne) = column, let order = toOne.orderColumn.map(versions.quoted),
            entity.superentity?.toOne(named: toOne.relationship.name) == nil
          else { return nil }
          let origins = RelationshipPairs.origins(of: toOne.relationship, in: versions)
          guard origins.contains(where: { $0.inverseOrder == nil }) else { return nil }
          let (table, owner) = (versions.quoted(entity.tableName), versions.quoted(toOne.keyColumn))
          let known = origins.allSatisfy { $0.inverseOrder == nil } ? "" : "\(order) NULLS LAST, "
          return step(
            "UPDATE \(table) t SET \(order) = n.place FROM (SELECT \(versions.key) AS k, (row_number() OVER (PARTITION BY "
              + "\(owner) ORDER BY \(known)\(versions.key)) + 1) * 1024 AS place FROM \(table) WHERE \(owner) IS NOT NULL) n "
              + "WHERE n.k = t.\(versions.key)", entity.tableName,
            rows: origins.reduce(0) { $0 + versions.contents.rowCount(of: $1.table) })
        }
      }
    }

    // MARK: For people

    private var changedEntities: [MigrationPlan.Entity] {
      let made = Dictionary(tables.map { ($0.table.name, $0) }, uniquingKeysWith: { first, _ in first })
      return versions.migration.entities.compactMap { change in
        if let destination = change.destination {
          guard let entity = versions.new.entity(for: destination), let table = made[entity.tableName] else {
            return nil
          }
          let before = versions.predecessors[entity.number]
          return MigrationPlan.Entity(
            name: entity.name, source: before?.name, kind: before == nil ? .added : change.kind,
            table: table.table.name, method: table.method,
            rows: before.map { versions.contents.rowCount(of: $0.tableName, entity: $0.number) } ?? 0,
            changes: before == nil ? [] : change.lines,
            keyOffset: before.flatMap { versions.successors[$0.number]?.offset } ?? 0)
        }
        guard let entity = change.source.flatMap(versions.old.entity(for:)) else { return nil }
        return MigrationPlan.Entity(
          name: entity.name, source: entity.name, kind: .removed, table: entity.tableName, method: .removed,
          rows: versions.contents.rowCount(of: entity.tableName, entity: entity.number), changes: [])
      }
    }

    /// The statements that fill the table of the entities' numbers, which follow from the entities' names.
    private var entities: [MigrationPlan.Step] {
      let literal = versions.new.dialect.literal
      let rows = versions.new.entities.map { "(\($0.number), \(literal(.text($0.name))), \($0.root.number))" }
      return [step("DELETE FROM \"_entity\"", "_entity")]
        + (rows.isEmpty ? [] : [step("INSERT INTO \"_entity\" VALUES \(rows.joined(separator: ", "))", "_entity")])
    }
  }
#endif
