/// The triggers of an attribute that repeats an attribute of another row, to which to-one relationships lead.
struct PathTriggers {
  private let trigger: DerivedTrigger
  private let keys: [String]
  /// The tables to which the keys lead.
  private let tables: [String]
  private let source: String

  init(_ derivation: SQLDerivation, _ path: [SQLToOne], _ source: SQLAttribute, in model: SQLModel) {
    trigger = DerivedTrigger(derivation)
    keys = path.map(\.keyColumn)
    tables = path.map { model.destination(of: $0).tableName }
    self.source = source.columnName
  }

  var statements: [String] {
    let table = trigger.table
    return [
      trigger.text(
        "SOURCE_UPDATE", "AFTER UPDATE OF \(keys[0]) ON \(table)", set: value(of: "NEW"), where: "Z_PK = NEW.Z_PK",
        isSource: true),
      trigger.sourceInsert(set: value(of: "NEW")),
    ] + tables.indices.flatMap(parameterStatements)
  }

  /// Returns the value for a row of the attribute's own table.
  private func value(of row: String) -> String {
    let joins = tables.indices.dropFirst().map { " JOIN \(tables[$0]) t\($0) ON t\($0).Z_PK = t\($0 - 1).\(keys[$0])" }
    return "(SELECT t\(tables.count - 1).\(source) FROM \(tables[0]) t0\(joins.joined()) "
      + "WHERE t0.Z_PK = \(row).\(keys[0]))"
  }

  /// Returns a condition for the rows of the attribute's own table whose path leads through a row of another table.
  private func rows(through position: Int, _ row: String) -> String {
    if position == 0 { return "\(keys[0]) = \(row).Z_PK" }
    let joins = (1..<position).map { " JOIN \(tables[$0]) t\($0) ON t\($0).Z_PK = t\($0 - 1).\(keys[$0])" }
    return "\(keys[0]) IN (SELECT t0.Z_PK FROM \(tables[0]) t0\(joins.joined()) "
      + "WHERE t\(position - 1).\(keys[position]) = \(row).Z_PK)"
  }

  private func parameterStatements(_ position: Int) -> [String] {
    let table = tables[position]
    let changed = position + 1 < keys.count ? keys[position + 1] : source
    let number = position == 0 ? "" : "_\(position + 1)"
    func text(_ kind: String, _ event: String, _ row: String) -> String {
      trigger.text(
        "PARAMETER\(number)_\(kind)", "AFTER \(event) ON \(table)", set: value(of: trigger.table),
        where: rows(through: position, row), ifDifferent: true)
    }
    return [
      text("INSERT", "INSERT", "NEW"), text("UPDATE", "UPDATE OF \(changed)", "NEW"), text("DELETE", "DELETE", "OLD"),
    ]
  }
}
