/// The derived attributes of the new version whose values have to be computed again.
///
/// There are no triggers while the migration changes rows, so a derived value whose sources change is computed at the
/// end.
package struct DerivedMigration {
  private let versions: StoreVersions
  /// The derived attributes to compute; each comes after the attributes that it derives from.
  package private(set) var recomputed: [SQLDerivation] = []

  package init(_ versions: StoreVersions) {
    self.versions = versions
    let all = SQLDerivations(of: versions.new).all
    var left = all
    // An attribute that derives from a recomputed one is recomputed, too. The loop repeats until it finds no other
    // attribute.
    var found = true
    while found {
      found = false
      for (index, derivation) in left.enumerated().reversed() where isAffected(derivation) {
        recomputed.append(derivation)
        left.remove(at: index)
        found = true
      }
    }
    recomputed = Self.ordered(recomputed)
  }

  /// Whether the values of an entity's derived attribute are computed at the end.
  package func isRecomputed(_ attribute: SQLAttribute, of entity: SQLEntity) -> Bool {
    recomputed.contains { $0.attribute.columnName == attribute.columnName && $0.entity.numbers.contains(entity.number) }
  }

  /// The statements that compute the derived attributes.
  var steps: [MigrationPlan.Step] { recomputed.map { step($0, value(of: $0)) } }

  /// Returns the statement that sets the attribute to a value.
  package func step(_ derivation: SQLDerivation, _ value: String) -> MigrationPlan.Step {
    let entity = derivation.entity
    let filter =
      entity.superentity == nil
      ? "" : " WHERE \(versions.entityNumber) IN (\(entity.numbers.map(String.init).joined(separator: ", ")))"
    return MigrationPlan.Step(
      .sql("UPDATE \(quoted(entity.tableName)) SET \(quoted(derivation.attribute.columnName)) = \(value)\(filter)"),
      rows: (versions.feeds[entity.tableName] ?? []).reduce(0) { $0 + versions.contents.rowCount(of: $1.table) },
      subject: entity.tableName)
  }

  private func quoted(_ name: String) -> String { versions.quoted(name) }

  // MARK: Attributes to recompute

  /// Changes that leave the stored values as they are.
  private static let harmless: AttributeMigration.Changes = [.renamed, .moved]
  private static let harmlessToRelationships: RelationshipMigration.Changes = [
    .renamed, .moved, .mandatory, .inverse, .destination, .order,
  ]

  private func isAffected(_ derivation: SQLDerivation) -> Bool {
    if case .now = derivation.kind { return false }
    let members = derivation.entity.numbers.compactMap(versions.new.entity(number:))
    if members.contains(where: { isChanged(derivation.attribute, of: $0) }) { return true }
    switch derivation.kind {
    case .now: return false
    case .row(_, let source): return members.contains { isChanged(source, of: $0) }
    case .path(let path, let source):
      return hasRemovedEntities || path.contains(where: isChanged)
        || path.last.map { isChanged(source, below: versions.new.destination(of: $0)) } ?? true
    case .count(let toMany):
      return hasRemovedEntities || derivation.filter != nil || isChanged(toMany.relationship)
    case .sum(let toMany, let source):
      return hasRemovedEntities || derivation.filter != nil || isChanged(toMany.relationship)
        || isChanged(source, below: versions.new.destination(of: toMany))
    }
  }

  /// Whether keys may lead to rows that no longer exist, because their entity is removed.
  private var hasRemovedEntities: Bool {
    versions.old.entities.contains { !$0.entity.isAbstract && versions.successors[$0.number] == nil }
  }

  private func isChanged(_ attribute: SQLAttribute, below entity: SQLEntity) -> Bool {
    entity.numbers.compactMap(versions.new.entity(number:)).contains { isChanged(attribute, of: $0) }
  }

  private func isChanged(_ attribute: SQLAttribute, of entity: SQLEntity) -> Bool {
    if isRecomputed(attribute, of: entity) { return true }
    // An entity without a predecessor has no rows to compute values for.
    guard versions.predecessors[entity.number] != nil, let change = versions.migrations[entity.number] else {
      return false
    }
    let name = attribute.keyPath.prefix { $0 != "." }
    guard let found = change.attributes.first(where: { $0.destination.name == name }) else { return true }
    return !found.changes.isSubset(of: Self.harmless)
  }

  private func isChanged(_ toOne: SQLToOne) -> Bool { isChanged(toOne.relationship) }

  private func isChanged(_ relationship: NSRelationshipDescription) -> Bool {
    guard let owner = relationship.owner.flatMap(versions.new.entity(for:)) else { return true }
    return owner.numbers.contains { number in
      guard versions.predecessors[number] != nil else { return false }
      let change = versions.migrations[number]?.relationships.first { $0.destination.name == relationship.name }
      // A relationship that is new here may have existed before as the inverse of another one.
      return change.map { !$0.changes.isSubset(of: Self.harmlessToRelationships) } ?? true
    }
  }

  private static func ordered(_ derivations: [SQLDerivation]) -> [SQLDerivation] {
    var result: [SQLDerivation] = []
    var left = derivations.sorted {
      ($0.entity.number, $0.attribute.keyPath) < ($1.entity.number, $1.attribute.keyPath)
    }
    while !left.isEmpty {
      let ready = left.firstIndex { one in
        !left.contains { $0.attribute.attribute !== one.attribute.attribute && one.kind.derives(from: $0.attribute) }
      }
      // Attributes that derive from each other in a circle have no order.
      result.append(left.remove(at: ready ?? 0))
    }
    return result
  }

  // MARK: Values

  /// Returns the SQL of the value, over the rows as they are at the end of the migration.
  package func value(of derivation: SQLDerivation) -> String {
    let table = quoted(derivation.entity.tableName)
    let condition = derivation.filter.map { " AND (\($0.t0))" } ?? ""
    switch derivation.kind {
    case .now: return quoted(derivation.attribute.columnName)
    case .row(let function, let source):
      let name = SQLFunctionName(function).flatMap { versions.new.dialect.name(of: $0) }
      return name.map { "\($0)(\(quoted(source.columnName)))" } ?? quoted(source.columnName)
    case .path(let path, let source):
      let tables = path.map { quoted(versions.new.destination(of: $0).tableName) }
      let joins = path.indices.dropFirst().map {
        " JOIN \(tables[$0]) t\($0) ON t\($0).\(versions.key) = t\($0 - 1).\(quoted(path[$0].keyColumn))"
      }
      return "(SELECT t\(path.count - 1).\(quoted(source.columnName)) FROM \(tables[0]) t0\(joins.joined()) "
        + "WHERE t0.\(versions.key) = \(table).\(quoted(path[0].keyColumn)))"
    case .count(let toMany): return total("COUNT(*)", toMany, table, condition)
    case .sum(let toMany, let source):
      return total("\(versions.words.fallback)(SUM(t0.\(quoted(source.columnName))), 0)", toMany, table, condition)
    }
  }

  private func total(_ total: String, _ toMany: SQLToMany, _ table: String, _ condition: String) -> String {
    let key = versions.key
    switch toMany.storage {
    case .foreignKey(let members, let column, _, _):
      return
        "(SELECT \(total) FROM \(quoted(members)) t0 WHERE t0.\(quoted(column)) = \(table).\(key)\(condition))"
    case .join(let pairs, let owner, let member, _, _):
      let members = quoted(versions.new.destination(of: toMany).tableName)
      return "(SELECT \(total) FROM \(quoted(pairs)) t1 JOIN \(members) t0 ON t0.\(key) = t1.\(quoted(member)) "
        + "WHERE t1.\(quoted(owner)) = \(table).\(key)\(condition))"
    }
  }
}

extension SQLDerivation.Kind {
  fileprivate func derives(from attribute: SQLAttribute) -> Bool {
    switch self {
    case .now, .count: false
    case .row(_, let source), .path(_, let source), .sum(_, let source): source.attribute === attribute.attribute
    }
  }
}
