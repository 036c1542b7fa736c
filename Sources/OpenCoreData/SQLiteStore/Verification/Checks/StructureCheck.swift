/// Checks that the tables and columns of the model exist, and the indexes without which the store is slow or accepts
/// duplicates.
struct StructureCheck: StoreCheck {
  let schema: SQLModel

  let title = "tables"

  func run(on store: InspectedStore, _ report: (StoreProblem) -> Void) throws {
    checkTable("Z_PRIMARYKEY", ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"], store, report)
    for table in schema.tables {
      let columns = ["Z_PK", "Z_ENT", "Z_OPT"] + table.columns.map(\.name)
      guard checkTable(table.name, columns, store, report) else { continue }
      let indexes = try indexedColumns(of: table.name, in: store)
      for column in table.keyColumns where store.hasColumn(column, in: table.name) {
        checkIndex([column], of: table.name, among: indexes, report)
      }
      if table.entityNumbers.count > 1 { checkIndex(["Z_ENT"], of: table.name, among: indexes, report) }
      for entity in table.entities(of: schema) { checkConstraints(of: entity, among: indexes, report) }
    }
    for join in schema.tables.flatMap(\.joinTables) {
      let columns = [join.sourceColumn, join.destinationColumn] + join.orderColumns
      guard checkTable(join.name, columns, store, report) else { continue }
      checkIndex(
        [join.destinationColumn, join.sourceColumn], of: join.name,
        among: try indexedColumns(of: join.name, in: store), report)
    }
  }

  /// Checks the columns of a table; returns false if the table does not exist.
  @discardableResult
  private func checkTable(
    _ table: String, _ columns: [String], _ store: InspectedStore, _ report: (StoreProblem) -> Void
  ) -> Bool {
    guard store.hasTable(table) else {
      report(StoreProblem(.missingTable, at: table, "the table is missing"))
      return false
    }
    for column in columns where !store.hasColumn(column, in: table) {
      report(StoreProblem(.missingColumn, at: table, "the column \(column) is missing"))
    }
    return true
  }

  private typealias Index = (columns: [String], isUnique: Bool)

  private func indexedColumns(of table: String, in store: InspectedStore) throws -> [Index] {
    try store.connection.rows("PRAGMA index_list(\(table.quotedName))").compactMap { row in
      guard let name = row[1] else { return nil }
      let columns = try store.connection.rows("PRAGMA index_info(\(name.quotedName))").map { $0[2] ?? "" }
      return (columns.map { $0.uppercased() }, row[2] == "1")
    }
  }

  private func checkIndex(
    _ columns: [String], of table: String, among indexes: [Index], _ report: (StoreProblem) -> Void
  ) {
    guard !indexes.contains(where: { $0.columns.starts(with: columns.map { $0.uppercased() }) }) else { return }
    report(
      StoreProblem(
        .missingIndex, .warning, at: table, "there is no index of \(columns.joined(separator: ", ")): fetches are slow")
    )
  }

  private func checkConstraints(of entity: SQLEntity, among indexes: [Index], _ report: (StoreProblem) -> Void) {
    for names in entity.entity.uniquenessConstraintNames {
      let columns = names.compactMap { entity.positions[$0].map { entity.columns[$0].names[0].uppercased() } }
      guard columns.count == names.count, !columns.isEmpty,
        !indexes.contains(where: { $0.isUnique && $0.columns == columns })
      else { continue }
      report(
        StoreProblem(
          .missingIndex, .warning, at: entity.tableName,
          "no unique index keeps \(entity.name).(\(names.joined(separator: ", "))) from having duplicates"))
    }
  }
}
