#if PostgreSQL
  @_spi(Store) import OpenCoreData

  /// How the table of a root entity is migrated: altered in place, or created anew from the rows of old tables.
  ///
  /// The server adds, drops and renames columns without writing rows. So a table is created anew only if its rows come
  /// from several tables, or its values come from other tables.
  struct ServerTableMigration {
    let table: SQLTable
    /// The old table that becomes this one; nil if rows are copied.
    private(set) var taken: String?
    /// The statements that create and fill a new table; they read only old tables.
    private(set) var filling: [MigrationPlan.Step] = []
    /// The statements that alter the old table, under its old name.
    private(set) var altering: [MigrationPlan.Step] = []
    /// The old columns whose indexes must be dropped.
    private(set) var touchedColumns: Set<String> = []
    /// The name of a new table until the old ones are dropped.
    private(set) var temporaryName: String?
    /// How many rows the table must have afterwards.
    private(set) var expectedRows: Int64 = 0

    private let versions: StoreVersions
    private let columns: [Int: EntityColumns]
    private let feeds: [TableFeed]

    /// - Parameters:
    ///   - columns: the sources of the entities' columns, by the new entity's number.
    ///   - free: whether no other new table has taken an old one.
    init(_ table: SQLTable, _ versions: StoreVersions, columns: [Int: EntityColumns], free: (String) -> Bool) {
      (self.table, self.versions, self.columns) = (table, versions, columns)
      feeds = versions.feeds[table.name] ?? []
      if let home = versions.homes[table.name], free(home), versions.contents.hasTable(home), alter(home) {
        taken = home
      } else {
        fill()
      }
    }

    /// What happens to the table, for people.
    var method: MigrationPlan.Method {
      if let taken { return altering.isEmpty && taken == table.name ? .untouched : .altered }
      return feeds.isEmpty ? .created : .rebuilt
    }

    private func quoted(_ name: String) -> String { versions.quoted(name) }

    private func step(_ sql: String, rows: Int64 = 0) -> MigrationPlan.Step {
      MigrationPlan.Step(.sql(sql), rows: rows, subject: table.name)
    }

    // MARK: Values of columns

    private typealias Origin = (old: SQLEntity, source: ColumnSource?)

    private func origins(_ column: String, _ feed: TableFeed) -> [Origin] {
      feed.pairs.map { ($0.old, columns[$0.new.number]?.sources[column]) }
    }

    private func text(_ source: ColumnSource?) -> String { source?.sql ?? source?.base.map(quoted) ?? "NULL" }

    /// Returns one expression for the rows of all entities of an old table.
    private func expression(_ origins: [Origin]) -> String {
      let known = origins.map { ($0.old.number, text($0.source)) }
      guard Set(known.map(\.1)).count > 1 else { return known.first?.1 ?? "NULL" }
      let cases = known.filter { $0.1 != "NULL" }.map { "WHEN \($0.0) THEN \($0.1)" }
      return "CASE \(versions.entityNumber) \(cases.joined(separator: " ")) END"
    }

    private func number(_ feed: TableFeed) -> String {
      if feed.pairs.allSatisfy({ $0.old.number == $0.new.number }) { return versions.entityNumber }
      if feed.pairs.count == 1 { return "\(feed.pairs[0].new.number)" }
      let cases = feed.pairs.map { "WHEN \($0.old.number) THEN \($0.new.number)" }
      return "CASE \(versions.entityNumber) \(cases.joined(separator: " ")) END"
    }

    /// Returns the entities with rows in an old table that do not become rows of this table.
    private func others(_ feed: TableFeed) -> [SQLEntity] {
      let taken = Set(feed.pairs.map(\.old.number))
      return (versions.names.oldEntities[feed.table] ?? []).filter {
        !$0.entity.isAbstract && !taken.contains($0.number)
      }
    }

    // MARK: A new table

    private mutating func fill() {
      let fixed = versions.new.dialect.columns, name = "_new.\(table.entityNumbers.first ?? 0)"
      temporaryName = name
      filling.append(
        step(
          DDL.text(.create(SQLTableDefinition(table, fixed: fixed, named: name)), versions.new)
            + " WITH (fillfactor = 90)"))
      for feed in feeds where versions.contents.hasTable(feed.table) {
        let values = table.columns.map { (quoted($0.name), expression(origins($0.name, feed))) }.filter {
          $0.1 != "NULL"
        }
        let key = feed.offset == 0 ? versions.key : "\(versions.key) + \(feed.offset)"
        let names = (fixed.all.map(quoted) + values.map(\.0)).joined(separator: ", ")
        let expressions = ([key, number(feed), quoted(fixed.version)] + values.map(\.1)).joined(separator: ", ")
        let numbers = feed.pairs.map { "\($0.old.number)" }.joined(separator: ", ")
        let count = feed.pairs.reduce(0) { $0 + versions.contents.rowCount(of: feed.table, entity: $1.old.number) }
        expectedRows += count
        filling.append(
          step(
            "INSERT INTO \(quoted(name)) (\(names)) SELECT \(expressions) FROM \(quoted(feed.table)) "
              + "WHERE \(versions.entityNumber) IN (\(numbers))", rows: count))
      }
    }

    // MARK: The old table

    /// Works out how the old table becomes this one. Returns false if rows have to be copied.
    private mutating func alter(_ home: String) -> Bool {
      guard feeds.count <= 1, let before = versions.names.oldTables[home] else { return false }
      let feed = feeds.first ?? TableFeed(table: home, offset: 0, pairs: [])
      guard table.columns.allSatisfy({ origins($0.name, feed).allSatisfy { $0.source?.isLocal ?? true } }) else {
        return false
      }
      var change = TableAlteration(home, before, versions)
      for column in table.columns {
        let origins = origins(column.name, feed)
        let bases = Set(origins.compactMap { $0.source?.base })
        if let base = bases.first, bases.count == 1, change.take(base) {
          let changed = origins.filter { old, source in
            // Rows of entities without such a column have no value in it, and need no change.
            if text(source) == "NULL" { return old.columns.contains { $0.allNames.contains(base) } }
            return source != .keep(base)
          }
          let isOne = Set(origins.map { text($0.source) }).count == 1
          let numbers = changed.map { "\($0.old.number)" }.joined(separator: ", ")
          change.keep(
            base, as: column, value: changed.isEmpty ? nil : expression(origins),
            condition: isOne ? origins.first?.source?.condition : "\(versions.entityNumber) IN (\(numbers))")
        } else if feed.pairs.isEmpty, change.take(column.name, ofType: column.type) {
          // A table without rows keeps a column of the same name and type.
          change.keep(column.name, as: column, value: nil, condition: nil)
        } else {
          let value = expression(origins)
          let isConstant =
            bases.isEmpty && Set(origins.map { text($0.source) }).count == 1 && !value.hasPrefix("CASE ")
          change.add(column, value: value == "NULL" ? nil : value, isConstant: isConstant)
        }
      }
      let moved = feed.pairs.filter { $0.old.number != $0.new.number }
      if !moved.isEmpty {
        change.set(
          versions.new.dialect.columns.entity, number(feed),
          "\(versions.entityNumber) IN (\(moved.map { "\($0.old.number)" }.joined(separator: ", ")))")
      }
      let gone = others(feed)
      let count = gone.reduce(0) { $0 + versions.contents.rowCount(of: home, entity: $1.number) }
      let rows = versions.contents.rowCount(of: home)
      expectedRows = rows - count
      if count > 0 {
        let numbers = gone.map { "\($0.number)" }.joined(separator: ", ")
        altering.append(
          step("DELETE FROM \(quoted(home)) WHERE \(versions.entityNumber) IN (\(numbers))", rows: count))
      }
      altering += change.statements.map { step($0.text, rows: $0.writesRows ? rows : 0) }
      touchedColumns = change.touchedColumns
      return true
    }
  }
#endif
