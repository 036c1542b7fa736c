/// Checks that values are unique if the model demands it.
struct UniquenessCheck: StoreCheck {
  let schema: SQLModel

  let title = "unique values"

  func run(on store: InspectedStore, _ report: (StoreProblem) -> Void) throws {
    for entity in schema.entities {
      for names in entity.entity.uniquenessConstraintNames {
        let columns = names.compactMap { entity.positions[$0].map { entity.columns[$0].names[0] } }
        guard columns.count == names.count, !columns.isEmpty,
          columns.allSatisfy({ store.hasColumn($0, in: entity.tableName) })
        else { continue }
        let quoted = columns.map { "t.\($0.quotedName)" }
        // NULL is equal to nothing, not even to NULL.
        let conditions = quoted.map { "\($0) IS NOT NULL" } + (entity.membership("t").map { [$0] } ?? [])
        let groups =
          "SELECT COUNT(*) AS n, MIN(t.Z_PK) AS first FROM \(entity.tableName.quotedName) t "
          + "WHERE \(conditions.joined(separator: " AND ")) GROUP BY \(quoted.joined(separator: ", ")) "
          + "HAVING COUNT(*) > 1"
        guard let count = try store.connection.integer("SELECT COUNT(*) FROM (\(groups))"), count > 0 else { continue }
        let examples = try store.examples(
          "SELECT t.Z_ENT, g.first FROM (\(groups)) g JOIN \(entity.tableName.quotedName) t ON t.Z_PK = g.first")
        report(
          StoreProblem(
            .duplicateValues, at: "\(entity.name).(\(names.joined(separator: ", ")))",
            "values that are to be unique are there more than once", count: Int(count), examples: examples))
      }
    }
  }
}
