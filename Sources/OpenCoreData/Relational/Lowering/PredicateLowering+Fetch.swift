import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

// FETCH: a select inside of the select. If the store alone cannot answer the fetch, the fetch runs before, and its
// result becomes a constant.
extension PredicateLowering {
  /// The result of a FETCH expression's request, or the number of its results.
  package func fetched(
    _ request: NSExpression, _ context: NSExpression, countOnly: Bool, _ expression: NSExpression
  ) throws -> SQLOperand {
    guard case .constant(let given)? = try? operand(request), let fetch = given as? any AnyFetchRequest,
      case .constant(let owner)? = try? operand(context), let owner = owner as? NSManagedObjectContext,
      let stores = owner.persistentStoreCoordinator?.persistentStores
    else { throw SQLLoweringError.unsupported("Unsupported expression", expression) }
    let counts = countOnly || fetch.resultType == .countResultType
    let isOfOneStore =
      stores.count == 1 && (stores[0] as? any RelationalStore)?.schema === model && fetch.affectedStores == nil
    if isOfOneStore, !owner.ancestors.orContextHaveChanges || !fetch.includesPendingChanges,
      let operand = try selected(FetchTarget(fetch, in: owner), counts: counts, fetch.resultType)
    {
      return operand
    }
    guard stores.contains(where: { ($0 as? any RelationalStore)?.schema === model }) else {
      throw SQLLoweringError.unsupported("Unsupported expression", expression)
    }
    return .constant(
      try SQLLoweringError.evaluating {
        try owner.performAndWait { try owner.evaluateFetch(fetch, countOnly: countOnly) }
      })
  }

  /// Returns the fetch as a select of its own; nil if that is not possible.
  private func selected(
    _ target: FetchTarget, counts: Bool, _ type: NSFetchRequestResultType
  ) throws -> SQLOperand? {
    guard let entity = model.entity(for: target.layout.entity) else { return nil }
    let pages = target.limit > 0 || target.offset > 0
    let scope = scope.unrelated(table: entity.tableName)
    let row = SQLRow(entity: entity, scope: scope)
    let inner = try lowering(target, entity, row)
    if counts {
      if pages || target.dictionaries != nil { return nil }
      return .scalar(count(scope))
    }
    let kind = SQLKind.key(root: entity.root.number)
    guard let query = target.dictionaries else {
      return pages ? members(entity, in: try select(row.key, target, inner)) : members(row)
    }
    // A fetch of dictionaries with one column is a list of values.
    guard query.columns.count == 1 else { return nil }
    var grouped = inner
    grouped.allowsAggregates = true
    let value = try grouped.scalar(query.columns[0].expression)
    grouped.values[query.columns[0].name] = value
    if value.kind == kind {
      var select = try select(value.expression, target, grouped)
      select.groups = try query.groups.map { try grouped.scalar($0).expression }
      select.groupCondition = try query.having.map { try grouped.condition($0, isRequired: false) }
      select.joins = scope.joins
      return members(entity, in: select)
    }
    guard !pages, query.groups.isEmpty, !query.isOfAllRows else { return nil }
    return .collection(scope, SQLElement(value: value, row: row, isMember: false, keepsNil: false))
  }

  /// Returns the lowering of the request's own predicate. The predicate of a FETCH cannot refer to the outer row.
  private func lowering(_ target: FetchTarget, _ entity: SQLEntity, _ row: SQLRow) throws -> PredicateLowering {
    let inner = PredicateLowering(model: model, row: row)
    if let predicate = target.predicate { row.scope.conditions.append(try inner.condition(predicate)) }
    if let filter = SQLFetch.entityFilter(entity, alias: row.scope.alias, target.includesSubentities) {
      row.scope.conditions.append(filter)
    }
    return inner
  }

  private func select(
    _ result: SQLExpression, _ target: FetchTarget, _ inner: PredicateLowering
  ) throws -> SQLSelect {
    let pages = target.limit > 0 || target.offset > 0
    let order = pages ? try inner.order(target.sortDescriptors) : []
    var select = inner.scope.select([result])
    select.order = order
    select.limit = target.limit
    select.offset = target.offset
    return select
  }

  /// Returns the objects of the rows that the row's scope selects.
  private func members(_ row: SQLRow) -> SQLOperand {
    let value = SQLScalar(expression: row.key, kind: .key(root: row.entity.root.number), row: row)
    return .collection(row.scope, SQLElement(value: value, row: row, isMember: true, keepsNil: false))
  }

  /// Returns the objects whose keys a select gives, for a select that has more than a table and conditions.
  private func members(_ entity: SQLEntity, in keys: SQLSelect) -> SQLOperand {
    let row = SQLRow(entity: entity, scope: scope.unrelated(table: entity.tableName))
    row.scope.conditions.append(.inSelect(row.key, keys))
    return members(row)
  }
}
