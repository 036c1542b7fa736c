/// Checks that to-many relationships have as many members as the model demands and allows. A save would refuse other numbers.
struct MemberCountCheck: StoreCheck {
  let schema: SQLModel

  let title = "numbers of members"

  func run(on store: InspectedStore, _ report: (StoreProblem) -> Void) throws {
    for entity in schema.entities {
      for name in entity.toManys.keys.sorted() {
        guard let toMany = entity.toManys[name], toMany.relationship.owner === entity.entity else { continue }
        try check(entity, toMany, store, report)
      }
    }
  }

  private func check(
    _ entity: SQLEntity, _ toMany: SQLToMany, _ store: InspectedStore, _ report: (StoreProblem) -> Void
  ) throws {
    let relationship = toMany.relationship
    let least = relationship.minCount
    var limits: [String] = []
    // An optional relationship may be empty, whatever its minimum is.
    if least > 0 {
      limits.append("COALESCE(n, 0) < \(least)" + (relationship.isOptional ? " AND COALESCE(n, 0) > 0" : ""))
    }
    if relationship.maxCount > 1 { limits.append("n > \(relationship.maxCount)") }
    let (table, column) = Self.source(toMany)
    guard !limits.isEmpty, store.hasColumn(column, in: table), store.hasColumn("Z_ENT", in: entity.tableName)
    else { return }
    let key = column.quotedName
    let counted = "SELECT \(key) AS k, COUNT(*) AS n FROM \(table.quotedName) WHERE \(key) IS NOT NULL GROUP BY \(key)"
    let limit = "(\(limits.map { "(\($0))" }.joined(separator: " OR ")))"
    let filter = ([limit] + (entity.membership("o").map { [$0] } ?? [])).joined(separator: " AND ")
    let owners = "FROM \(entity.tableName.quotedName) o LEFT JOIN (\(counted)) c ON c.k = o.Z_PK WHERE \(filter)"
    guard let count = try store.connection.integer("SELECT COUNT(*) \(owners)"), count > 0 else { return }
    let most = relationship.maxCount > 1 ? "at most \(relationship.maxCount)" : nil
    let expected = [least > 0 ? "at least \(least)" : nil, most].compactMap { $0 }.joined(separator: " and ")
    report(
      StoreProblem(
        .memberCount, .warning, at: "\(entity.name).\(relationship.name)",
        "objects have not the number of members that the model wants: \(expected)", count: Int(count),
        examples: try store.examples("SELECT o.Z_ENT, o.Z_PK \(owners)")))
  }

  /// Returns the table that has a row for each member, and its column with the key of the owner.
  private static func source(_ toMany: SQLToMany) -> (table: String, column: String) {
    switch toMany.storage {
    case .foreignKey(let table, let column, _, _): (table, column)
    case .join(let table, let source, _, _, _): (table, source)
    }
  }
}
