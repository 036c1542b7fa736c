import Foundation

extension NSExpression {
  /// The value of a constant expression. If the expression is of another kind, this property stops the program; so do the
  /// other properties for the parts of an expression. Check ``expressionType`` first.
  public var constantValue: Any? {
    if case .constant(let value) = node { return value }
    hasNo("constantValue")
  }

  /// The key path of a key path expression.
  public var keyPath: String {
    if case .keyPath(let path, _) = node { return path }
    hasNo("keyPath")
  }

  /// The selector of a function expression, such as `sum:`, or the selector of a target's method.
  public var function: String {
    if case .function(let name, _, _) = node { return name }
    hasNo("function")
  }

  /// The name of a variable, or of the variable of a subquery, without its dollar sign.
  public var variable: String {
    switch node {
    case .variable(let name), .subquery(_, let name, _): return name
    default: hasNo("variable")
    }
  }

  /// The expression that a key path starts from, or the target of a function.
  ///
  /// Differs from Apple (D-PRE-06): a function of the predicate language has no target class here; its operand is a
  /// constant nil.
  public var operand: NSExpression {
    switch node {
    case .keyPath(_, let operand): return operand ?? NSExpression.expressionForEvaluatedObject()
    case .function(_, let target, _): return target ?? NSExpression(forConstantValue: nil)
    default: hasNo("operand")
    }
  }

  /// The arguments of a function or of a block; nil for a block that was made without arguments.
  public var arguments: [NSExpression]? {
    switch node {
    case .function(_, _, let arguments): return arguments
    case .block(_, let arguments): return arguments
    default: hasNo("arguments")
    }
  }

  /// The expressions of an aggregate, or the collection expression of a subquery.
  public var collection: Any {
    switch node {
    case .aggregate(let expressions): return expressions
    case .subquery(let collection, _, _): return collection
    default: hasNo("collection")
    }
  }

  /// The predicate of a subquery or of a conditional expression.
  public var predicate: NSPredicate {
    switch node {
    case .subquery(_, _, let predicate), .conditional(let predicate, _, _): return predicate
    default: hasNo("predicate")
    }
  }

  /// The left side of a union, intersection or difference of sets.
  public var left: NSExpression {
    switch node {
    case .unionSet(let left, _), .intersectSet(let left, _), .minusSet(let left, _): return left
    default: hasNo("leftExpression")
    }
  }

  /// The right side of a union, intersection or difference of sets.
  public var right: NSExpression {
    switch node {
    case .unionSet(_, let right), .intersectSet(_, let right), .minusSet(_, let right): return right
    default: hasNo("rightExpression")
    }
  }

  /// The expression that gives a conditional expression its value if the predicate holds.
  public var `true`: NSExpression {
    if case .conditional(_, let expression, _) = node { return expression }
    hasNo("trueExpression")
  }

  /// The expression that gives a conditional expression its value if the predicate does not hold.
  public var `false`: NSExpression {
    if case .conditional(_, _, let expression) = node { return expression }
    hasNo("falseExpression")
  }

  /// The block of a block expression.
  public var expressionBlock: (Any?, [NSExpression], NSMutableDictionary?) -> Any {
    if case .block(let block, _) = node { return block }
    hasNo("expressionBlock")
  }

  private func hasNo(_ property: String) -> Never {
    raise(.invalidArgument, "-\(property) is not defined for an expression of type \(expressionType): \(self)")
  }
}
