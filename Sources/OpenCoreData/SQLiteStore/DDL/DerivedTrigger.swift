/// Prints the triggers of one derived attribute.
struct DerivedTrigger {
  let table: String
  let column: String
  private let entityName: String
  private let attributeName: String
  /// The condition on Z_ENT of the rows that have the attribute; nil if all rows of the table have it.
  private let numbers: String?

  init(_ derivation: SQLDerivation) {
    table = derivation.entity.tableName
    column = derivation.attribute.columnName
    entityName = derivation.entity.name
    attributeName = derivation.attribute.keyPath
    numbers =
      derivation.entity.superentity == nil
      ? nil : "Z_ENT IN (\(derivation.entity.numbers.map(String.init).joined(separator: ", ")))"
  }

  /// Returns a trigger that sets the value of some rows.
  ///
  /// - Parameters:
  ///   - event: When the trigger runs, e.g. `AFTER INSERT ON ZPAGE`.
  ///   - isSource: Whether the trigger runs on the row whose value it sets. Then its condition checks the entity of that row.
  ///   - ifDifferent: Whether the trigger leaves rows alone that already have the value, so that attributes that are derived
  ///     from each other come to an end.
  func text(
    _ kind: String, _ event: String, when condition: String? = nil, set value: String, where rows: String,
    isSource: Bool = false, isInsert: Bool = false, ifDifferent: Bool = false
  ) -> String {
    text(
      kind, event, when: condition, [(value, rows)], isSource: isSource, isInsert: isInsert,
      ifDifferent: ifDifferent)
  }

  /// Returns a trigger that sets values of several groups of rows.
  func text(
    _ kind: String, _ event: String, when condition: String? = nil, _ changes: [(value: String, rows: String)],
    isSource: Bool = false, isInsert: Bool = false, ifDifferent: Bool = false
  ) -> String {
    let watched = event.split(separator: " ").last.map(String.init) ?? ""
    let conditions = [isSource ? numbers.map { "NEW.\($0)" } : nil, condition].compactMap { $0 }
    let filter = isSource ? "" : numbers.map { " AND \($0)" } ?? ""
    let function = isInsert ? SQLTriggerFunction.inserted : SQLTriggerFunction.updated
    let steps = changes.map { value, rows in
      "UPDATE \(table) SET \(column) = \(value) WHERE \(rows)\(filter)"
        + (ifDifferent ? " AND \(column) IS NOT \(value); " : "; ")
        + "SELECT \(function)('\(table)', Z_ENT, Z_PK, '\(attributeName)', \(column)) FROM \(table) "
        + "WHERE \(rows)\(filter); "
    }
    let when = conditions.isEmpty ? "" : "WHEN (\(conditions.joined(separator: " AND "))) "
    return "CREATE TRIGGER Z_DA_\(watched)_\(entityName)_\(attributeName)_\(kind) \(event) FOR EACH ROW \(when)"
      + "BEGIN \(steps.joined())END"
  }

  /// Returns the trigger that sets the value of a new row.
  func sourceInsert(set value: String) -> String {
    text(
      "SOURCE_INSERT", "AFTER INSERT ON \(table)", set: value, where: "Z_PK = NEW.Z_PK", isSource: true, isInsert: true)
  }
}
