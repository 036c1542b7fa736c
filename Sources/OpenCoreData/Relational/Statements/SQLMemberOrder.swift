/// The statements for the sort keys of an ordered to-many relationship's members.
package struct SQLMemberOrder: Sendable {
  /// The table that holds the sort keys: the table of the members' rows, or of pairs.
  package let table: String
  package let memberColumn: String
  package let orderColumn: String
  package let ownerColumn: String
  /// Whether the table is that of the members' rows. To find one member, the index of owners would then find too many
  /// rows.
  private let isOfRows: Bool

  /// Nil for a relationship without order.
  package init?(_ toMany: SQLToMany, fixed: SQLFixedColumns) {
    switch toMany.storage {
    case .foreignKey(let table, let column, _, let order?):
      (self.table, memberColumn, orderColumn, ownerColumn, isOfRows) = (table, fixed.key, order, column, true)
    case .join(let table, let source, let member, let order?, _):
      (self.table, memberColumn, orderColumn, ownerColumn, isOfRows) = (table, member, order, source, false)
    case .foreignKey, .join: return nil
    }
  }

  private var isOwners: SQLExpression { .compare(.equal, .name(ownerColumn), .parameter(.key)) }

  /// The condition for one member's row. It does not use an index of owners, because that finds all members of the
  /// owner.
  private var isMember: SQLExpression {
    let owner = SQLExpression.name(ownerColumn)
    return .all([
      .compare(.equal, .name(memberColumn), .parameter(.key)),
      .compare(.equal, isOfRows ? .unindexed(owner) : owner, .parameter(.key)),
    ])
  }

  /// The highest sort key of an owner's members.
  package var highest: SQLSelect {
    SQLSelect([.function(.maximum, [.name(orderColumn)])], from: table, where: isOwners)
  }

  /// The members of an owner in their order, with their sort keys.
  package var members: SQLSelect {
    var select = SQLSelect([.name(memberColumn), .name(orderColumn)], from: table, where: isOwners)
    select.order = [orderColumn, memberColumn].map { SQLOrder(expression: .name($0)) }
    return select
  }

  /// The sort key of a member: the variables are the member and the owner.
  package var sortKey: SQLSelect { SQLSelect([.name(orderColumn)], from: table, where: isMember) }

  /// Gives a member a sort key: the variables are the key, the member and the owner.
  package var placing: SQLChange {
    SQLChange(table: table, assignments: [.parameter(orderColumn, .position)], condition: isMember)
  }

  /// The members of an owner that have no sort key, in the order of their keys.
  package static func withoutPlace(_ entity: SQLEntity, owner: String, order: String) -> SQLSelect {
    var select = SQLSelect(
      [.name(entity.fixed.key)], from: entity.tableName,
      where: .all([.compare(.equal, .name(owner), .parameter(.key)), .isNull(.name(order))]))
    select.order = [SQLOrder(expression: .name(entity.fixed.key))]
    return select
  }
}
