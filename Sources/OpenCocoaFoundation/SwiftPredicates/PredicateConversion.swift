import Foundation

/// Converts the expressions of a Swift predicate.
struct PredicateConversion {
  /// The expressions for the variables.
  var variables: [PredicateExpressions.VariableID: NSExpression]
  private var localCount = 0

  init<Input>(variable: PredicateExpressions.Variable<Input>) {
    variables = [variable.key: NSExpression.expressionForEvaluatedObject()]
  }

  /// Converts an expression to a value or a condition.
  mutating func convert<E: PredicateExpression>(_ expression: E) throws -> ConvertedExpression {
    guard let convertible = expression as? any ConvertibleExpression else { throw UnconvertibleExpression() }
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

  /// A name for the variable of a subquery.
  mutating func local() -> String {
    localCount += 1
    return "_local_\(localCount)"
  }
}

/// The result of converting an expression of a Swift predicate.
enum ConvertedExpression {
  case expression(NSExpression)
  case predicate(NSPredicate)
  /// A condition, or nil where the wrapped value is nil.
  case optionalPredicate(wrapped: NSExpression, NSPredicate)

  /// The converted expression as a value.
  var expression: NSExpression {
    switch self {
    case .expression(let expression): expression
    case .predicate(let predicate): .truth(of: predicate)
    case .optionalPredicate(let wrapped, let predicate):
      .choice(.isNil(wrapped, false), .truth(of: predicate), NSExpression(forConstantValue: nil))
    }
  }

  /// As a condition: a value becomes the condition that it is true.
  var predicate: NSPredicate {
    switch self {
    case .expression(let expression): .comparison(expression, .equalTo, NSExpression(forConstantValue: true))
    case .predicate(let predicate): predicate
    case .optionalPredicate(let wrapped, let predicate): .and(.isNil(wrapped, false), predicate)
    }
  }
}

/// An expression that predicates of formats know too.
protocol ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression
}

/// An expression has no counterpart.
struct UnconvertibleExpression: Error {}

extension NSPredicate {
  static func comparison(
    _ left: NSExpression, _ type: NSComparisonPredicate.Operator, _ right: NSExpression,
    _ options: NSComparisonPredicate.Options = []
  ) -> NSPredicate {
    NSComparisonPredicate(leftExpression: left, rightExpression: right, modifier: .direct, type: type, options: options)
  }

  /// Whether an expression's value is nil, or is not.
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
  /// Whether a predicate holds, as a value.
  static func truth(of predicate: NSPredicate) -> NSExpression {
    choice(predicate, NSExpression(forConstantValue: true), NSExpression(forConstantValue: false))
  }

  /// One of two expressions.
  static func choice(_ test: NSPredicate, _ first: NSExpression, _ second: NSExpression) -> NSExpression {
    NSExpression(forConditional: test, trueExpression: first, falseExpression: second)
  }

  /// The first value that is not nil: this one, or else the other expression's.
  func coalesced(with other: NSExpression) -> NSExpression { .choice(.isNil(self, false), self, other) }

  /// A key path that continues from this expression's value.
  func appending(_ key: String) -> NSExpression {
    switch node {
    case .evaluatedObject: return NSExpression(forKeyPath: key)
    // A key behind an operator's key belongs to the elements.
    case .keyPath(let path, let operand) where !path.contains("@"):
      return NSExpression(node: .keyPath(path + "." + key, operand: operand))
    default: return NSExpression(node: .keyPath(key, operand: self))
    }
  }
}
