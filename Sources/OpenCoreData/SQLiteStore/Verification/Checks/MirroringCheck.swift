/// Checks that what CloudKit's mirroring has noted are objects of the store. A migration that renumbers entities without these
/// tables leaves numbers that mean others.
struct MirroringCheck: StoreCheck {
  let schema: SQLModel

  let title = "CloudKit's tables"

  func run(on store: InspectedStore, _ report: (StoreProblem) -> Void) throws {
    for table in MirroringTables.naming(among: store.columns.mapValues(Array.init)) {
      let name = table.uppercased(), quoted = table.quotedName
      let (entity, key) = (MirroringTables.entity, MirroringTables.key)
      func check(_ severity: StoreProblem.Severity, _ condition: String, _ text: String) throws {
        let rows = "FROM \(quoted) t WHERE \(condition)"
        guard let count = try store.connection.integer("SELECT COUNT(*) \(rows)"), count > 0 else { return }
        let examples = try store.connection.rows(
          "SELECT t.\(entity), t.\(key) \(rows) LIMIT \(InspectedStore.exampleLimit)")
        report(
          StoreProblem(
            .mirroredRecord, severity, at: name, text, count: Int(count),
            examples: examples.map { row in
              let number = row[0].flatMap { Int($0) }
              let entity = number.flatMap { schema.entity(number: $0)?.name } ?? "Z_ENT \(row[0] ?? "NULL")"
              return "\(entity)/p\(row[1] ?? "NULL")"
            }))
      }
      let numbers = schema.entities.map { "\($0.number)" }.joined(separator: ", ")
      try check(
        .error, "t.\(entity) NOT IN (\(numbers))",
        "\(entity) has numbers of entities that the model does not have")
      // What mirroring keeps of a deleted object elsewhere is its own business.
      guard name == MirroringTables.records else { continue }
      try check(
        .warning, "t.\(entity) IS NULL",
        "records are of no entity: a migration has removed it, and with it the objects")
      for entity in schema.entities where store.hasColumn("Z_ENT", in: entity.tableName) {
        let numbers = entity.numbers.map { "\($0)" }.joined(separator: ", ")
        let object = "SELECT 1 FROM \(entity.tableName.quotedName) o WHERE o.Z_PK = t.\(key)"
        let isOf = "t.\(MirroringTables.entity) = \(entity.number)"
        try check(
          .error, "\(isOf) AND EXISTS (\(object) AND o.Z_ENT NOT IN (\(numbers)))",
          "records name objects as \(entity.name) that are of another entity")
        try check(
          .warning, "\(isOf) AND NOT EXISTS (\(object))",
          "records name objects of \(entity.name) that are not there: they were deleted, or a migration has given the "
            + "number to \(entity.name) and not changed it here")
      }
    }
  }
}
