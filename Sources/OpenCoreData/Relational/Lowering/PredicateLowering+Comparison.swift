import Foundation
import OpenCocoaFoundation

extension PredicateLowering {
  /// The condition that two operands pass a test.
  package func compare(_ left: SQLOperand, _ right: SQLOperand, _ test: SQLTest) throws -> SQLExpression {
    if let comparison = test.comparison {
      switch (left, right) {
      case (.scalar(let left), .scalar(let right)) where left.kind == .composite || right.kind == .composite:
        throw SQLLoweringError.make("Unsupported comparison of two attributes of which one is composite")
      case (.scalar(let left), .scalar(let right)): return compare(left, right, comparison, test)
      case (.scalar(let left), .constant(let right)): return try compare(left, right, test)
      case (.constant(let left), .scalar(let right)): return try compare(right, left, test.flipped)
      case (.constant(let left), .constant(let right)): return .bool(holds(left, right, test))
      case (.collection, _), (_, .collection), (.parts, _), (_, .parts):
        throw SQLLoweringError.toMany("\(test.type)")
      case (.list, _), (_, .list): throw SQLLoweringError.make("Unsupported comparison with a list of expressions")
      }
    }
    switch test.type {
    case .between: return try between(left, right, test)
    case .in: return try isMember(left, of: right, test)
    case .contains: return try isMember(right, of: left, test)
    default: return try textCondition(left, right, test)
    }
  }

  /// Notes that a row without the value's object cannot satisfy the predicate.
  package func require(_ scalar: SQLScalar, _ test: SQLTest) {
    if test.isRequired, let row = scalar.row, row.scope === scope { row.require() }
  }

  // MARK: With a known value

  private func compare(_ left: SQLScalar, _ right: Any?, _ test: SQLTest) throws -> SQLExpression {
    guard let comparison = test.comparison else { return .bool(false) }
    // Nil is at most and at least nil whatever the kind is.
    guard left.kind.isOrdered || comparison == .equal || comparison == .notEqual || Operand(right).isNull else {
      return .bool(false)
    }
    let operand: SQLExpression
    let value: SQLValue
    switch try SQLConstant(right, as: left.kind, in: self) {
    case .null:
      if comparison == .notEqual { return .isNotNull(left.expression) }
      return comparison.holdsForEqual && !test.isMembership ? .isNull(left.expression) : .bool(false)
    case .never: return .bool(comparison == .notEqual)
    case .number(let number): (operand, value) = (.function(.number, [left.expression]), number)
    case .value(let constant): (operand, value) = (left.expression, constant)
    }
    if comparison != .notEqual { require(left, test) }
    if left.kind.isText, !test.options.isEmpty, case .text(let string) = value {
      return compareText(operand, string, comparison, test)
    }
    if case .binary(isPrefixed: true) = left.kind { return compareData(operand, value, comparison) }
    return .compare(comparison == .notEqual ? .isNot : comparison, operand, .value(value))
  }

  /// Compares data that may be in a file with known data.
  package func compareData(_ data: SQLExpression, _ value: SQLValue, _ comparison: SQLComparison) -> SQLExpression {
    let isSame = SQLExpression.function(.isData, [data, .value(value)])
    switch comparison {
    case .equal: return .compare(.equal, isSame, .value(.integer(1)))
    case .notEqual: return .compare(.isNot, isSame, .value(.integer(1)))
    default: return .compare(comparison, .function(.data, [data]), .value(value))
    }
  }

  private func compareText(
    _ operand: SQLExpression, _ string: String, _ comparison: SQLComparison, _ test: SQLTest
  ) -> SQLExpression {
    let isEquality = comparison == .equal || comparison == .notEqual
    guard isEquality, !test.options.contains(.localeSensitive) else {
      let order = SQLExpression.stringOrder(options: test.options, operand, .value(.text(string)))
      return .compare(comparison == .notEqual ? .isNot : comparison, order, .integer(0))
    }
    let pattern = StringFolding.fold(string, test.options.comparisonOptions)
    let condition = SQLExpression.stringTest(
      .equals, options: test.options.union(.folded), operand, .value(.text(pattern)))
    return comparison == .equal ? condition : condition.negated
  }

  // MARK: Two values of the row

  private func compare(
    _ left: SQLScalar, _ right: SQLScalar, _ comparison: SQLComparison, _ test: SQLTest
  ) -> SQLExpression {
    let bothMissing = SQLExpression.all([.isNull(left.expression), .isNull(right.expression)])
    guard let (first, second) = comparable(left, right) else {
      // Values of such types are never equal, but both may be missing.
      if comparison == .notEqual { return bothMissing.negated }
      return comparison.holdsForEqual && !test.isMembership ? bothMissing : .bool(false)
    }
    if left.kind.isText, right.kind.isText, !test.options.isEmpty {
      let order = SQLExpression.stringOrder(options: test.options, first, second)
      switch comparison {
      case .equal, .notEqual:
        let isSame = SQLExpression.compare(.equal, order, .integer(0))
        let same = test.isMembership ? isSame : .any([isSame, bothMissing])
        return comparison == .equal ? same : same.negated
      case .lessOrEqual, .greaterOrEqual: return .any([.compare(comparison, order, .integer(0)), bothMissing])
      default: return .compare(comparison, order, .integer(0))
      }
    }
    if left.kind.isText != right.kind.isText, comparison == .equal || comparison == .notEqual {
      // A text that represents no number has no numeric value, but this does not make it equal to a missing number.
      let same = SQLExpression.any([.compare(.equal, first, second), test.isMembership ? .bool(false) : bothMissing])
      return comparison == .equal ? same : same.negated
    }
    switch comparison {
    case .equal: return .compare(test.isMembership ? .equal : .is, first, second)
    case .notEqual: return .compare(.isNot, first, second)
    case .lessOrEqual, .greaterOrEqual:
      return left.kind.isOrdered ? .any([.compare(comparison, first, second), bothMissing]) : bothMissing
    default:
      guard left.kind.isOrdered else { return .bool(false) }
      require(left, test)
      require(right, test)
      return .compare(comparison, first, second)
    }
  }

  /// Both values in a form in which SQL compares them as the evaluator does, or nil if they are never equal.
  private func comparable(_ left: SQLScalar, _ right: SQLScalar) -> (SQLExpression, SQLExpression)? {
    switch (left.kind, right.kind) {
    case (let left, let right) where left.isNumeric && right.isNumeric: break
    case (let left, let right) where left.isText && right.isText: break
    case (let kind, let other) where kind.isText && other.isNumeric:
      return (.function(.number, [left.expression]), right.expression)
    case (let kind, let other) where kind.isNumeric && other.isText:
      return (left.expression, .function(.number, [right.expression]))
    case (.binary, .binary): return (left.bytes, right.bytes)
    case (let kind, let other) where kind == other: break
    default: return nil
    }
    return (left.expression, right.expression)
  }

  // MARK: Two known values

  /// Compares two constants as the evaluator does.
  private func holds(_ left: Any?, _ right: Any?, _ test: SQLTest) -> Bool {
    let first = Operand(left)
    let second = Operand(right)
    if first.isNull, second.isNull { return !test.isMembership && test.comparison?.holdsForEqual == true }
    if test.isMembership, first.isNull || second.isNull { return false }
    var order = first.order(to: second)
    if !test.options.isEmpty, case .string(let a) = first, case .string(let b) = second {
      order = SQLStringOrder.order(a, b, test.options)
    }
    return switch test.type {
    case .equalTo: order.map { $0 == .orderedSame } ?? (first == second)
    case .notEqualTo: !(order.map { $0 == .orderedSame } ?? (first == second))
    case .lessThan: order == .orderedAscending
    case .lessThanOrEqualTo: order == .orderedAscending || order == .orderedSame
    case .greaterThan: order == .orderedDescending
    case .greaterThanOrEqualTo: order == .orderedDescending || order == .orderedSame
    default: false
    }
  }
}
