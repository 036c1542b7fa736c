/// The pairs of a relationship in the old file: the rows of a join table, or the rows of a table that have a foreign
/// key.
package struct RelationshipPairs {
  private let versions: StoreVersions
  package let table: String
  /// The columns with the keys of both ends.
  package let owner: String, member: String
  /// The columns with the numbers of both ends' entities; nil if there is no such column.
  package let ownerNumber: String?, memberNumber: String?
  /// The columns with the place of the member among the owner's members, and of the owner among the member's owners.
  package let order: String?, inverseOrder: String?
  package let ownerEntity: SQLEntity, memberEntity: SQLEntity
  /// The SQL condition for the rows that are pairs; their table has the alias p.
  package let condition: String?

  /// Returns nil if the old file does not store the relationship.
  package init?(_ relationship: NSRelationshipDescription, in versions: StoreVersions) {
    let old = versions.old, fixed = old.dialect.columns
    self.versions = versions
    guard let entity = relationship.owner.flatMap(old.entity(for:)),
      let destination = relationship.destinationEntity.flatMap(old.entity(for:))
    else { return nil }
    (ownerEntity, memberEntity) = (entity, destination)
    if let toOne = entity.toOne(named: relationship.name) {
      table = entity.tableName
      (owner, ownerNumber) = (fixed.key, fixed.entity)
      (member, memberNumber) = (toOne.keyColumn, toOne.entityColumn)
      (order, inverseOrder) = (nil, toOne.orderColumn)
      let isOfEntity =
        entity.superentity == nil
        ? nil : "p.\(versions.entityNumber) IN (\(entity.numbers.map(String.init).joined(separator: ", ")))"
      condition = (["p.\(versions.quoted(toOne.keyColumn)) IS NOT NULL"] + [isOfEntity].compactMap { $0 }).joined(
        separator: " AND ")
    } else if let toMany = entity.toManys[relationship.name] {
      switch toMany.storage {
      case .foreignKey(let table, let column, let entityColumn, let orderColumn):
        self.table = table
        (owner, ownerNumber) = (column, entityColumn)
        (member, memberNumber) = (fixed.key, fixed.entity)
        (order, inverseOrder) = (orderColumn, nil)
        condition = "p.\(versions.quoted(column)) IS NOT NULL"
      case .join(let table, let source, let destination, let orderColumn, let inverseOrderColumn):
        self.table = table
        (owner, ownerNumber) = (source, nil)
        (member, memberNumber) = (destination, nil)
        (order, inverseOrder) = (orderColumn, inverseOrderColumn)
        condition = nil
      }
    } else {
      return nil
    }
    let columns = [owner, member, ownerNumber, memberNumber, order, inverseOrder].compactMap { $0 }
    guard columns.allSatisfy({ versions.contents.hasColumn($0, in: table) }) else { return nil }
  }

  private init(inverseOf pairs: RelationshipPairs) {
    (table, versions) = (pairs.table, pairs.versions)
    (owner, member) = (pairs.member, pairs.owner)
    (ownerNumber, memberNumber) = (pairs.memberNumber, pairs.ownerNumber)
    (order, inverseOrder) = (pairs.inverseOrder, pairs.order)
    (ownerEntity, memberEntity) = (pairs.memberEntity, pairs.ownerEntity)
    condition = pairs.condition
  }

  /// The same pairs with both ends exchanged.
  package var inverse: RelationshipPairs { RelationshipPairs(inverseOf: self) }

  /// Returns the old pairs that a relationship of the destination takes over: those of its own sources, or else those
  /// of its inverse's sources. There may be several: a relationship that moved up to a superentity may have a source in
  /// each subentity.
  package static func origins(of relationship: NSRelationshipDescription, in versions: StoreVersions)
    -> [RelationshipPairs]
  {
    let own = versions.sources(of: relationship).compactMap { RelationshipPairs($0, in: versions) }
    guard own.isEmpty, let inverse = relationship.otherEnd, inverse !== relationship else { return own }
    return versions.sources(of: inverse).compactMap { RelationshipPairs($0, in: versions)?.inverse }
  }

  /// The value of a column in a statement that gives the table the alias p.
  package func value(_ column: String) -> String { "p.\(versions.quoted(column))" }

  /// The query for the number of owners that have more than one member.
  package var countOfCrowdedOwners: String {
    let filter = condition.map { " WHERE \($0)" } ?? ""
    return "SELECT COUNT(*) FROM (SELECT 1 FROM \(versions.quoted(table)) p\(filter) GROUP BY \(value(owner)) "
      + "HAVING COUNT(*) > 1)\(versions.new.dialect.suffixOfNestedTable)"
  }

  /// Returns a subquery for a statement over the old owner's table: the given value of the pair whose owner is the
  /// current row.
  package func lookUp(_ value: String, from ownerTable: String) -> String {
    let conditions =
      ["\(self.value(owner)) = \(versions.quoted(ownerTable)).\(versions.key)"] + [condition].compactMap { $0 }
    return "(SELECT \(value) FROM \(versions.quoted(table)) p WHERE \(conditions.joined(separator: " AND ")))"
  }
}
