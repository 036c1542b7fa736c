import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSComparisonPredicate
import class OpenCocoaFoundation.NSExpression

extension PredicateLowering {
  /// Returns the condition for a comparison of a number of members with 0 or 1. Such a comparison only asks whether
  /// there are any members, and EXISTS stops at the first one.
  ///
  /// Returns nil for any other comparison.
  package func countCondition(_ comparison: NSComparisonPredicate, _ test: SQLTest) throws -> SQLExpression? {
    guard comparison.comparisonPredicateModifier == .direct else { return nil }
    let left = comparison.leftExpression
    let right = comparison.rightExpression
    // In HAVING, `count:(x)` counts over all rows of the group.
    if allowsAggregates, left.isAggregate || right.isAggregate { return nil }
    let asksForAny: Bool?
    let counted: (collection: NSExpression, isKeyPath: Bool)
    if let collection = Self.countedCollection(left), case .constant(let value) = right.node {
      (counted, asksForAny) = (collection, Self.asksForAny(test, value))
    } else if let collection = Self.countedCollection(right), case .constant(let value) = left.node {
      (counted, asksForAny) = (collection, Self.asksForAny(test.flipped, value))
    } else {
      return nil
    }
    guard let asksForAny else { return nil }
    let scope: SQLScope
    switch try operand(counted.collection) {
    case .collection(let members, let element):
      scope = members
      if !element.isMember, !element.keepsNil { scope.conditions.append(.isNotNull(element.value.expression)) }
    case .parts(let parts):
      let condition = try exists(parts) { _ in .bool(true) }
      return asksForAny ? condition : condition.negated
    case .scalar, .constant, .list: return nil
    }
    let select = scope.select([.integer(1)])
    let condition = asksForAny ? SQLExpression.exists(select) : .notExists(select)
    guard case .keyPath = counted.collection.node, counted.isKeyPath, scope.isOwnerOptional,
      let owner = scope.correlation?.owner
    else {
      return condition
    }
    // If the owner is missing, the count is nil, which is unequal to 0, and neither greater nor less.
    if test.type == .notEqualTo { return .any([condition, .isNull(owner)]) }
    return asksForAny ? condition : .all([.isNotNull(owner), condition])
  }

  private static func asksForAny(_ test: SQLTest, _ value: Any?) -> Bool? {
    guard case .number(let value) = Operand(value), let number = Int64(exactly: value.double) else { return nil }
    switch (test.type, number) {
    case (.greaterThan, 0), (.notEqualTo, 0), (.greaterThanOrEqualTo, 1): return true
    case (.equalTo, 0), (.lessThanOrEqualTo, 0), (.lessThan, 1): return false
    default: return nil
    }
  }

  /// The collection that `x.@count` and `count:(x)` count.
  private static func countedCollection(
    _ expression: NSExpression
  ) -> (collection: NSExpression, isKeyPath: Bool)? {
    switch expression.node {
    case .keyPath("@count", let operand?): return (operand, true)
    case .keyPath(let path, let operand) where path.hasSuffix(".@count"):
      return (NSExpression(node: .keyPath(String(path.dropLast(".@count".count)), operand: operand)), true)
    case .function("count:", nil, let arguments) where arguments.count == 1: return (arguments[0], false)
    case .function("objectFrom:withIndex:", nil, let arguments) where arguments.count == 2:
      // `tags[SIZE]`
      guard case .constant(let index) = arguments[1].node, index as? IndexSymbol == .size else { return nil }
      return (arguments[0], false)
    default: return nil
    }
  }

  /// The value of a collection operator, such as `@sum.price`, over the members that the scope selects.
  package func aggregate(
    _ key: String, _ keys: ArraySlice<String>, of keyPath: String, row: SQLRow, scope: SQLScope
  ) throws -> SQLScalar {
    if key == "@count", keys.isEmpty { return count(scope) }
    guard ["@sum", "@avg", "@min", "@max"].contains(key), !keys.isEmpty else {
      throw SQLLoweringError.keyPathNotFound(keyPath, in: row.entity)
    }
    guard case .scalar(let value) = try resolve(keys.joined(separator: "."), from: row) else {
      throw SQLLoweringError.toMany(keyPath)
    }
    return try aggregate(key, value, in: scope)
  }

  /// Returns a value of the members that is nil if their owner is missing: `boss.reports.@count` without a boss is nil,
  /// not 0.
  package static func missing(_ value: SQLScalar, withOwnerOf scope: SQLScope) -> SQLScalar {
    guard scope.isOwnerOptional, let owner = scope.correlation?.owner else { return value }
    return SQLScalar(
      expression: .choice(condition: .isNotNull(owner), then: value.expression, otherwise: .null), kind: value.kind)
  }

  /// The number of rows that the scope selects.
  package func count(_ scope: SQLScope) -> SQLScalar {
    SQLScalar(expression: .select(scope.select([.function(.count, [])])), kind: .number)
  }

  /// An aggregate of the rows that the scope selects, by the name of the collection operator.
  package func aggregate(_ key: String, _ value: SQLScalar, in scope: SQLScope) throws -> SQLScalar {
    guard case .scalar(let result) = try aggregate(key, value) else { return value }
    let isZero = key == "@avg"
    let select = SQLExpression.select(scope.select([result.expression]))
    return SQLScalar(
      expression: isZero ? .function(.ifNull, [select, .integer(0)]) : select, kind: result.kind)
  }

  /// Returns an aggregate of all rows. If there are no rows, the sum is 0 and every other aggregate is missing.
  package func aggregate(_ key: String, _ value: SQLScalar) throws -> SQLOperand {
    switch key {
    case "@sum", "@avg", "@median", "@stddev":
      guard value.kind.isNumeric else {
        throw SQLLoweringError.make("Unsupported \(key) of values that are no numbers")
      }
      let isDecimal = value.kind == .decimal
      let name: SQLFunctionName =
        switch key {
        case "@sum": isDecimal ? .aggregate(.sum) : .total
        case "@avg": isDecimal ? .aggregate(.average) : .average
        case "@median": .aggregate(.median)
        default: .aggregate(.standardDeviation)
        }
      let kind: SQLKind = isDecimal && (key == "@sum" || key == "@avg") ? .decimal : .number
      return .scalar(SQLScalar(expression: .function(name, [value.expression]), kind: kind))
    default:
      let name: SQLFunctionName = key == "@min" ? .minimum : .maximum
      return .scalar(SQLScalar(expression: .function(name, [value.expression]), kind: value.kind))
    }
  }
}
