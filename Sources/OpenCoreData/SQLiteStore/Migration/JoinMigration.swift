/// How a join table, of a many-to-many relationship or of a relationship without inverse, is migrated: left as it is,
/// renamed, or filled anew.
struct JoinMigration {
  let table: SQLJoinTable
  /// The old table that becomes this one.
  private(set) var taken: String?
  private(set) var method = MigrationPlan.Method.created
  private(set) var filling: [MigrationPlan.Step] = []
  private(set) var altering: [MigrationPlan.Step] = []
  private(set) var temporaryName: String?

  init(_ table: SQLJoinTable, _ versions: StoreVersions, free: (String) -> Bool) {
    self.table = table
    let found = versions.names.newRelationships[table.name]
    let origins = found.map { RelationshipPairs.origins(of: $0.toMany.relationship, in: versions) } ?? []
    if let pairs = origins.first, origins.count == 1, let found, free(pairs.table),
      take(pairs, found.toMany, found.entity, versions)
    {
      return
    }
    if versions.contents.hasTable(table.name) { temporaryName = "MIGRATION_\(table.name)" }
    let name = temporaryName ?? table.name
    filling.append(step(.create(SQLTableDefinition(table, named: name))))
    guard let found else { return }
    for pairs in origins {
      method = .rebuilt
      filling.append(
        step(
          PairInsertion(pairs, found.toMany, found.entity, versions).text(into: name, table),
          rows: versions.contents.rowCount(of: pairs.table)))
    }
  }

  private func step(_ sql: String, rows: Int64) -> MigrationPlan.Step {
    MigrationPlan.Step(.sql(sql), rows: rows, subject: table.name)
  }

  private func step(_ alteration: SQLAlteration) -> MigrationPlan.Step {
    MigrationPlan.Step(.alteration(alteration), subject: table.name)
  }

  /// Takes the old table over if only names change; otherwise returns false.
  private mutating func take(
    _ pairs: RelationshipPairs, _ toMany: SQLToMany, _ entity: SQLEntity, _ versions: StoreVersions
  ) -> Bool {
    guard let before = versions.names.oldJoins[pairs.table],
      before.sourceColumn == pairs.owner, case .join(_, _, _, let order, let inverseOrder) = toMany.storage,
      (order == nil) == (pairs.order == nil), (inverseOrder == nil) == (pairs.inverseOrder == nil)
    else { return false }
    guard PairInsertion(pairs, toMany, entity, versions).keepsKeys else { return false }
    let names = [
      (pairs.owner, table.sourceColumn), (pairs.member, table.destinationColumn), (pairs.order, order),
      (pairs.inverseOrder, inverseOrder),
    ].compactMap { old, new in old.flatMap { old in new.map { (old, $0) } } }.filter { $0.0 != $0.1 }
    // If two columns exchanged their names, both would have the same name for a moment.
    if names.contains(where: { versions.contents.hasColumn($0.1, in: before.name) }) { return false }
    taken = before.name
    altering = names.map { step(.renameColumn($0, to: $1, table: before.name)) }
    method = altering.isEmpty && before.name == table.name ? .untouched : .altered
    return true
  }
}
