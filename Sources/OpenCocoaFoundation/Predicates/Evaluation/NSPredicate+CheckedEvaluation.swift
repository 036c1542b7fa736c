import Foundation

extension NSPredicate {
  /// Evaluates a predicate that comes from outside: what stops the program in `evaluate(with:)` is an error here. Not
  /// in Apple's framework (D-EXT-26).
  ///
  /// ```swift
  /// let predicate = try NSPredicate(parsing: "colour == 'red'")
  /// do {
  ///   print(try predicate.evaluateChecked(with: fetchEntry("Monday", in: context)))
  /// } catch {
  ///   print((error as NSError).code)  // 134060
  /// }
  /// ```
  /// - Parameters:
  ///   - object: The object, `SELF`.
  ///   - bindings: The values of variables by name; NSNull stands for nil.
  /// - Throws: `OCDEvaluationError` (134060) that names the part: for a key that an object does not have, a function
  ///   that does not work on its arguments, values that an operator does not compare, a variable without a value. What
  ///   a user's own code does, such as `value(forUndefinedKey:)` of a subclass, stays as it is.
  public func evaluateChecked(with object: Any?, substitutionVariables bindings: [String: Any]? = nil) throws -> Bool {
    try holds(for: object, bindings)
  }

  /// Whether the predicate holds for an object: the evaluation that all others are made of.
  ///
  /// - Throws: `OCDEvaluationError`, and what ends an evaluation (`EvaluationLimit`).
  package func holds(for object: Any?, _ bindings: [String: Any]? = nil) throws -> Bool {
    let type = Swift.type(of: self)
    if type == NSComparisonPredicate.self {
      // The type was just asked for.
      return try unsafeDowncast(self, to: NSComparisonPredicate.self).evaluated(with: object, bindings: bindings ?? [:])
    }
    if type == NSCompoundPredicate.self || type == Foundation.NSCompoundPredicate.self {
      return try unsafeDowncast(self, to: Foundation.NSCompoundPredicate.self).combined(for: object, bindings)
    }
    // A block evaluates itself, and so does a subclass.
    return try EvaluatorQuestion.ask(self) { evaluate(with: object, substitutionVariables: bindings) }
  }
}

extension Foundation.NSCompoundPredicate {
  /// Evaluates the subpredicates until the result is known: no AND is true, no OR is false.
  func combined(for object: Any?, _ bindings: [String: Any]?) throws -> Bool {
    try StackRoom.check()
    switch compoundPredicateType {
    case .and: return try subpredicates.allSatisfy { try $0.holds(for: object, bindings) }
    case .or: return try subpredicates.contains { try $0.holds(for: object, bindings) }
    case .not: return try !(subpredicates.first?.holds(for: object, bindings) ?? false)
    }
  }
}

extension NSExpression {
  /// Computes the value of an expression that comes from outside: what stops the program in
  /// `expressionValue(with:context:)` is an error here.
  ///
  /// Not in Apple's framework (D-EXT-26).
  ///
  /// - Throws: `OCDEvaluationError` (134060) that names the part.
  public func checkedValue(with object: Any?, context: NSMutableDictionary? = nil) throws -> Any? {
    guard type(of: self) == NSExpression.self || type(of: self) == NSFetchRequestExpression.self else {
      return try EvaluatorQuestion.ask(self) { expressionValue(with: object, context: context) }
    }
    return try published(with: object, context: context)
  }
}
