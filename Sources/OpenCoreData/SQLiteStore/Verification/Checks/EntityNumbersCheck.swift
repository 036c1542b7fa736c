/// Checks that Z_PRIMARYKEY has a row for each entity, with its number, name and superentity, and that Z_MAX is not below the
/// keys in use.
struct EntityNumbersCheck: StoreCheck {
  let schema: SQLModel

  let title = "Z_PRIMARYKEY"

  func run(on store: InspectedStore, _ report: (StoreProblem) -> Void) throws {
    guard ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"].allSatisfy({ store.hasColumn($0, in: title) }) else { return }
    let rows = try store.connection.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")
    for entity in schema.entities {
      guard let row = rows.first(where: { $0[0] == "\(entity.number)" }) else {
        report(StoreProblem(.primaryKeyRow, at: title, "there is no row for \(entity.name), number \(entity.number)"))
        continue
      }
      checkName(row[1] ?? "", of: entity, report)
      let parent = entity.superentity?.number ?? 0
      if row[2] != "\(parent)" {
        report(
          StoreProblem(
            .primaryKeyRow, at: title, "Z_SUPER of \(entity.name) is \(row[2] ?? "NULL") where \(parent) is expected"))
      }
      if entity.superentity == nil { try checkCounter(of: entity, row[3], store, report) }
    }
    for (name, twins) in Dictionary(grouping: rows, by: { $0[1] }) where twins.count > 1 {
      let numbers = twins.compactMap { $0[0] }
      report(
        StoreProblem(
          .primaryKeyRow, at: title, "\(name.map { "“\($0)”" } ?? "NULL") has several rows", count: twins.count,
          examples: numbers.map { "Z_ENT \($0)" }))
    }
    for row in rows {
      guard let number = row[0].flatMap({ Int($0) }), number < InspectedStore.firstHistoryNumber,
        schema.entity(number: number) == nil
      else { continue }
      report(
        StoreProblem(
          .primaryKeyRow, .warning, at: title, "number \(number), “\(row[1] ?? "NULL")”, is no entity of the model"))
    }
  }

  /// Checks the name of an entity. A migration that renames an entity may leave its old name, which is a warning; the name of
  /// another entity is an error.
  private func checkName(_ name: String, of entity: SQLEntity, _ report: (StoreProblem) -> Void) {
    if name == entity.name { return }
    let isOther = schema.entity(named: name) != nil
    report(
      StoreProblem(
        .entityName, isOther ? .error : .warning, at: title,
        "number \(entity.number) is named “\(name)” where the model has \(entity.name)"))
  }

  private func checkCounter(
    of entity: SQLEntity, _ stated: String?, _ store: InspectedStore, _ report: (StoreProblem) -> Void
  ) throws {
    guard store.hasColumn("Z_PK", in: entity.tableName),
      let highest = try store.connection.integer("SELECT MAX(Z_PK) FROM \(entity.tableName.quotedName)")
    else { return }
    guard let counter = stated.flatMap({ Int64($0) }), counter >= highest else {
      return report(
        StoreProblem(
          .keyCounter, at: entity.name,
          "Z_MAX is \(stated ?? "NULL"), but the highest Z_PK is \(highest): new objects would take keys in use"))
    }
  }
}
