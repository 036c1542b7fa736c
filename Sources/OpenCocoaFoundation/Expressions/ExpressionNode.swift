import Foundation

/// The parts of an expression, for code that takes it apart.
package enum ExpressionNode {
  case constant(Any?)
  /// `SELF`
  case evaluatedObject
  /// `$name`, without the dollar sign
  case variable(String)
  /// A key path from the operand, or from the evaluated object if there is no operand.
  ///
  /// `name` has no operand; `SELF.name` and `$x.name` have one.
  case keyPath(String, operand: NSExpression?)
  /// A function by its selector (`sum:`, `add:to:`); the target is that of `FUNCTION(target, 'selector:', ...)`.
  case function(String, target: NSExpression?, arguments: [NSExpression])
  case unionSet(NSExpression, NSExpression)
  case intersectSet(NSExpression, NSExpression)
  case minusSet(NSExpression, NSExpression)
  case subquery(collection: NSExpression, variable: String, predicate: NSPredicate)
  case aggregate([NSExpression])
  case anyKey
  case block((Any?, [NSExpression], NSMutableDictionary?) -> Any, arguments: [NSExpression]?)
  /// `FETCH(request, context, countOnly)`
  case fetch(request: NSExpression, context: NSExpression, countOnly: Bool)
  /// `TERNARY(predicate, a, b)`
  case conditional(NSPredicate, NSExpression, NSExpression)
}

/// The symbol in the brackets of `array[FIRST]`, which is the second argument of `objectFrom:withIndex:`, as a constant.
package enum IndexSymbol: String, Sendable {
  case first = "FIRST"
  case last = "LAST"
  case size = "SIZE"
}
