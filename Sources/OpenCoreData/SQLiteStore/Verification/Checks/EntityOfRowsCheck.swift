/// Checks that Z_ENT of each row is the number of an entity of the table that is not abstract.
struct EntityOfRowsCheck: StoreCheck {
  let schema: SQLModel
  let table: SQLTable

  var title: String { "entities of \(table.name)" }

  func run(on store: InspectedStore, _ report: (StoreProblem) -> Void) throws {
    let groups = try store.connection.rows("SELECT Z_ENT, COUNT(*) FROM \(table.name.quotedName) GROUP BY Z_ENT")
    for group in groups {
      guard let reason = reason(group[0]), let count = group[1].flatMap({ Int($0) }) else { continue }
      let examples = try store.examples(
        "SELECT Z_ENT, Z_PK FROM \(table.name.quotedName) WHERE Z_ENT IS \(group[0].map(Self.literal) ?? "NULL")")
      report(StoreProblem(.wrongEntity, at: table.name, reason, count: count, examples: examples))
    }
  }

  /// Returns why there may be no rows with this number; nil if there may be.
  private func reason(_ text: String?) -> String? {
    guard let text else { return "rows have no Z_ENT" }
    guard let number = Int(text), let entity = schema.entity(number: number) else {
      return "rows have Z_ENT \(text), which is no entity's number"
    }
    guard table.entityNumbers.contains(number) else {
      return "rows have Z_ENT \(number), which is that of \(entity.name) in table \(entity.tableName)"
    }
    return entity.entity.isAbstract ? "rows are of \(entity.name), which is abstract" : nil
  }

  /// Returns an SQL literal for a value that was read from the column as text.
  private static func literal(_ text: String) -> String {
    Int64(text) != nil ? text : "'\(text.replacingOccurrences(of: "'", with: "''"))'"
  }
}
