import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// A fetch, before it becomes a statement.
package struct SQLFetch {
  /// The columns that the statement returns for each row.
  package enum Result {
    /// Key, number of the entity and version, then the columns of the entity's `SQLRowLayout`.
    case rows
    /// Key, then the number of the entity.
    case keys
    /// One row with the number of objects within limit and offset.
    case count
    /// One column for each expression.
    case values([SQLFetchedValue], groupBy: [NSExpression], having: NSPredicate?)
  }

  package let model: SQLModel
  package let entity: SQLEntity
  package var predicate: NSPredicate?
  package var sortDescriptors: [NSSortDescriptor] = []
  /// The largest number of objects; 0 for no limit.
  package var limit = 0
  package var offset = 0
  package var includesSubentities = true
  /// For `values`: whether equal rows are returned once.
  package var isDistinct = false
  package var result = Result.rows
  /// The keys of the rows to fetch, or of the rows to leave out; nil for all rows.
  package var rows: RowChoice?

  package init(model: SQLModel, entity: SQLEntity) {
    self.model = model
    self.entity = entity
  }
}

/// A column that a fetch of values computes.
package struct SQLFetchedValue {
  /// The name by which HAVING and the sort descriptors refer to the value, as a variable.
  package var name: String
  package var expression: NSExpression

  package init(name: String, expression: NSExpression) { (self.name, self.expression) = (name, expression) }
}

/// A fetch as a statement.
package struct SQLFetchStatement: Sendable {
  package var statement: SQLStatement
  /// For `rows`: the columns after those that every table has, and the positions of each entity's columns.
  package var layout: SQLRowLayout?
  /// For `values`: the kind of each column; a key is followed by a column with the number of its entity.
  package var kinds: [SQLKind] = []
}

extension SQLFetch {
  /// Makes the statement.
  ///
  /// - Throws: An error of `SQLLoweringError`, which names the part that SQL cannot express.
  package func statement() throws -> SQLFetchStatement {
    var (lowering, scope) = try condition()
    switch result {
    case .rows: return try rows(lowering, scope)
    case .keys:
      let key = SQLExpression.column(alias: scope.alias, name: entity.fixed.key)
      // If no other column is read, an index with the sort keys is enough.
      let number =
        entity.sharesTable
        ? .column(alias: scope.alias, name: entity.fixed.entity) : SQLExpression.integer(entity.number)
      return try finish(scope.select([key, number]), order: try order(lowering), scope)
    case .count: return try count(scope)
    case .values(let values, let groupBy, let having):
      lowering.allowsAggregates = true
      return try self.values(values, groupBy, having, lowering, scope)
    }
  }

  /// Returns a select of the objects' keys alone, in no order, as a part of other statements. It ignores limit and
  /// offset.
  ///
  /// - Throws: as `statement`.
  package func keys() throws -> SQLSelect {
    let (_, scope) = try condition()
    var select = scope.select([.column(alias: scope.alias, name: entity.fixed.key)])
    select.joins = scope.joins
    return select
  }

  private func condition() throws -> (PredicateLowering, SQLScope) {
    let scope = SQLScope(table: entity.tableName)
    let lowering = PredicateLowering(model: model, row: SQLRow(entity: entity, scope: scope))
    if let predicate { scope.conditions.append(try lowering.condition(predicate)) }
    if let filter = SQLFetch.entityFilter(entity, alias: scope.alias, includesSubentities) {
      scope.conditions.append(filter)
    }
    switch rows {
    case .only(let keys): scope.conditions.append(.inKeys(lowering.row.key, Array(keys)))
    case .without(let keys): scope.conditions.append(SQLExpression.inKeys(lowering.row.key, Array(keys)).negated)
    case nil: break
    }
    return (lowering, scope)
  }

  /// Returns the condition that a row is of the entity; nil if the table has no rows of others.
  package static func entityFilter(_ entity: SQLEntity, alias: Int, _ includesSubentities: Bool) -> SQLExpression? {
    guard entity.needsEntityFilter(includingSubentities: includesSubentities) else { return nil }
    let numbers = includesSubentities ? entity.numbers : [entity.number]
    let column = SQLExpression.column(alias: alias, name: entity.fixed.entity)
    let terms = numbers.map { SQLExpression.compare(.equal, column, .integer($0)) }
    return .unselective(terms.count == 1 ? terms[0] : .inIntegers(column, numbers))
  }

  private func rows(_ lowering: PredicateLowering, _ scope: SQLScope) throws -> SQLFetchStatement {
    let order = try order(lowering)
    let layout = includesSubentities ? entity.rowLayout : SQLRowLayout(entity)
    let names = entity.fixed.all + layout.columnNames
    let select = scope.select(names.map { .column(alias: scope.alias, name: $0) })
    var statement = try finish(select, order: order, scope)
    statement.layout = layout
    return statement
  }

  /// Returns the sort keys. Rows with equal sort keys come in the same order in all fetches, so that the pages of a
  /// list have each row once.
  private func order(_ lowering: PredicateLowering) throws -> [SQLOrder] {
    var order = try lowering.order(sortDescriptors)
    // A fetch of any one row needs no order: to sort, a database might read all rows.
    guard model.dialect.ordersTies, !order.isEmpty || limit > 1 || offset > 0 else { return order }
    order.append(SQLOrder(expression: lowering.row.key, isAlwaysThere: true))
    return order
  }

  private func finish(_ select: SQLSelect, order: [SQLOrder], _ scope: SQLScope) throws -> SQLFetchStatement {
    var select = select
    // The sort keys may have joined further tables.
    select.joins = scope.joins
    select.order = order
    select.limit = limit
    select.offset = offset
    return SQLFetchStatement(statement: try select.statement(model.dialect))
  }

  private func count(_ scope: SQLScope) throws -> SQLFetchStatement {
    guard limit > 0 || offset > 0 else {
      return SQLFetchStatement(statement: try scope.select([.function(.count, [])]).statement(model.dialect))
    }
    var inner = scope.select([.integer(1)])
    inner.limit = limit
    inner.offset = offset
    var printer = SQLPrinter(dialect: model.dialect)
    printer.printCount(of: inner)
    return SQLFetchStatement(statement: try printer.statement())
  }
}
