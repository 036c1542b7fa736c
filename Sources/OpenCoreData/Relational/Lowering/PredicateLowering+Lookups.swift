import Foundation
import OpenCocoaFoundation

// ANY over members that an index finds. The owners of these members are looked up, instead of testing every owner.
extension PredicateLowering {
  /// Returns the condition that a row is an owner of members that an index finds. Nil if EXISTS is better: for members
  /// that many rows may have, or if other conditions leave few owners to test.
  package func lookup(_ scope: SQLScope, _ element: SQLElement, _ term: SQLExpression) -> SQLExpression? {
    guard let correlation = scope.correlation, scope.conditions.isEmpty, scope.joins.allSatisfy({ $0.kind != .outer }),
      isSelective(term, scope, element)
    else { return nil }
    let terms = [term, .isNotNull(correlation.column)]
    return .inSelect(correlation.owner, scope.select([correlation.column], where: terms, isCorrelated: false))
  }

  private func isSelective(_ term: SQLExpression, _ scope: SQLScope, _ element: SQLElement) -> Bool {
    if element.isMember { return scope.joins.isEmpty && term.selectsByKey }
    guard !ownersAreFew, case .column(let alias, let name, _) = element.value.expression,
      alias == scope.alias || scope.joins.contains(where: { $0.alias == alias }),
      // Indexed numbers, Booleans and dates may be equal in a large part of all rows.
      element.value.kind.isText || element.value.kind == .uuid
    else { return false }
    return term.isLookup(alias: alias, name) && element.row.entity.isIndexed(column: name)
  }

  /// Whether a condition of an AND leaves few rows, which SQLite finds by their keys or an index.
  package func findsFewRows(_ predicate: NSPredicate) -> Bool {
    guard case .comparison(let comparison) = predicate.node, comparison.comparisonPredicateModifier == .direct,
      comparison.predicateOperatorType == .equalTo || comparison.predicateOperatorType == .in
    else { return false }
    let expressions = [comparison.leftExpression, comparison.rightExpression]
    // There may be many rows without a value, so they are not looked up by an index.
    let isKnown = expressions.contains { expression in
      switch expression.node {
      case .constant(let value): !Operand(value).isNull
      case .aggregate: true
      default: false
      }
    }
    guard isKnown else { return false }
    return expressions.contains { expression in
      switch expression.node {
      case .evaluatedObject: return true
      case .keyPath(let key, nil):
        switch row.entity.property(named: key) {
        case .toOne: return true
        case .attribute(let attribute): return row.entity.isIndexed(column: attribute.columnName)
        case .toMany: return false
        case nil: return key == "objectID" || key == "self"
        }
      default: return false
      }
    }
  }
}

extension SQLExpression {
  /// Whether the condition selects rows by one or several keys.
  fileprivate var selectsByKey: Bool {
    switch self {
    case .compare(.equal, .column, .value), .inKeys(.column, _): true
    default: false
    }
  }

  /// Whether the condition selects certain values of a column, or values that begin with a text.
  fileprivate func isLookup(alias: Int, _ name: String) -> Bool {
    func isColumn(_ expression: SQLExpression) -> Bool {
      if case .column(alias, name, _) = expression { true } else { false }
    }
    switch self {
    case .compare(.equal, let column, .value), .inValues(let column, _), .inList(let column, _),
      .between(let column, .value, .value):
      return isColumn(column)
    case .and(let terms):
      guard terms.count == 2, case .compare(.greaterOrEqual, let first, .value) = terms[0],
        case .compare(.less, let second, .value) = terms[1]
      else { return false }
      return isColumn(first) && isColumn(second)
    default: return false
    }
  }
}

extension SQLEntity {
  /// Whether the model has an index of all rows whose first column is the given one.
  fileprivate func isIndexed(column: String) -> Bool {
    var level: SQLEntity? = self
    while let entity = level {
      level = entity.superentity
      let names = entity.columns.first { $0.names[0] == column }.map { $0.propertyName }
      guard let name = names else { return false }
      let description = entity.entity
      let isFirst =
        description.declaredProperties.contains { $0.name == name && $0.isIndexed }
        || description.compoundIndexNames.contains { $0.first == name }
        || description.uniquenessConstraintNames.contains { $0.first == name }
        || description.indexes.contains { index in
          guard index.partialIndexPredicate == nil, let first = index.elements.first else { return false }
          return first.collationType == .binary && first.propertyName == name
        }
      if isFirst { return true }
    }
    return false
  }
}
