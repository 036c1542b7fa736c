import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

extension SQLFetch {
  /// The fetch of the values that a request for dictionaries asks for.
  package init(values query: DictionaryQuery, _ target: FetchTarget, model: SQLModel, entity: SQLEntity) {
    self.init(model: model, entity: entity)
    predicate = target.predicate
    sortDescriptors = target.sortDescriptors
    limit = target.limit
    offset = target.offset
    includesSubentities = target.includesSubentities
    isDistinct = query.isDistinct
    result = .values(
      query.columns.map { SQLFetchedValue(name: $0.name, expression: $0.expression) }, groupBy: query.groups,
      having: query.having)
  }

  /// Returns a fetch of single values, as for dictionaries. The fetch may group rows and filter the groups.
  package func values(
    _ values: [SQLFetchedValue], _ groupBy: [NSExpression], _ having: NSPredicate?, _ lowering: PredicateLowering,
    _ scope: SQLScope
  ) throws -> SQLFetchStatement {
    var lowering = lowering
    var results: [SQLResult] = []
    var kinds: [SQLKind] = []
    for value in values {
      let scalar = try lowering.scalar(value.expression)
      // If values are compared with each other, only the bytes count, and not the place where they are stored.
      let isCompared = isDistinct || !groupBy.isEmpty
      results.append(SQLResult(isCompared ? scalar.comparedBytes : scalar.expression))
      kinds.append(isCompared ? scalar.kind.withoutPrefix : scalar.kind)
      if let entity = entityColumn(value.expression, scalar, lowering) { results.append(SQLResult(entity)) }
      lowering.values[value.name] = scalar
    }
    let groups = try groupBy.map { try lowering.scalar($0).comparedBytes }
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
    return SQLFetchStatement(statement: try select.statement(model.dialect), kinds: kinds)
  }

  /// Returns the number of the entity for a value that is an object, because an object ID names the entity; nil for
  /// other values.
  private func entityColumn(
    _ expression: NSExpression, _ scalar: SQLScalar, _ lowering: PredicateLowering
  ) -> SQLExpression? {
    guard case .key = scalar.kind, let row = scalar.row else { return nil }
    return row.entityNumber
  }
}

extension SQLScalar {
  /// The value itself; for data and transformable values the bytes, wherever they are stored.
  fileprivate var comparedBytes: SQLExpression {
    kind == kind.withoutPrefix ? expression : .function(.data, [expression])
  }
}

extension SQLKind {
  /// The kind of the bytes without a prefix.
  fileprivate var withoutPrefix: SQLKind {
    switch self {
    case .binary: .binary(isPrefixed: false)
    case .transformable: .transformable(isPrefixed: false)
    default: self
    }
  }
}
