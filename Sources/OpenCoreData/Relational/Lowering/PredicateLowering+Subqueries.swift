import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

extension PredicateLowering {
  /// The members of a collection that satisfy a predicate, for SUBQUERY.
  package func members(_ collection: NSExpression, variable: String, where predicate: NSPredicate) throws -> SQLOperand
  {
    switch try operand(collection) {
    case .collection(let scope, let element):
      guard case .key = element.value.kind else { break }
      scope.conditions.append(try condition(predicate, on: element.row, as: variable, in: scope))
      return .collection(scope, element)
    case .parts(let parts):
      return .parts(try parts.compactMap { try filtered($0, variable, predicate) })
    case .constant(let value):
      // A constant collection with equal elements is refused: SQL would count each element only once.
      guard let elements = elements(of: value), Aggregates.distinct(elements).count == elements.count else { break }
      return .parts(try elements.compactMap { try filtered(.constant($0, .bool(true)), variable, predicate) })
    case .scalar, .list: break
    }
    throw SQLLoweringError.make("Can't perform a subquery on something that is not a to-many key: \(collection)")
  }

  private func filtered(_ part: SQLPart, _ variable: String, _ predicate: NSPredicate) throws -> SQLPart? {
    switch part {
    case .members(let scope, let element):
      scope.conditions.append(try condition(predicate, on: element.row, as: variable, in: scope))
      return part
    case .constant(let value, let isThere):
      var inner = self
      inner.constants[variable] = value
      let condition = SQLExpression.all([isThere, try inner.condition(predicate, isRequired: false)])
      if case .truth(false) = condition { return nil }
      return .constant(value, condition)
    }
  }

  private func condition(
    _ predicate: NSPredicate, on row: SQLRow, as variable: String, in scope: SQLScope
  ) throws -> SQLExpression {
    var inner = self
    inner.scope = scope
    inner.allowsAggregates = false
    inner.variables[variable] = row
    inner.constants[variable] = nil
    return try inner.condition(predicate)
  }
}
