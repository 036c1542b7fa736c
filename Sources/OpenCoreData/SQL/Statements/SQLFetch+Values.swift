import OpenCocoaFoundation
import Foundation

import class OpenCocoaFoundation.NSExpression

extension SQLFetch {
  /// A fetch of single values: of dictionaries, grouped and filtered by group where asked for.
  func values(
    _ values: [SQLFetchedValue], _ groupBy: [NSExpression], _ having: NSPredicate?, _ lowering: PredicateLowering,
    _ scope: SQLScope
  ) throws -> SQLFetchStatement {
    var lowering = lowering
    var results: [SQLResult] = []
    var kinds: [SQLKind] = []
    for value in values {
      let scalar = try lowering.scalar(value.expression)
      results.append(SQLResult(scalar.expression))
      kinds.append(scalar.kind)
      if let entity = entityColumn(value.expression, scalar, lowering) { results.append(SQLResult(entity)) }
      lowering.values[value.name] = scalar
    }
    let groups = try groupBy.map { try lowering.scalar($0).expression }
    let groupCondition = try having.map { try lowering.condition($0, isRequired: false) }
    let order = try lowering.order(sortDescriptors)
    var select = scope.select([])
    select.joins = scope.joins
    select.results = results
    select.groups = groups
    select.groupCondition = groupCondition
    select.order = order
    select.limit = limit
    select.offset = offset
    select.isDistinct = isDistinct
    return SQLFetchStatement(statement: select.statement(), kinds: kinds)
  }

  /// For an object: the number of its entity, since an identifier names it.
  private func entityColumn(
    _ expression: NSExpression, _ scalar: SQLScalar, _ lowering: PredicateLowering
  ) -> SQLExpression? {
    guard case .key = scalar.kind, let row = scalar.row else { return nil }
    return row.entityNumber
  }
}
