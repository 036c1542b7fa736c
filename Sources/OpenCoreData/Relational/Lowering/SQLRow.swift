/// An object that a key path goes through: the fetched row, the destination of a to-one relationship, or a member of a
/// to-many relationship. Its table is joined only if more than the key is needed.
package final class SQLRow {
  package let entity: SQLEntity
  /// The object's key, which another table may hold.
  package let key: SQLExpression
  /// The column beside the key that names the entity, if the table with the key has one.
  private let entityColumn: SQLExpression?
  package let scope: SQLScope
  /// Whether there may be no such object.
  package let isOptional: Bool
  private let owner: SQLRow?
  private var alias: Int?
  private var destinations: [String: SQLRow] = [:]

  package init(entity: SQLEntity, key: SQLExpression, scope: SQLScope, alias: Int?) {
    self.entity = entity
    self.key = key
    self.scope = scope
    self.alias = alias
    isOptional = false
    owner = nil
    entityColumn = nil
  }

  private init(entity: SQLEntity, key: SQLExpression, entityColumn: SQLExpression?, owner: SQLRow) {
    self.entity = entity
    self.key = key
    self.entityColumn = entityColumn
    self.owner = owner
    scope = owner.scope
    isOptional = true
  }

  /// The row of the scope's own table.
  package convenience init(entity: SQLEntity, scope: SQLScope) {
    self.init(
      entity: entity, key: .column(alias: scope.alias, name: entity.fixed.key), scope: scope, alias: scope.alias)
  }

  /// A column of the row.
  package func column(_ name: String, _ type: SQLColumnType? = nil) -> SQLExpression {
    .column(alias: table(), name: name, type: type)
  }

  /// The number of the object's entity.
  package var entityNumber: SQLExpression {
    if let entityColumn { return entityColumn }
    return entity.hasSubentities || alias != nil ? column(entity.fixed.entity) : .integer(entity.number)
  }

  /// The destination of a to-one relationship; each is joined once.
  package func destination(of toOne: SQLToOne, in model: SQLModel) -> SQLRow {
    if let known = destinations[toOne.relationship.name] { return known }
    let row = SQLRow(
      entity: model.destination(of: toOne), key: column(toOne.keyColumn),
      entityColumn: toOne.entityColumn.map { column($0) }, owner: self)
    destinations[toOne.relationship.name] = row
    return row
  }

  /// States that a row without this object does not satisfy the predicate.
  package func require() {
    guard isOptional, let alias else { return }
    scope.require(alias: alias)
    owner?.require()
  }

  private func table() -> Int {
    if let alias { return alias }
    let key = key, name = entity.fixed.key
    let joined = scope.join(entity.tableName, isOuter: isOptional) {
      .compare(.equal, key, .column(alias: $0, name: name))
    }
    alias = joined
    return joined
  }
}
