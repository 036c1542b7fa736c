/// Carries the numbers of entities along that CloudKit's mirroring has noted in its tables: the numbers change with the model,
/// and an old number would mean another entity.
///
/// A row that names an object of an entity that is removed keeps everything but the number, which becomes NULL.
struct MirroringMigration {
  private let versions: StoreVersions

  init(_ versions: StoreVersions) { self.versions = versions }

  /// Returns the steps; none if the store is not mirrored, or if no number changes.
  func steps() -> [MigrationPlan.Step] {
    let tables = MirroringTables.naming(among: versions.contents.tables.mapValues { $0.map(\.name) })
    let (entity, key) = (MirroringTables.entity, MirroringTables.key)
    // The new numbers are negative at first. One that is still somebody else's old number could violate an index.
    var numbers = versions.successors.filter { $0.key != $0.value.entity.number }.map { ($0, "-\($1.entity.number)") }
    let removed = versions.old.entities.map(\.number).filter { versions.successors[$0] == nil }
    numbers += removed.map { ($0, "NULL") }
    let offsets = versions.successors.filter { $0.value.offset != 0 }.map { ($0, "\(key) + \($1.offset)") }
    let sets = [Self.choice(entity, numbers), Self.choice(key, offsets)].compactMap { $0 }
    if sets.isEmpty { return [] }
    let negative = versions.successors.filter { $0.key != $0.value.entity.number }.map { "-\($0.value.entity.number)" }
    let list = Set(negative).sorted().joined(separator: ", ")
    return tables.flatMap { table in
      let update = "UPDATE \(table.quotedName) SET "
      let turned = "\(update)\(entity) = -\(entity) WHERE \(entity) IN (\(list))"
      let statements = [update + sets.joined(separator: ", ")] + (list.isEmpty ? [] : [turned])
      return statements.map { MigrationPlan.Step(.sql($0), subject: table) }
    }
  }

  private static func choice(_ column: String, _ values: [(number: Int, text: String)]) -> String? {
    if values.isEmpty { return nil }
    let cases = values.sorted { $0.number < $1.number }.map { "WHEN \($0.number) THEN \($0.text)" }
    return "\(column) = CASE \(MirroringTables.entity) \(cases.joined(separator: " ")) ELSE \(column) END"
  }
}
