import Foundation

/// The sources of the columns of one entity's rows.
package struct EntityColumns {
  private let old: SQLEntity
  private let new: SQLEntity
  private let change: EntityMigration
  private let versions: StoreVersions
  private let derived: DerivedMigration
  /// The sources by the name of the new column.
  package private(set) var sources: [String: ColumnSource] = [:]
  /// The changes of properties, as text for the report.
  package private(set) var notes: [String] = []
  /// The conditions that the rows must meet.
  package private(set) var checks: [MigrationPlan.Check] = []

  package init(
    _ old: SQLEntity, _ new: SQLEntity, _ change: EntityMigration, _ versions: StoreVersions,
    _ derived: DerivedMigration
  ) {
    (self.old, self.new, self.change, self.versions, self.derived) = (old, new, change, versions, derived)
    for column in new.columns {
      switch column {
      case .attribute(let attribute): add(attribute)
      case .toOne(let toOne): add(toOne)
      }
    }
    for table in versions.new.tables {
      for column in table.ownerColumns
      where versions.new.entity(number: column.destinationNumber)?.numbers.contains(new.number) == true {
        add(column)
      }
    }
  }

  /// Adds a check that no row of exactly this entity meets a condition. If there is no condition, the entity must have
  /// no rows.
  private mutating func check(
    _ condition: String?, _ kind: MigrationObstacle.Kind, _ property: String, _ reason: String
  ) {
    let conditions = [old.sharesTable ? "\(versions.entityNumber) = \(old.number)" : nil, condition].compactMap { $0 }
    let filter = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
    let owner = new.entity.propertiesByName[String(property.prefix { $0 != "." })]?.owner?.name
    checks.append(
      MigrationPlan.Check(
        sql: "SELECT COUNT(*) FROM \(quoted(old.tableName))\(filter)",
        obstacle: MigrationObstacle(kind: kind, entity: owner ?? new.name, property: property, reason: reason)))
  }

  private func existing(_ column: String?) -> String? {
    column.flatMap { versions.contents.hasColumn($0, in: old.tableName) ? $0 : nil }
  }

  private func quoted(_ name: String) -> String { versions.quoted(name) }

  // MARK: Attributes

  private mutating func add(_ attribute: SQLAttribute) {
    let names = attribute.keyPath.split(separator: ".").map(String.init)
    var chain: [AttributeMigration] = []
    var level = change.attributes
    for name in names {
      guard let found = level.first(where: { $0.destination.name == name }) else { break }
      chain.append(found)
      level = found.elements
    }
    guard let leaf = chain.last, chain.count == names.count else {
      sources[attribute.columnName] = ColumnSource.none
      return
    }
    if leaf.isDerived {
      let kept = existing(leaf.source.flatMap { old.attribute(named: $0.name)?.columnName })
      let isKept = kept != nil && !derived.isRecomputed(attribute, of: new)
      sources[attribute.columnName] = isKept ? kept.map(ColumnSource.keep) : ColumnSource.none
      return
    }
    let before = chain.compactMap { $0.source?.name }
    let column =
      before.count == chain.count ? existing(old.attribute(named: before.joined(separator: "."))?.columnName) : nil
    sources[attribute.columnName] = column.map { source(of: attribute, leaf, from: $0) } ?? fill(attribute, chain)
    checkPresence(attribute, leaf, column)
  }

  /// Returns the source of an attribute that the old version has, too.
  private mutating func source(
    of attribute: SQLAttribute, _ leaf: AttributeMigration, from column: String
  ) -> ColumnSource {
    var result = ColumnSource.keep(column)
    guard let before = leaf.source else { return result }
    let words = versions.words, name = quoted(column)
    result.sql = words.converted(name, from: before.attributeType, to: leaf.destination.attributeType)
    if result.sql != nil { result.condition = "\(name) IS NOT NULL" }
    if let condition = words.misfits(name, from: before.attributeType, to: leaf.destination.attributeType) {
      check(
        condition, .valueOutOfRange, attribute.keyPath,
        "a number is out of the range of \(leaf.destination.attributeType.name)")
    }
    if before.isKeptWithMark != leaf.destination.isKeptWithMark,
      let marked = words.marked(name, isMarked: leaf.destination.isKeptWithMark)
    {
      result.sql = marked
      result.condition = "\(name) IS NOT NULL"
    }
    if let value = literal(leaf.fill, attribute) {
      result.condition = result.sql == nil ? "\(name) IS NULL" : nil
      result.sql = "\(words.fallback)(\(result.sql ?? name), \(value))"
    }
    return result
  }

  /// Returns the source of an attribute that is new.
  private func fill(_ attribute: SQLAttribute, _ chain: [AttributeMigration]) -> ColumnSource {
    // An element of a composite attribute gets its default value only in rows in which the composite is not nil.
    if chain.count > 1, let top = chain.first, let source = top.source {
      let others = old.elements(ofComposite: source.name).compactMap { existing($0.columnName) }
      guard !others.isEmpty, let value = literal(chain.last?.fill, attribute) else { return .none }
      return ColumnSource(
        sql: "CASE WHEN \(others.map { "\(quoted($0)) IS NOT NULL" }.joined(separator: " OR ")) THEN \(value) END")
    }
    let value =
      chain.count == 1
      ? chain[0].fill
      : chain.dropFirst().reduce(chain[0].fill) { ($0 as? [String: Any])?[$1.destination.name] }
    return literal(value, attribute).map { ColumnSource(sql: $0) } ?? .none
  }

  /// Returns a value as an SQL literal for the column; nil if there is no value.
  private func literal(_ value: Any?, _ attribute: SQLAttribute) -> String? {
    guard let value = StoredValue.unwrapped(value), let slot = new.entity.layout.slot(named: attribute.keyPath),
      let stored = StoredValue.converted(value, for: slot)
    else { return nil }
    switch stored {
    case .data(let value): return versions.words.literal(.data(value), attribute)
    case .transformed(let value):
      guard let object = value.object, let bytes = try? attribute.attribute.transformedBytes(of: object) else {
        return nil
      }
      return versions.words.literal(.data(bytes), attribute)
    case .unset, .null, .other, .object: return nil
    case .int, .double, .string, .uuid, .decimal: return versions.words.literal(stored, attribute)
    }
  }

  /// Adds a check for an attribute that must have a value and has no default value.
  private mutating func checkPresence(_ attribute: SQLAttribute, _ leaf: AttributeMigration, _ column: String?) {
    guard attribute.keyPath == leaf.destination.name, !leaf.destination.isOptional, leaf.fill == nil else { return }
    if column == nil {
      check(nil, .missingValue, attribute.keyPath, "it is new, not optional, and has no default value")
    } else if leaf.changes.contains(.mandatory) {
      check(
        column.map { "\(quoted($0)) IS NULL" }, .missingValue, attribute.keyPath,
        "it is no longer optional and has no default value, and an object lacks it")
    }
  }

  // MARK: To-one relationships

  private mutating func add(_ toOne: SQLToOne) {
    let relationship = toOne.relationship
    let change = self.change.relationships.first { $0.destination.name == relationship.name }
    let wanted = versions.new.destination(of: toOne)
    var key = ColumnSource.none, number = ColumnSource.none, order = ColumnSource.none
    if let source = change?.source, let before = old.toOne(named: source.name), existing(before.keyColumn) != nil {
      (key, number, order) = moved(toOne, before, wanted)
    } else {
      let pairs = pairs(relationship, change)
      if !pairs.isEmpty { (key, number, order) = lookedUp(toOne, pairs, wanted) }
      for pairs in pairs {
        checks.append(
          MigrationPlan.Check(
            sql: pairs.countOfCrowdedOwners,
            obstacle: MigrationObstacle(
              kind: .severalMembers, entity: relationship.owner?.name ?? new.name, property: relationship.name,
              reason: "it leads to one object, and an object had several")))
      }
    }
    sources[toOne.keyColumn] = key
    if let column = toOne.entityColumn { sources[column] = number }
    if let column = toOne.orderColumn { sources[column] = order }
    guard !relationship.isOptional, let change else { return }
    if change.changes.contains(.added) || change.changes.contains(.mandatory) || change.changes.contains(.toOne) {
      check(
        "(\(key.sql ?? key.base.map(quoted) ?? "NULL")) IS NULL", .missingValue, relationship.name,
        "it is not optional, and an object lacks it")
    }
  }

  private typealias Columns = (key: ColumnSource, number: ColumnSource, order: ColumnSource)

  /// Returns the sources for a relationship that was to-one in the old version, too.
  private func moved(_ toOne: SQLToOne, _ before: SQLToOne, _ wanted: SQLEntity) -> Columns {
    let destination = versions.old.destination(of: before)
    let translation = KeyTranslation(destination, to: wanted, in: versions)
    let numberColumn = existing(before.entityColumn)
    // A missing number stands for the relationship's own destination entity.
    let entity =
      numberColumn.map { "\(versions.words.fallback)(\(quoted($0)), \(destination.number))" }
      ?? (destination.hasSubentities ? nil : "\(destination.number)")
    var result: Columns = (.keep(before.keyColumn), .none, .none)
    let isSet = "\(quoted(before.keyColumn)) IS NOT NULL"
    if !translation.keepsKeys {
      result.key.sql = translation.key(quoted(before.keyColumn), entity: entity)
      result.key.condition = isSet
      result.key.isLocal = entity != nil || !translation.needsEntity
    }
    if toOne.entityColumn != nil {
      if let numberColumn, translation.keepsNumbers {
        result.number = .keep(numberColumn)
      } else {
        result.number = ColumnSource(
          base: numberColumn, sql: translation.number(quoted(before.keyColumn), entity: entity), condition: isSet,
          isLocal: entity != nil || translation.isOfOneEntity)
      }
    }
    if let column = existing(before.orderColumn) { result.order = .keep(column) }
    return result
  }

  /// Returns the old pairs whose owners are rows of this entity.
  private func pairs(
    _ relationship: NSRelationshipDescription, _ change: RelationshipMigration?
  ) -> [RelationshipPairs] {
    if let source = change?.source { return [RelationshipPairs(source, in: versions)].compactMap { $0 } }
    return RelationshipPairs.origins(of: relationship, in: versions)
      .filter { $0.ownerEntity.numbers.contains(old.number) }
  }

  /// Returns the sources for a to-one relationship whose old pairs are not in this entity's own columns.
  private func lookedUp(_ toOne: SQLToOne, _ pairs: [RelationshipPairs], _ wanted: SQLEntity) -> Columns {
    func find(_ value: (RelationshipPairs) -> String?) -> ColumnSource {
      let found = pairs.compactMap { pairs in value(pairs).map { pairs.lookUp($0, from: old.tableName) } }
      if found.isEmpty { return .none }
      return ColumnSource(
        sql: found.count == 1 ? found[0] : "COALESCE(\(found.joined(separator: ", ")))", isLocal: false)
    }
    func translated(_ pairs: RelationshipPairs, _ result: (KeyTranslation, String, String?) -> String) -> String {
      let translation = KeyTranslation(pairs.memberEntity, to: wanted, in: versions)
      return result(translation, pairs.value(pairs.member), pairs.memberNumber.map(pairs.value))
    }
    return (
      find { translated($0) { $0.key($1, entity: $2) } }, find { translated($0) { $0.number($1, entity: $2) } },
      find { pairs in pairs.inverseOrder.map(pairs.value) }
    )
  }

  // MARK: Owners

  /// Adds the sources of the columns that hold the owner of a row, for a to-many relationship without inverse.
  private mutating func add(_ column: SQLOwnerColumn) {
    guard let owner = versions.new.entity(number: column.ownerNumber) else { return }
    let origins = RelationshipPairs.origins(of: column.relationship, in: versions)
      .filter { $0.memberEntity.root.number == old.root.number }
    var key = ColumnSource.none, order = ColumnSource.none
    if let pairs = origins.first, origins.count == 1, pairs.member == versions.new.dialect.columns.key,
      pairs.table == old.tableName,
      KeyTranslation(pairs.ownerEntity, to: owner, in: versions).keepsKeys
    {
      key = .keep(pairs.owner)
      if let known = pairs.order { order = .keep(known) }
    } else {
      func find(_ value: (RelationshipPairs) -> String?) -> ColumnSource {
        let found = origins.compactMap { pairs in value(pairs).map { pairs.inverse.lookUp($0, from: old.tableName) } }
        if found.isEmpty { return .none }
        return ColumnSource(
          sql: found.count == 1 ? found[0] : "COALESCE(\(found.joined(separator: ", ")))", isLocal: false)
      }
      key = find { pairs in
        KeyTranslation(pairs.ownerEntity, to: owner, in: versions)
          .key(pairs.value(pairs.owner), entity: pairs.ownerNumber.map(pairs.value))
      }
      order = find { pairs in pairs.order.map(pairs.value) }
      for pairs in origins { checkOwners(pairs.inverse, column) }
    }
    sources[column.keyColumn] = key
    if let name = column.orderColumn { sources[name] = order }
  }

  /// Adds a check that each member has only one owner.
  /// - Parameter pairs: the pairs with both ends exchanged: the members are in the place of the owners.
  private mutating func checkOwners(_ pairs: RelationshipPairs, _ column: SQLOwnerColumn) {
    var check = MigrationPlan.Check(
      sql: pairs.countOfCrowdedOwners,
      obstacle: MigrationObstacle(
        kind: .severalMembers, entity: column.relationship.owner?.name ?? "", property: column.relationship.name,
        reason: "it has no inverse, so that a member has one owner, and a member has several"))
    let filter = pairs.condition.map { " WHERE \($0)" } ?? ""
    let owner = pairs.value(pairs.owner)
    let members = versions.words.list("'\(pairs.memberEntity.name)/p' || \(pairs.value(pairs.member))", by: " and ")
    check.examples =
      "SELECT '\(pairs.ownerEntity.name)/p' || \(owner) || ' belongs to ' || \(members) "
      + "FROM \(quoted(pairs.table)) p\(filter) GROUP BY \(owner) HAVING COUNT(*) > 1 ORDER BY \(owner) LIMIT 5"
    checks.append(check)
  }
}
