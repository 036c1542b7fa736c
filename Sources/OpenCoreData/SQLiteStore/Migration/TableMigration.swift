/// How the table of a root entity is migrated: left as it is, altered in place, or created anew.
struct TableMigration {
  let table: SQLTable
  /// The old table that is altered in place, or left as it is; nil if rows are copied to a new table.
  private(set) var taken: String?
  private(set) var method = MigrationPlan.Method.created
  /// The statements that create and fill a new table; they read old tables only.
  private(set) var filling: [MigrationPlan.Step] = []
  /// The statements that alter the old table, under its old name.
  private(set) var altering: [MigrationPlan.Step] = []
  /// The old columns that are not used any more. They stay until a later clean-up if the migration defers that.
  private(set) var droppedColumns: [String] = []
  /// The old columns that are dropped, renamed or changed; indexes on them are dropped first.
  private(set) var touchedColumns: Set<String> = []
  /// The name under which a new table is created if an old table still has its name; nil for its own name.
  private(set) var temporaryName: String?

  /// How many rows the table must have after the migration.
  private(set) var expectedRows: Int64 = 0

  private let versions: StoreVersions
  private let columns: [Int: EntityColumns]
  private let feeds: [TableFeed]

  /// - Parameters:
  ///   - columns: where the columns of entities come from, by the new entity's number.
  ///   - free: whether an old table may still be taken for this one.
  ///   - defers: whether columns that are not used any more stay until a later clean-up.
  init(
    _ table: SQLTable, _ versions: StoreVersions, columns: [Int: EntityColumns], free: (String) -> Bool, defers: Bool
  ) {
    (self.table, self.versions, self.columns) = (table, versions, columns)
    feeds = versions.feeds[table.name] ?? []
    if let home = versions.homes[table.name], free(home), versions.contents.hasTable(home), alter(home, defers: defers)
    {
      taken = home
    } else {
      fill()
    }
  }

  var rows: Int64 { feeds.reduce(0) { $0 + versions.contents.rowCount(of: $1.table) } }

  private func step(_ sql: String, rows: Int64) -> MigrationPlan.Step {
    MigrationPlan.Step(.sql(sql), rows: rows, subject: table.name)
  }

  private func step(_ alteration: SQLAlteration, rows: Int64 = 0) -> MigrationPlan.Step {
    MigrationPlan.Step(.alteration(alteration), rows: rows, subject: table.name)
  }

  // MARK: Values of columns

  /// Returns the source of a column for the rows of each entity of a feed; nil for entities that do not have the column.
  private func sources(_ column: String, _ feed: TableFeed) -> [(old: SQLEntity, source: ColumnSource?)] {
    feed.pairs.map { ($0.old, columns[$0.new.number]?.sources[column]) }
  }

  /// Returns one expression for the rows of all entities of an old table.
  private func expression(_ sources: [(old: SQLEntity, source: ColumnSource?)], absent: String) -> String {
    let known = sources.map { ($0.old.number, $0.source?.expression ?? absent) }
    guard Set(known.map(\.1)).count > 1 else { return known.first?.1 ?? "NULL" }
    let cases = known.filter { $0.1 != "NULL" }.map { "WHEN \($0.0) THEN \($0.1)" }
    return "CASE Z_ENT \(cases.joined(separator: " ")) END"
  }

  private func number(_ feed: TableFeed) -> String {
    if feed.pairs.allSatisfy({ $0.old.number == $0.new.number }) { return "Z_ENT" }
    if feed.pairs.count == 1 { return "\(feed.pairs[0].new.number)" }
    return "CASE Z_ENT \(feed.pairs.map { "WHEN \($0.old.number) THEN \($0.new.number)" }.joined(separator: " ")) END"
  }

  /// Returns the entities whose rows in an old table do not come into this table.
  private func others(_ feed: TableFeed) -> [SQLEntity] {
    let taken = Set(feed.pairs.map(\.old.number))
    return (versions.names.oldEntities[feed.table] ?? []).filter { entity in
      !entity.entity.isAbstract && !taken.contains(entity.number)
    }
  }

  // MARK: A new table

  private mutating func fill() {
    method = rows > 0 || !feeds.isEmpty ? .rebuilt : .created
    // The table's name may be that of an old table, which is still needed.
    if versions.contents.hasTable(table.name) { temporaryName = "MIGRATION_\(table.name)" }
    let name = temporaryName ?? table.name
    filling.append(step(.create(SQLTableDefinition(table, fixed: versions.new.dialect.columns, named: name))))
    for feed in feeds where versions.contents.hasTable(feed.table) {
      let values = table.columns.map { ($0.name, expression(sources($0.name, feed), absent: "NULL")) }
        .filter { $0.1 != "NULL" }
      let key = feed.offset == 0 ? "Z_PK" : "Z_PK + \(feed.offset)"
      let names = (["Z_PK", "Z_ENT", "Z_OPT"] + values.map(\.0)).joined(separator: ", ")
      let expressions = ([key, number(feed), "Z_OPT"] + values.map(\.1)).joined(separator: ", ")
      let numbers = feed.pairs.map { "\($0.old.number)" }.joined(separator: ", ")
      let others = others(feed)
      let filter = others.isEmpty ? "" : " WHERE Z_ENT IN (\(numbers))"
      // If all rows are taken, so are rows with a number that no entity has.
      expectedRows +=
        others.isEmpty
        ? versions.contents.rowCount(of: feed.table)
        : feed.pairs.reduce(0) { $0 + versions.contents.rowCount(of: feed.table, entity: $1.old.number) }
      filling.append(
        step(
          "INSERT INTO \(name) (\(names)) SELECT \(expressions) FROM \(feed.table)\(filter)",
          rows: versions.contents.rowCount(of: feed.table)))
    }
  }

  // MARK: The old table

  /// Plans how the old table becomes this one. Returns false if the rows have to be copied, or if copying them is less work.
  private mutating func alter(_ home: String, defers: Bool) -> Bool {
    guard feeds.count <= 1, let before = versions.names.oldTables[home] else { return false }
    let feed = feeds.first ?? TableFeed(table: home, offset: 0, pairs: [])
    let types = Dictionary(before.columns.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
    var bases: Set<String> = []
    var added: [SQLColumnDefinition] = [], renamed: [(String, String)] = [], sets: [Assignment] = []
    for column in table.columns {
      let sources = sources(column.name, feed)
      let present = sources.compactMap(\.source)
      let found = Set(present.compactMap(\.base))
      guard present.allSatisfy(\.isLocal), found.count <= 1 else { return false }
      let isTaken = versions.contents.hasColumn(column.name, in: home)
      // If the old table has no rows for this one, its columns of the same name are kept.
      let empty = feed.pairs.isEmpty && hasType(column, types[column.name]) && isTaken ? column.name : nil
      guard let base = found.first ?? empty else {
        if isTaken { return false }
        added.append(SQLColumnDefinition(column.name, column.type))
        if present.contains(where: { $0.sql != "NULL" }) {
          sets.append(assignment(column.name, sources, absent: "NULL"))
        }
        continue
      }
      guard hasType(column, types[base]), bases.insert(base).inserted, base == column.name || !isTaken else {
        return false
      }
      if base != column.name { renamed.append((base, column.name)) }
      let changed = sources.filter { old, source in
        // Rows of an entity that had no such column have no value there, so nothing changes for them.
        if source?.expression ?? "NULL" == "NULL" { return old.columns.contains { $0.allNames.contains(base) } }
        return source != .keep(base)
      }
      if !changed.isEmpty {
        var assignment = assignment(base, sources, absent: "NULL")
        if changed.count < sources.count {
          assignment.condition = "Z_ENT IN (\(changed.map { "\($0.old.number)" }.joined(separator: ", ")))"
        }
        sets.append(assignment)
      }
    }
    let dropped = before.columns.map(\.name).filter { !bases.contains($0) && versions.contents.hasColumn($0, in: home) }
    let moved = feed.pairs.filter { $0.old.number != $0.new.number }
    if !moved.isEmpty {
      let old = moved.map { "\($0.old.number)" }.joined(separator: ", ")
      sets.append(Assignment(column: "Z_ENT", value: number(feed), condition: "Z_ENT IN (\(old))"))
    }
    let rewrites = (defers ? 0 : dropped.count) + (sets.isEmpty ? 0 : 1)
    if rewrites > 1 { return false }
    write(home, feed, added: added, sets: sets, dropped: dropped, renamed: renamed, defers: defers)
    return true
  }

  /// Whether an old column of this type can be kept for a new column.
  private func hasType(_ column: (name: String, type: SQLColumnType), _ old: SQLColumnType?) -> Bool {
    let dialect = versions.new.dialect
    return old.map(dialect.name(of:)) == dialect.name(of: column.type)
  }

  private struct Assignment {
    let column: String
    let value: String
    var condition: String?
  }

  private func assignment(_ column: String, _ sources: [(old: SQLEntity, source: ColumnSource?)], absent: String)
    -> Assignment
  {
    let value = expression(sources, absent: absent)
    let isOne = Set(sources.map { $0.source?.expression ?? absent }).count == 1
    return Assignment(column: column, value: value, condition: isOne ? sources.first?.source?.condition : nil)
  }

  private mutating func write(
    _ home: String, _ feed: TableFeed, added: [SQLColumnDefinition], sets: [Assignment], dropped: [String],
    renamed: [(String, String)], defers: Bool
  ) {
    let rows = versions.contents.rowCount(of: home)
    let gone = others(feed)
    let count = gone.reduce(0) { $0 + versions.contents.rowCount(of: home, entity: $1.number) }
    expectedRows = rows - count
    if !gone.isEmpty {
      let numbers = gone.map { "\($0.number)" }.joined(separator: ", ")
      altering.append(step("DELETE FROM \(home) WHERE Z_ENT IN (\(numbers))", rows: count))
    }
    for column in added { altering.append(step(.addColumn(column, table: home))) }
    if !sets.isEmpty {
      let conditions = sets.compactMap(\.condition)
      let filter =
        conditions.count == sets.count ? " WHERE \(Array(Set(conditions)).sorted().joined(separator: " OR "))" : ""
      let assignments = sets.map { "\($0.column) = \($0.value)" }.joined(separator: ", ")
      altering.append(step("UPDATE \(home) SET \(assignments)\(filter)", rows: rows))
    }
    droppedColumns = dropped
    if !defers {
      for column in dropped { altering.append(step(.dropColumn(column, table: home), rows: rows)) }
    }
    for (old, new) in renamed { altering.append(step(.renameColumn(old, to: new, table: home))) }
    touchedColumns = Set(dropped + renamed.map(\.0) + sets.map(\.column))
    method = altering.isEmpty && home == table.name ? .untouched : .altered
  }
}
