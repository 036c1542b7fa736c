/// The statements for the members of a to-many relationship.
package struct SQLMembers {
  package let toMany: SQLToMany
  /// The entity of the members.
  package let destination: SQLEntity

  private var fixed: SQLFixedColumns { destination.fixed }
  private var key: SQLExpression { .name(fixed.key) }

  package init(_ toMany: SQLToMany, in schema: SQLModel) {
    self.toMany = toMany
    destination = schema.destination(of: toMany)
  }

  // MARK: Reading

  /// Returns `SELECT owner, member, member's entity ... ORDER BY owner, member`, in the order of the covering index, or
  /// of the members' sort keys. The third column exists if members may be of several entities.
  /// - Parameter ofMany: whether the select takes any number of owners, in one variable.
  package func keys(ofMany: Bool) -> SQLSelect {
    keys { ofMany ? .inKeyParameter($0) : .compare(.equal, $0, .parameter(.key)) }
  }

  /// Returns the same select for the owners whose keys a select gives.
  package func keys(ofOwnersIn owners: SQLSelect) -> SQLSelect { keys { .inSelect($0, owners) } }

  /// Returns the keys of these owners' members alone, in no order. A member with several owners comes once for each of
  /// them.
  package func members(ofOwnersIn owners: SQLSelect) -> SQLSelect {
    var select = keys(ofOwnersIn: owners)
    select.results = [select.results[1]]
    (select.joins, select.order) = ([], [])
    return select
  }

  private func keys(where condition: (SQLExpression) -> SQLExpression) -> SQLSelect {
    let row = { SQLExpression.column(alias: 0, name: $0) }
    let pair = { SQLExpression.column(alias: 1, name: $0) }
    let entity = destination.hasSubentities ? [row(fixed.entity)] : []
    var select: SQLSelect
    let owner: SQLExpression, order: [SQLExpression]
    switch toMany.storage {
    case .foreignKey(let table, let column, _, let sortKey):
      owner = row(column)
      select = SQLSelect([owner, row(fixed.key)] + entity, from: table, alias: 0)
      order = [owner] + (sortKey.map { [row($0)] } ?? []) + [row(fixed.key)]
    case .join(let table, let source, let member, let sortKey, _):
      owner = pair(source)
      select = SQLSelect([owner, pair(member)] + entity, from: table, alias: 1)
      order = [owner] + (sortKey.map { [pair($0)] } ?? []) + [pair(member)]
      if destination.hasSubentities {
        select.joins = [
          SQLJoin(
            kind: .inner, table: destination.tableName, alias: 0,
            condition: .compare(.equal, row(fixed.key), pair(member)))
        ]
      }
    }
    select.condition = condition(owner)
    select.order = order.map { SQLOrder(expression: $0) }
    return select
  }

  // MARK: A table of pairs

  /// Adds a pair: the variables are the owner and the member. A pair that already exists is kept.
  package static func addition(_ table: String, _ owner: String, _ member: String) -> SQLInsert {
    SQLInsert(table, binding: [(owner, .key), (member, .key)], leavesOutConflicts: true)
  }

  /// Removes a pair: the variables are the owner and the member.
  package static func removal(_ table: String, _ owner: String, _ member: String) -> SQLChange {
    SQLChange(
      table: table,
      condition: .all([
        .compare(.equal, .name(owner), .parameter(.key)), .compare(.equal, .name(member), .parameter(.key)),
      ]))
  }

  // MARK: A column of the members' rows that holds the owner

  /// Removes a member from its owner: the variables are the member and the owner.
  package func release(_ table: String, _ column: String, _ order: String?) -> SQLChange {
    SQLChange(
      table: table, assignments: [SQLAssignment(column, .null)] + Self.withoutPlace(order),
      condition: .all([.compare(.equal, key, .parameter(.key)), .compare(.equal, .name(column), .parameter(.key))]))
  }

  /// Returns the owner of a member.
  package func owner(_ table: String, _ column: String) -> SQLSelect {
    SQLSelect([.name(column)], from: table, where: .compare(.equal, key, .parameter(.key)))
  }

  /// Gives a member to an owner: the variables are the owner and the member.
  package func adoption(_ table: String, _ column: String, _ order: String?) -> SQLChange {
    SQLChange(
      table: table, assignments: [.parameter(column, .key)] + Self.withoutPlace(order),
      condition: .compare(.equal, key, .parameter(.key)))
  }

  /// Clears the place of a member: a member that changes its owner has no place among the other members.
  package static func withoutPlace(_ order: String?) -> [SQLAssignment] {
    order.map { [SQLAssignment($0, .null)] } ?? []
  }

  // MARK: A deleted owner

  /// Removes a deleted owner from the relationship. Nil if a property of the members holds the owner: the save changes
  /// the members' rows, too.
  /// - Parameters:
  ///   - hasInverse: whether members have a property that leads back to the owner.
  ///   - isSymmetric: whether the relationship is its own inverse, so that the owner may be in either column.
  package func withoutOwner(hasInverse: Bool, isSymmetric: Bool) -> SQLChange? {
    let owner = SQLExpression.parameter(.key, number: 1)
    switch toMany.storage {
    case .foreignKey(let table, let column, _, let order):
      if hasInverse { return nil }
      return SQLChange(
        table: table, assignments: [SQLAssignment(column, .null)] + Self.withoutPlace(order),
        condition: .compare(.equal, .name(column), owner))
    case .join(let table, let source, let member, _, _):
      let isSource = SQLExpression.compare(.equal, .name(source), owner)
      return SQLChange(
        table: table, condition: isSymmetric ? .or([isSource, .compare(.equal, .name(member), owner)]) : isSource)
    }
  }
}
