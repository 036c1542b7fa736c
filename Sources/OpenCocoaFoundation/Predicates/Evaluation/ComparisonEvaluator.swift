import Foundation

/// Compares two values by an operator.
///
/// Logic has two values, as in Apple's evaluator and in the SQL of predicates: no value is smaller or larger than nil, nil
/// equals only nil, so nil is at most and at least nil, and NOT is the opposite.
struct ComparisonEvaluator {
  let operation: NSComparisonPredicate.Operator
  let options: NSComparisonPredicate.Options

  init(_ operation: NSComparisonPredicate.Operator, _ options: NSComparisonPredicate.Options) {
    self.operation = operation
    // Normalised strings are compared as they are.
    self.options = options.contains(.normalized) ? [] : options
  }

  /// Whether strings are folded before they are compared. Regular expressions and comparisons in the order of a locale take care
  /// of the options themselves. BEGINSWITH, ENDSWITH and LIKE do not use that order, so their strings are folded.
  var folds: Bool {
    switch operation {
    case .matches: false
    case .beginsWith, .endsWith, .like: !options.isEmpty
    default: !options.isEmpty && !options.contains(.localeSensitive)
    }
  }

  /// Returns a value with its string folded. A constant needs this only once.
  func prepared(_ value: Operand) -> Operand {
    guard folds, case .string(let string) = value else { return value }
    return .string(folded(string))
  }

  func folded(_ string: String) -> String {
    folds ? StringFolding.fold(string, options) : string
  }

  /// Whether the operator compares prepared strings only for equality.
  var isEquality: Bool {
    (operation == .equalTo || operation == .notEqualTo) && !options.contains(.localeSensitive)
  }

  /// Compares two prepared values.
  ///
  /// - Throws: `OCDEvaluationError` for values that the operator cannot compare.
  func holds(_ left: Operand, _ right: Operand) throws -> Bool {
    switch operation {
    case .equalTo: return equal(left, right)
    case .notEqualTo: return !equal(left, right)
    case .lessThan: return order(left, right) == .orderedAscending
    case .greaterThan: return order(left, right) == .orderedDescending
    case .lessThanOrEqualTo: return isAtMost(left, right)
    case .greaterThanOrEqualTo: return isAtMost(right, left)
    case .between: return try isBetween(left, right)
    case .in: return try isElement(left, of: right)
    case .contains: return try isElement(right, of: left)
    case .beginsWith, .endsWith, .like, .matches: return try textHolds(left, right)
    // No predicate has this operator.
    case .customSelector: return false
    }
  }

  // MARK: Equality and order

  private func equal(_ left: Operand, _ right: Operand) -> Bool {
    options.contains(.localeSensitive) ? order(left, right) == .orderedSame || left == right : left == right
  }

  private func order(_ left: Operand, _ right: Operand) -> ComparisonResult? {
    guard options.contains(.localeSensitive), case .string(let a) = left, case .string(let b) = right else {
      return left.order(to: right)
    }
    return StringComparison.localizedOrder(a, b, options: options)
  }

  private func isAtMost(_ left: Operand, _ right: Operand) -> Bool {
    switch order(left, right) {
    case .orderedAscending, .orderedSame: true
    case .orderedDescending: false
    case nil: left.isNull && right.isNull
    }
  }

  private func isBetween(_ value: Operand, _ bounds: Operand) throws -> Bool {
    if bounds.isNull { return false }
    guard case .collection(let bounds, _) = bounds, bounds.count == 2 else {
      throw OCDEvaluationError("The right hand side for a BETWEEN operator must be an array of two values")
    }
    return isAtMost(prepared(Operand(bounds[0])), value) && isAtMost(value, prepared(Operand(bounds[1])))
  }

  // MARK: Membership and text

  private func isElement(_ value: Operand, of collection: Operand) throws -> Bool {
    switch collection {
    case .null: return false
    case .collection(let elements, _):
      // As in SQL, nil is an element of nothing.
      return !value.isNull && elements.contains { equal(value, prepared(Operand($0))) }
    case .dictionary(let values):
      return !value.isNull && values.values.contains { equal(value, prepared(Operand($0))) }
    case .string, .number:
      guard !value.isNull else { return false }
      guard let string = collection.text, let part = value.text else {
        throw OCDEvaluationError("Can't do a substring operation with something that isn't a string (\(value))")
      }
      guard options.contains(.localeSensitive) else { return StringBytes.contains(string, part) }
      return StringBytes.contains(StringFolding.fold(string, options), StringFolding.fold(part, options))
    default:
      throw OCDEvaluationError("Can't use in/contains operator with collection \(collection) (not a collection)")
    }
  }

  private func textHolds(_ left: Operand, _ right: Operand) throws -> Bool {
    if left.isNull || right.isNull { return false }
    guard let string = left.text, let pattern = right.text else {
      let operation = operation == .matches || operation == .like ? "regex matching" : "a substring operation"
      let object = left.text == nil ? left : right
      throw OCDEvaluationError("Can't do \(operation) on object \(object).")
    }
    if operation == .matches { return try StringComparison.matches(string, pattern: pattern, options: options) }
    return StringComparison.holds(operation, string, pattern)
  }
}
