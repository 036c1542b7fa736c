/// How the table of a many-to-many relationship, or of one without inverse, is migrated: left as it is, renamed, or
/// filled anew.
struct JoinMigration {
  let table: SQLJoinTable
  /// The old table that goes on in this one.
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
          Self.insert(into: name, table, pairs, found.toMany, found.entity, versions),
          rows: versions.contents.rowCount(of: pairs.table)))
    }
  }

  private func step(_ sql: String, rows: Int64) -> MigrationPlan.Step {
    MigrationPlan.Step(.sql(sql), rows: rows, subject: table.name)
  }

  private func step(_ alteration: SQLAlteration) -> MigrationPlan.Step {
    MigrationPlan.Step(.alteration(alteration), subject: table.name)
  }

  private static func translations(
    _ pairs: RelationshipPairs, _ toMany: SQLToMany, _ entity: SQLEntity, _ versions: StoreVersions
  ) -> (owner: KeyTranslation, member: KeyTranslation) {
    (
      KeyTranslation(pairs.ownerEntity, to: entity, in: versions),
      KeyTranslation(pairs.memberEntity, to: versions.new.destination(of: toMany), in: versions)
    )
  }

  /// Whether the old table only has other names.
  private mutating func take(
    _ pairs: RelationshipPairs, _ toMany: SQLToMany, _ entity: SQLEntity, _ versions: StoreVersions
  ) -> Bool {
    guard let before = versions.names.oldJoins[pairs.table],
      before.sourceColumn == pairs.owner, case .join(_, _, _, let order, let inverseOrder) = toMany.storage,
      (order == nil) == (pairs.order == nil), (inverseOrder == nil) == (pairs.inverseOrder == nil)
    else { return false }
    let (owner, member) = Self.translations(pairs, toMany, entity, versions)
    guard owner.keepsKeys, member.keepsKeys else { return false }
    let names = [
      (pairs.owner, table.sourceColumn), (pairs.member, table.destinationColumn), (pairs.order, order),
      (pairs.inverseOrder, inverseOrder),
    ].compactMap { old, new in old.flatMap { old in new.map { (old, $0) } } }.filter { $0.0 != $0.1 }
    // Names that change places would meet.
    if names.contains(where: { versions.contents.hasColumn($0.1, in: before.name) }) { return false }
    taken = before.name
    altering = names.map { step(.renameColumn($0, to: $1, table: before.name)) }
    method = altering.isEmpty && before.name == table.name ? .untouched : .altered
    return true
  }

  private static func insert(
    into name: String, _ table: SQLJoinTable, _ pairs: RelationshipPairs, _ toMany: SQLToMany, _ entity: SQLEntity,
    _ versions: StoreVersions
  ) -> String {
    let (owner, member) = translations(pairs, toMany, entity, versions)
    let ownerKey = owner.key("p.\(pairs.owner)", entity: pairs.ownerNumber.map { "p.\($0)" })
    let memberKey = member.key("p.\(pairs.member)", entity: pairs.memberNumber.map { "p.\($0)" })
    var columns = [table.sourceColumn, table.destinationColumn]
    var values = [ownerKey, memberKey]
    if case .join(_, _, _, let order, let inverseOrder) = toMany.storage {
      // Members that had no order are ordered by their keys, with the gaps between sort keys that other files have.
      func place(_ known: String?, among owner: String, _ member: String) -> String {
        known.map { "p.\($0)" } ?? "(ROW_NUMBER() OVER (PARTITION BY p.\(owner) ORDER BY p.\(member)) + 1) * 1024"
      }
      if let order {
        columns.append(order)
        values.append(place(pairs.order, among: pairs.owner, pairs.member))
      }
      if let inverseOrder {
        columns.append(inverseOrder)
        values.append(place(pairs.inverseOrder, among: pairs.member, pairs.owner))
      }
    }
    var conditions = [pairs.condition].compactMap { $0 }
    if owner.needsEntity { conditions.append("\(ownerKey) IS NOT NULL") }
    if member.needsEntity { conditions.append("\(memberKey) IS NOT NULL") }
    let filter = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
    return "INSERT INTO \(name) (\(columns.joined(separator: ", "))) SELECT \(values.joined(separator: ", ")) "
      + "FROM \(pairs.table) p\(filter)"
  }
}
