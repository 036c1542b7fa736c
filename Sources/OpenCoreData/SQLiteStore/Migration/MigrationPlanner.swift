import Foundation

/// Makes the plan of a migration in place: the statements, from both models and the contents of the file.
///
/// The tables, indexes and triggers of the new version are those of a new store, except that a table that is altered may have
/// its columns in another order. A table stays as it is if nothing in it changes. It is altered if SQLite can do that without
/// writing its rows more than once, and otherwise created anew.
///
/// The order of the statements makes sure that each finds what it needs. First the triggers are dropped; then new tables are
/// created and filled, only from old tables; then the tables that stay are altered, the others are dropped, and names are
/// changed; and at last come the indexes, the computed values, the triggers and the tables that describe the store. So it
/// does not matter which rows refer to which.
struct MigrationPlanner {
  let versions: StoreVersions
  let history: HistoryMigration
  private let defers: Bool
  private let derived: DerivedMigration
  private var columns: [Int: EntityColumns] = [:]
  private var tables: [TableMigration] = []
  private var joins: [JoinMigration] = []

  /// - Parameter defers: whether tables and columns that are not used any more stay until a later clean-up.
  init(_ versions: StoreVersions, defers: Bool = false) {
    self.versions = versions
    self.defers = defers
    history = HistoryMigration(versions)
    derived = DerivedMigration(versions)
    for (number, before) in versions.predecessors {
      guard let entity = versions.new.entity(number: number), let change = versions.migrations[number] else { continue }
      columns[number] = EntityColumns(before, entity, change, versions, derived)
    }
    var taken: Set<String> = []
    // An old table goes first of all to the root entity after which it was named.
    let order = versions.new.tables.sorted { rank($0) < rank($1) }
    for table in order {
      let made = TableMigration(
        table, versions, columns: columns, free: { !taken.contains($0) }, defers: defers)
      made.taken.map { _ = taken.insert($0) }
      tables.append(made)
    }
    for table in versions.new.tables.flatMap(\.joinTables) {
      let made = JoinMigration(table, versions) { !taken.contains($0) }
      made.taken.map { _ = taken.insert($0) }
      joins.append(made)
    }
  }

  private func rank(_ table: SQLTable) -> (Int, Int) {
    let root = table.entityNumbers.first ?? 0
    let isRoot = versions.predecessors[root].map { $0.superentity == nil } ?? false
    return (isRoot ? 0 : 1, root)
  }

  // MARK: The plan

  func plan() -> MigrationPlan {
    var plan = MigrationPlan()
    plan.entities = entities
    for number in columns.keys.sorted() {
      guard let columns = columns[number], versions.predecessors[number]?.entity.isAbstract == false else { continue }
      for check in columns.checks
      where !plan.checks.contains(where: { $0.obstacle == check.obstacle && $0.sql == check.sql }) {
        plan.checks.append(check)
      }
    }
    plan.checks += abstractChecks
    plan.droppedFiles = droppedFiles
    let indexes = IndexMigration(versions, tables: tables, joins: joins)
    let triggers = TriggerMigration(versions, isNeeded: tables.contains { $0.method != .untouched })
    plan.steps += triggers.drops
    plan.steps += tables.flatMap(\.filling) + joins.flatMap(\.filling)
    plan.steps += indexes.drops
    plan.steps += tables.flatMap(\.altering) + joins.flatMap(\.altering)
    removeOld(&plan)
    plan.steps += renamings
    plan.steps +=
      indexes.creations + places + derived.steps + triggers.creations + history.steps()
      + MirroringMigration(versions).steps() + primaryKeys
    // If no statement writes rows of a table, they need not be counted.
    plan.expectedRows = tables.filter { ($0.filling + $0.altering).contains { $0.rows > 0 } }
      .map { ("SELECT COUNT(*) FROM \($0.table.name)", $0.expectedRows) }
    return plan
  }

  private func step(_ sql: String, rows: Int64 = 0, _ subject: String) -> MigrationPlan.Step {
    MigrationPlan.Step(.sql(sql), rows: rows, subject: subject)
  }

  private func step(_ alteration: SQLAlteration, rows: Int64 = 0, _ subject: String) -> MigrationPlan.Step {
    MigrationPlan.Step(.alteration(alteration), rows: rows, subject: subject)
  }

  /// Checks for entities that could have objects and now must not.
  private var abstractChecks: [MigrationPlan.Check] {
    versions.predecessors.sorted { $0.key < $1.key }.compactMap { number, before in
      guard let entity = versions.new.entity(number: number), entity.entity.isAbstract, !before.entity.isAbstract
      else { return nil }
      return MigrationPlan.Check(
        sql: "SELECT COUNT(*) FROM \(before.tableName) WHERE Z_ENT = \(before.number)",
        obstacle: MigrationObstacle(
          kind: .abstractEntity, entity: entity.name, property: nil,
          reason: "it is abstract now, and there is an object that is of none of its subentities"))
    }
  }

  /// Queries for the files of values that no row names after the migration.
  private var droppedFiles: [String] {
    versions.old.entities.flatMap { entity -> [String] in
      if entity.entity.isAbstract { return [] }
      let successor = versions.successors[entity.number]?.entity
      let kept = successor.flatMap { successor in columns[successor.number].map { (successor, $0) } }
      return entity.columns.compactMap { column in
        guard case .attribute(let attribute) = column, attribute.attribute.isKeptWithMark,
          versions.contents.hasColumn(attribute.columnName, in: entity.tableName)
        else { return nil }
        let isKept = kept.map { successor, columns in
          successor.columns.contains { column in
            guard case .attribute(let new) = column, new.attribute.isKeptWithMark else { return false }
            return columns.sources[new.columnName]?.base == attribute.columnName
          }
        }
        if isKept == true { return nil }
        return "SELECT \(attribute.columnName) FROM \(entity.tableName) WHERE Z_ENT = \(entity.number) "
          + "AND length(\(attribute.columnName)) BETWEEN \(ExternalReference.length - 1) AND \(ExternalReference.length) "
          + "AND substr(\(attribute.columnName), 1, 1) = X'02'"
      }
    }
  }

  /// Drops the old tables that do not become new ones, or renames them for a later clean-up.
  private func removeOld(_ plan: inout MigrationPlan) {
    let taken = Set(tables.compactMap(\.taken) + joins.compactMap(\.taken))
    var number = 0
    for name in versions.old.tables.flatMap({ [$0.name] + $0.joinTables.map(\.name) })
    where !taken.contains(name) && versions.contents.hasTable(name) {
      guard defers else {
        plan.steps.append(step(.dropTable(name), rows: versions.contents.rowCount(of: name), name))
        continue
      }
      // The indexes are dropped at once, because new indexes need their names.
      for index in versions.contents.indexes where index.table == name {
        plan.steps.append(step(.dropIndex(index.name), name))
      }
      repeat { number += 1 } while versions.contents.hasTable("MIGRATED_\(number)")
      plan.steps.append(step(.renameTable(name, to: "MIGRATED_\(number)"), name))
      plan.leftovers.tables.append("MIGRATED_\(number)")
    }
    if defers {
      plan.leftovers.columns = tables.flatMap { table in
        table.droppedColumns.map { MigrationLeftovers.Column(table: table.table.name, name: $0) }
      }
    }
  }

  /// The steps that give tables their new names. A name that another table still has is taken in two steps.
  private var renamings: [MigrationPlan.Step] {
    let taken =
      tables.map { ($0.taken, $0.table.name) } + joins.map { ($0.taken, $0.table.name) }
    let moved = taken.compactMap { old, new in old.flatMap { $0 == new ? nil : ($0, new) } }
    let blocked = Set(moved.map(\.1).filter { name in moved.contains { $0.0 == name } })
    var result: [MigrationPlan.Step] = []
    for (old, new) in moved where blocked.contains(new) {
      result.append(step(.renameTable(old, to: "MIGRATION_\(new)"), new))
    }
    for (old, new) in moved where !blocked.contains(new) {
      result.append(step(.renameTable(old, to: new), new))
    }
    for (_, new) in moved where blocked.contains(new) {
      result.append(step(.renameTable("MIGRATION_\(new)", to: new), new))
    }
    let made = tables.map { ($0.temporaryName, $0.table.name) } + joins.map { ($0.temporaryName, $0.table.name) }
    for case (let temporary?, let name) in made {
      result.append(step(.renameTable(temporary, to: name), name))
    }
    return result
  }

  /// The steps that give places to the members of relationships that had no order. They are ordered by their keys, with the
  /// gaps that places in other stores have.
  private var places: [MigrationPlan.Step] {
    versions.new.entities.flatMap { entity in
      entity.columns.compactMap { column -> MigrationPlan.Step? in
        guard case .toOne(let toOne) = column, let order = toOne.orderColumn,
          toOne.relationship.owner === entity.entity
        else { return nil }
        let origins = RelationshipPairs.origins(of: toOne.relationship, in: versions)
        guard origins.contains(where: { $0.inverseOrder == nil }) else { return nil }
        let table = entity.tableName
        let known = origins.allSatisfy { $0.inverseOrder == nil } ? "" : "\(order) IS NULL, \(order), "
        return step(
          "UPDATE \(table) SET \(order) = n.place FROM (SELECT Z_PK AS k, (ROW_NUMBER() OVER (PARTITION BY "
            + "\(toOne.keyColumn) ORDER BY \(known)Z_PK) + 1) * 1024 AS place FROM \(table) WHERE \(toOne.keyColumn) IS NOT NULL) n "
            + "WHERE n.k = \(table).Z_PK", rows: origins.reduce(0) { $0 + versions.contents.rowCount(of: $1.table) },
          table)
      }
    }
  }

  /// The steps that write the rows of Z_PRIMARYKEY; none if the rows do not change.
  private var primaryKeys: [MigrationPlan.Step] {
    func rows(_ model: SQLModel, _ highest: (SQLTable) -> Int64) -> [String] {
      let byRoot = Dictionary(
        model.tables.map { ($0.entityNumbers.first ?? 0, highest($0)) }, uniquingKeysWith: { first, _ in first })
      return DDL.primaryKeyRows(of: model).map {
        "(\($0.number), \(SQLValue.text($0.name).literal), \($0.superentity), \(byRoot[$0.number] ?? 0))"
      }
    }
    let new = rows(versions.new, versions.highestKey)
    if new == rows(versions.old, { versions.contents.highestKey(of: $0.name) }) { return [] }
    let name = "Z_PRIMARYKEY"
    return [
      step("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT < \(InspectedStore.firstHistoryNumber)", name),
      step(
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES \(new.joined(separator: ", "))", name),
    ]
  }

  // MARK: The description of entities

  private var entities: [MigrationPlan.Entity] {
    let tables = Dictionary(self.tables.map { ($0.table.name, $0) }, uniquingKeysWith: { first, _ in first })
    return versions.migration.entities.compactMap { change in
      if let destination = change.destination {
        guard let entity = versions.new.entity(for: destination),
          let table = tables[entity.tableName]
        else { return nil }
        let before = versions.predecessors[entity.number]
        return MigrationPlan.Entity(
          name: entity.name, source: before?.name, kind: before == nil ? .added : change.kind, table: table.table.name,
          method: table.method,
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
}
