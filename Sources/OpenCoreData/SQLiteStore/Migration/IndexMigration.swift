/// The indexes that a migration drops, keeps and creates.
///
/// An index that the framework would not have created for the old version is somebody else's. It stays unless one of its
/// columns changes or a new index has its name.
struct IndexMigration {
  private(set) var drops: [MigrationPlan.Step] = []
  private(set) var creations: [MigrationPlan.Step] = []

  init(_ versions: StoreVersions, tables: [TableMigration], joins: [JoinMigration]) {
    let wanted = DDL.indexDefinitions(of: versions.new).map {
      (index: $0, sql: DDL.text(.createIndex($0), versions.new))
    }
    let names = Set(wanted.map(\.index.name))
    let known = Set(DDL.indexes(of: versions.old))
    var owners: [String: (name: String, touched: Set<String>)] = [:]
    for table in tables { table.taken.map { owners[$0] = (table.table.name, table.touchedColumns) } }
    for join in joins {
      join.taken.map { owners[$0] = (join.table.name, Set(join.method == .untouched ? [] : versions.columns(of: $0))) }
    }
    var kept: Set<String> = []
    for index in versions.contents.indexes {
      guard let owner = owners[index.table] else { continue }
      let words = Set(index.sql.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
      let isTouched = !words.isDisjoint(with: owner.touched)
      if wanted.contains(where: { $0.sql == index.sql }), owner.name == index.table, !isTouched {
        kept.insert(index.sql)
      } else if known.contains(index.sql) || names.contains(index.name) || isTouched {
        drops.append(
          MigrationPlan.Step(.alteration(.dropIndex(index.name)), subject: owner.name))
      }
    }
    let constraints = Self.constraints(of: versions.new)
    for (index, sql) in wanted where !kept.contains(sql) {
      let rows = (versions.feeds[index.table] ?? []).reduce(Int64(0)) { $0 + versions.contents.rowCount(of: $1.table) }
      creations.append(
        MigrationPlan.Step(
          .alteration(.createIndex(index)), rows: rows, obstacle: constraints[index.name], subject: index.table))
    }
  }

  /// The obstacle to report when a unique index cannot be created, by the index's name.
  private static func constraints(of model: SQLModel) -> [String: MigrationObstacle] {
    DDL.uniqueIndexNames(of: model).mapValues { entity, names in
      MigrationObstacle(
        kind: .constraintViolation, entity: entity.name, property: names.count == 1 ? names[0] : nil,
        reason: "no two objects may be equal in \(names.joined(separator: ", ")), and some are")
    }
  }
}

/// The triggers of derived attributes: they are dropped before anything changes, and created again at the end.
struct TriggerMigration {
  private(set) var drops: [MigrationPlan.Step] = []
  private(set) var creations: [MigrationPlan.Step] = []

  init(_ versions: StoreVersions, isNeeded: Bool) {
    let wanted = DDL.triggers(of: versions.new)
    let existing = versions.contents.triggers.filter { $0.name.hasPrefix("Z_DA_") }
    if !isNeeded, Set(existing.map(\.sql)) == Set(wanted) { return }
    func step(_ sql: String) -> MigrationPlan.Step {
      MigrationPlan.Step(.sql(sql), subject: "triggers")
    }
    drops = existing.map { step("DROP TRIGGER \($0.name.quotedName)") }
    creations = wanted.map(step)
  }
}

extension StoreVersions {
  /// Returns the names of an old table's columns.
  func columns(of table: String) -> [String] { (contents.tables[table] ?? []).map(\.name) }
}
