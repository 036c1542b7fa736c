import Foundation

extension NSPredicate {
  /// Evaluates a predicate that comes from outside. Throws an error where `evaluate(with:)` stops the program. Not in Apple's
  /// framework (D-EXT-26).
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
  /// - Throws: `OCDEvaluationError` (134060), which names the part of the predicate: for a key that an object does not have, for
  ///   arguments that a function does not accept, for values that an operator cannot compare, and for a variable without a value.
  ///   The application's own code, such as an override of `value(forUndefinedKey:)`, may still stop the program.
  public func evaluateChecked(with object: Any?, substitutionVariables bindings: [String: Any]? = nil) throws -> Bool {
    try holds(for: object, bindings)
  }

  /// Whether the predicate holds for an object. All other evaluations use this method.
  ///
  /// - Throws: `OCDEvaluationError`, and the errors of `EvaluationLimit`.
  package func holds(for object: Any?, _ bindings: [String: Any]? = nil) throws -> Bool {
    let type = Swift.type(of: self)
    if type == NSComparisonPredicate.self {
      // The type has just been checked.
      return try unsafeDowncast(self, to: NSComparisonPredicate.self).evaluated(with: object, bindings: bindings ?? [:])
    }
    if type == NSCompoundPredicate.self {
      let compound = unsafeDowncast(self, to: NSCompoundPredicate.self)
      if let object, let answer = compound.compiledAnswer(for: object) { return answer }
      return try compound.combined(for: object, bindings)
    }
    if type == Foundation.NSCompoundPredicate.self {
      return try unsafeDowncast(self, to: Foundation.NSCompoundPredicate.self).combined(for: object, bindings)
    }
    // A predicate with a block and an instance of another subclass evaluate themselves.
    return try EvaluatorQuestion.ask(self) { evaluate(with: object, substitutionVariables: bindings) }
  }
}

extension Foundation.NSCompoundPredicate {
  /// Evaluates the subpredicates until the result is known. AND of no predicates is true, OR of no predicates is false.
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
  /// Computes the value of an expression that comes from outside. Throws an error where `expressionValue(with:context:)` stops the
  /// program.
  ///
  /// Not in Apple's framework (D-EXT-26).
  ///
  /// - Throws: `OCDEvaluationError` (134060), which names the part of a predicate in the expression, if there is one.
  public func checkedValue(with object: Any?, context: NSMutableDictionary? = nil) throws -> Any? {
    guard type(of: self) == NSExpression.self || type(of: self) == NSFetchRequestExpression.self else {
      return try EvaluatorQuestion.ask(self) { expressionValue(with: object, context: context) }
    }
    return try published(with: object, context: context)
  }
}
