/// The statements that load rows and members whose keys are known.
enum SQLRowStatements {
  /// Full rows by key, in no order: Z_PK, Z_ENT, Z_OPT, then the columns of the entity's row layout.
  ///
  /// The entity's rows are read with those of its subentities, since the key of a fault does not tell which it is.
  static func rows(of entity: SQLEntity, keys: [Int64]) -> SQLStatement {
    let names = ["Z_PK", "Z_ENT", "Z_OPT"] + entity.rowLayout.columnNames
    let select = SQLSelect(
      results: names.map { SQLResult(.column(alias: 0, name: $0)) }, table: entity.tableName, alias: 0,
      condition: isOne(of: keys, "Z_PK"))
    return select.statement()
  }

  /// The members of a to-many relationship of the given owners: the owner's key, the member's key and, where members
  /// may be of several entities, the number of the member's entity. Sorted by owner if there are several, then by the
  /// relationship's own order.
  static func members(of toMany: SQLToMany, in model: SQLModel, owners: [Int64]) -> SQLStatement {
    let destination = model.destination(of: toMany)
    let member = members(of: toMany, destination)
    var select = SQLSelect(
      results: [SQLResult(member.owner), SQLResult(member.key)], table: member.table, alias: 0,
      condition: isOne(of: owners, member.ownerColumn))
    if destination.hasSubentities {
      if member.isEntityTable {
        select.results.append(SQLResult(.column(alias: 0, name: "Z_ENT")))
      } else {
        let join = SQLExpression.compare(.equal, .column(alias: 1, name: "Z_PK"), member.key)
        select.joins = [SQLJoin(isOuter: false, table: destination.tableName, alias: 1, condition: join)]
        select.results.append(SQLResult(.column(alias: 1, name: "Z_ENT")))
      }
    }
    if owners.count > 1 { select.order.append(SQLOrder(expression: member.owner)) }
    if let order = member.order { select.order += [SQLOrder(expression: order), SQLOrder(expression: member.key)] }
    return select.statement()
  }

  /// The members of a to-many relationship of the given owners with their full rows: the owner's key, then Z_PK,
  /// Z_ENT, Z_OPT and the columns of the destination's row layout; sorted like `members`.
  static func memberRows(of toMany: SQLToMany, in model: SQLModel, owners: [Int64]) -> SQLStatement {
    let destination = model.destination(of: toMany)
    let member = members(of: toMany, destination)
    let alias = member.isEntityTable ? 0 : 1
    let names = ["Z_PK", "Z_ENT", "Z_OPT"] + destination.rowLayout.columnNames
    var select = SQLSelect(
      results: [SQLResult(member.owner)] + names.map { SQLResult(.column(alias: alias, name: $0)) },
      table: member.table, alias: 0, condition: isOne(of: owners, member.ownerColumn))
    if !member.isEntityTable {
      let join = SQLExpression.compare(.equal, .column(alias: 1, name: "Z_PK"), member.key)
      select.joins = [SQLJoin(isOuter: false, table: destination.tableName, alias: 1, condition: join)]
    }
    if owners.count > 1 { select.order.append(SQLOrder(expression: member.owner)) }
    if let order = member.order { select.order += [SQLOrder(expression: order), SQLOrder(expression: member.key)] }
    return select.statement()
  }

  private struct Members {
    let table: String
    let ownerColumn: String
    let key: SQLExpression
    let order: SQLExpression?
    let isEntityTable: Bool

    var owner: SQLExpression { .column(alias: 0, name: ownerColumn) }
  }

  private static func members(of toMany: SQLToMany, _ destination: SQLEntity) -> Members {
    switch toMany.storage {
    case .foreignKey(let table, let column, _, let order):
      Members(
        table: table, ownerColumn: column, key: .column(alias: 0, name: "Z_PK"),
        order: order.map { .column(alias: 0, name: $0) }, isEntityTable: true)
    case .join(let table, let source, let destination, let order, _):
      Members(
        table: table, ownerColumn: source, key: .column(alias: 0, name: destination),
        order: order.map { .column(alias: 0, name: $0) }, isEntityTable: false)
    }
  }

  private static func isOne(of keys: [Int64], _ column: String) -> SQLExpression {
    let column = SQLExpression.column(alias: 0, name: column)
    return keys.count == 1 ? .compare(.equal, column, .value(.integer(keys[0]))) : .inKeys(column, keys)
  }
}
