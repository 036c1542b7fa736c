import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSComparisonPredicate

/// Turns predicates and expressions on the rows of one select into SQL.
///
/// If SQL cannot express a part, an error that names the part is thrown. The SQL gives the same answers as the
/// evaluator in memory: a comparison is true or false, never unknown, and nil is equal only to nil.
package struct PredicateLowering {
  package let model: SQLModel
  /// The row that `SELF` and plain key paths refer to.
  package let row: SQLRow
  /// The select that conditions belong to.
  package var scope: SQLScope
  /// The rows that variables stand for: members in subqueries.
  package var variables: [String: SQLRow] = [:]
  /// The values that variables stand for in a subquery through a constant collection.
  package var constants: [String: Any] = [:]
  /// The fetched values that variables stand for in HAVING, by name.
  package var values: [String: SQLScalar] = [:]
  /// Whether other conditions leave few rows, so that each of these can be tested.
  package var ownersAreFew = false
  /// Whether `sum:` and the like may aggregate all rows: in the results of a fetch and in HAVING, not in WHERE.
  package var allowsAggregates = false
  /// Whether this lowers a part of a predicate. The lowering of the whole predicate then keeps secret values out of
  /// errors.
  private var isInside = false

  package init(model: SQLModel, row: SQLRow) {
    self.model = model
    self.row = row
    scope = row.scope
  }

  /// The condition that a row satisfies the predicate.
  ///
  /// - Parameter isRequired: Whether the whole predicate fails when this part does. The rows that this part needs can
  ///   then be joined without keeping rows that have no partner.
  package func condition(_ predicate: NSPredicate, isRequired: Bool = true) throws -> SQLExpression {
    try SQLLoweringError.checkStack()
    if isInside { return try plainCondition(predicate, isRequired: isRequired) }
    var inner = self
    inner.isInside = true
    do {
      return try inner.plainCondition(predicate, isRequired: isRequired)
    } catch {
      // The error quotes the part, which may contain a secret attribute's value.
      guard SecretAttributes.areNamed(in: PredicatePrinter.text(of: predicate)) else { throw error }
      throw SQLLoweringError.make("Unsupported predicate: \(PredicateShape.text(of: predicate))")
    }
  }

  private func plainCondition(_ predicate: NSPredicate, isRequired: Bool) throws -> SQLExpression {
    if Self.isNestedDeeply(predicate) { return try nested(predicate) }
    return try lowered(predicate, isRequired: isRequired)
  }

  private func lowered(_ predicate: NSPredicate, isRequired: Bool) throws -> SQLExpression {
    switch predicate.node {
    case .boolean(let value): return .bool(value)
    case .comparison(let comparison): return try condition(comparison, isRequired: isRequired)
    case .compound(.and, let parts):
      var inner = self
      inner.ownersAreFew = ownersAreFew || parts.contains(where: findsFewRows)
      return .all(try parts.map { try inner.lowered($0, isRequired: isRequired) })
    case .compound(.or, let parts): return alternatives(try parts.map { try lowered($0, isRequired: false) })
    case .compound(.not, let parts):
      guard let part = parts.first else { throw SQLLoweringError.predicate(predicate) }
      return try lowered(part, isRequired: false).negated
    case .block, .custom, .compound: throw SQLLoweringError.predicate(predicate)
    }
  }

  private func condition(_ comparison: NSComparisonPredicate, isRequired: Bool) throws -> SQLExpression {
    let test = SQLTest(comparison, isRequired: isRequired)
    if let condition = try countCondition(comparison, test) { return condition }
    let left = try operand(comparison.leftExpression)
    let right = try operand(comparison.rightExpression)
    switch comparison.comparisonPredicateModifier {
    case .direct: return try direct(left, right, test, comparison)
    case .any: return try quantified(left, right, test, isAll: false)
    case .all: return try quantified(left, right, test, isAll: true)
    }
  }

  private func direct(
    _ left: SQLOperand, _ right: SQLOperand, _ test: SQLTest, _ comparison: NSComparisonPredicate
  ) throws -> SQLExpression {
    switch (left, right) {
    case (.collection, .scalar), (.collection, .constant), (.parts, .scalar), (.parts, .constant):
      if test.type == .contains { return try isMember(right, of: left, test) }
    case (.scalar, .collection), (.constant, .collection), (.scalar, .parts), (.constant, .parts):
      if test.type == .in { return try isMember(left, of: right, test) }
    case (.collection, _), (_, .collection), (.parts, _), (_, .parts): break
    case (.scalar(let scalar), .constant(let value)):
      if let choices = scalar.choices, let condition = try choice(of: choices, { ($0, value) }, comparison) {
        return condition
      }
      return try compare(left, right, test)
    case (.constant(let value), .scalar(let scalar)):
      if let choices = scalar.choices, let condition = try choice(of: choices, { (value, $0) }, comparison) {
        return condition
      }
      return try compare(left, right, test)
    default: return try compare(left, right, test)
    }
    throw SQLLoweringError.toMany("\(comparison)")
  }

  /// Returns the condition of ANY or ALL: the test holds for one of the values, or for each of them.
  private func quantified(
    _ left: SQLOperand, _ right: SQLOperand, _ test: SQLTest, isAll: Bool
  ) throws -> SQLExpression {
    var test = test
    // ANY with `==` and a collection tests whether a member is one of the collection's elements.
    if !isAll, test.type == .equalTo, case .constant(let value) = right, isCollection(value) { test.type = .in }
    switch left {
    case .collection(let scope, let element):
      return try quantified([.members(scope, element)], right, test, isAll: isAll)
    case .parts(let parts): return try quantified(parts, right, test, isAll: isAll)
    case .constant(let value):
      let values = elements(of: value) ?? []
      let terms = try values.map { try compare(.constant($0), right, test.nested) }
      return isAll ? .all(terms) : .any(terms)
    case .list(let operands):
      let terms = try operands.map { try compare($0, right, test.nested) }
      return isAll ? .all(terms) : .any(terms)
    case .scalar:
      // A to-one relationship has one value.
      return try compare(left, right, test)
    }
  }

  private func quantified(
    _ parts: [SQLPart], _ right: SQLOperand, _ test: SQLTest, isAll: Bool
  ) throws -> SQLExpression {
    if isAll { return try exists(parts) { try compare($0, right, test.nested).negated }.negated }
    return try exists(parts) { try compare($0, right, test.nested) }
  }

  /// Returns the condition that a member of one of the parts meets a condition.
  package func exists(_ parts: [SQLPart], where condition: (SQLOperand) throws -> SQLExpression) throws -> SQLExpression
  {
    .any(
      try parts.map { part in
        switch part {
        case .members(let scope, let element): try exists(scope, element, where: condition)
        case .constant(let value, let isThere): .all([isThere, try condition(.constant(value))])
        }
      })
  }

  /// Returns the condition that a member of the collection meets a condition.
  package func exists(
    _ scope: SQLScope, _ element: SQLElement, where condition: (SQLOperand) throws -> SQLExpression
  ) throws -> SQLExpression {
    let term = try condition(.scalar(element.value))
    if case .truth(false) = term { return term }
    if let lookup = lookup(scope, element, term) { return lookup }
    let isNilLeftOut = !element.keepsNil && !element.isMember && !term.failsForNull
    let terms = (isNilLeftOut ? [.isNotNull(element.value.expression)] : []) + [term]
    return .exists(scope.select([.integer(1)], where: terms))
  }
}

extension SQLExpression {
  /// Whether the condition cannot hold for a missing value.
  fileprivate var failsForNull: Bool {
    switch self {
    case .compare(.is, _, _), .compare(.isNot, _, _): false
    case .compare, .inKeys, .inValues, .inList, .isSameString, .between, .isNotNull, .stringTest, .contains, .endsWith:
      true
    case .and(let terms): terms.contains(where: \.failsForNull)
    default: false
    }
  }
}
