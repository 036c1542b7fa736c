import Foundation

/// Converts the expressions of a Swift predicate.
struct PredicateConversion {
  /// The expressions that the variables are replaced by.
  var variables: [PredicateExpressions.VariableID: NSExpression]
  private var localCount = 0

  init<Input>(variable: PredicateExpressions.Variable<Input>) {
    ConvertibleExpressions.link()
    variables = [variable.key: NSExpression.expressionForEvaluatedObject()]
  }

  /// Converts an expression to a value or a condition.
  mutating func convert<E: PredicateExpression>(_ expression: E) throws -> ConvertedExpression {
    guard let convertible = expression as? any ConvertibleExpression else {
      throw OCDConversionError.unknown(expression)
    }
    guard StackRoom.isLeft else {
      throw OCDConversionError(
        .nesting, "The predicate", "is nested too deeply for the stack of this thread",
        instead: "Put many alternatives into a constant array, and ask whether it contains the value.")
    }
    return try convertible.convert(&self)
  }

  /// Converts an expression to a value.
  mutating func expression<E: PredicateExpression>(_ expression: E) throws -> NSExpression {
    try convert(expression).expression
  }

  /// Converts an expression to a condition.
  mutating func predicate<E: PredicateExpression>(_ expression: E) throws -> NSPredicate {
    try convert(expression).predicate
  }

  /// Makes a new name for the variable of a subquery.
  mutating func local() -> String {
    localCount += 1
    return "_local_\(localCount)"
  }
}

/// The result of converting an expression of a Swift predicate.
enum ConvertedExpression {
  case expression(NSExpression)
  case predicate(NSPredicate)
  /// A condition that is nil if the wrapped value is nil.
  case optionalPredicate(wrapped: NSExpression, NSPredicate)

  /// The result as a value.
  var expression: NSExpression {
    switch self {
    case .expression(let expression): expression
    case .predicate(let predicate): .truth(of: predicate)
    case .optionalPredicate(let wrapped, let predicate):
      .choice(.isNil(wrapped, false), .truth(of: predicate), NSExpression(forConstantValue: nil))
    }
  }

  /// The result as a condition. A value becomes the condition that it is true.
  var predicate: NSPredicate {
    switch self {
    case .expression(let expression): .comparison(expression, .equalTo, NSExpression(forConstantValue: true))
    case .predicate(let predicate): predicate
    case .optionalPredicate(let wrapped, let predicate): .and(.isNil(wrapped, false), predicate)
    }
  }
}

/// An expression of a Swift predicate that can be converted to an NSExpression or an NSPredicate.
protocol ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression
}

extension NSPredicate {
  static func comparison(
    _ left: NSExpression, _ type: NSComparisonPredicate.Operator, _ right: NSExpression,
    _ options: NSComparisonPredicate.Options = []
  ) -> NSPredicate {
    NSComparisonPredicate(leftExpression: left, rightExpression: right, modifier: .direct, type: type, options: options)
  }

  /// Makes the condition that the value of an expression is nil, or, if `isNil` is false, that it is not nil.
  static func isNil(_ expression: NSExpression, _ isNil: Bool) -> NSPredicate {
    comparison(expression, isNil ? .equalTo : .notEqualTo, NSExpression(forConstantValue: nil))
  }

  static func and(_ left: NSPredicate, _ right: NSPredicate) -> NSPredicate {
    NSCompoundPredicate(type: .and, subpredicates: [left, right])
  }

  static func or(_ left: NSPredicate, _ right: NSPredicate) -> NSPredicate {
    NSCompoundPredicate(type: .or, subpredicates: [left, right])
  }

  var negated: NSPredicate { NSCompoundPredicate(type: .not, subpredicates: [self]) }
}

extension NSExpression {
  /// Makes an expression whose value is true if a predicate holds, and false otherwise.
  static func truth(of predicate: NSPredicate) -> NSExpression {
    choice(predicate, NSExpression(forConstantValue: true), NSExpression(forConstantValue: false))
  }

  /// Makes an expression whose value is that of `first` if the test holds, and that of `second` otherwise.
  static func choice(_ test: NSPredicate, _ first: NSExpression, _ second: NSExpression) -> NSExpression {
    NSExpression(forConditional: test, trueExpression: first, falseExpression: second)
  }

  /// Makes an expression whose value is that of `other` if the value of this expression is nil.
  func coalesced(with other: NSExpression) -> NSExpression { .choice(.isNil(self, false), self, other) }

  /// Makes a key path that continues from this expression's value.
  package func appending(_ key: String) -> NSExpression {
    switch node {
    case .evaluatedObject: return NSExpression(forKeyPath: key)
    // Keys after a collection operator belong to the elements. So a path with an operator becomes the operand of a new path.
    case .keyPath(let path, let operand) where !path.contains("@"):
      return NSExpression(node: .keyPath(path + "." + key, operand: operand))
    default: return NSExpression(node: .keyPath(key, operand: self))
    }
  }
}
