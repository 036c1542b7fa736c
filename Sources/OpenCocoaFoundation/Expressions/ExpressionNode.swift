import Foundation

/// The kind and the parts of an expression.
package enum ExpressionNode {
  case constant(Any?)
  /// `SELF`
  case evaluatedObject
  /// `$name`, without the dollar sign
  case variable(String)
  /// A key path from the operand, or from the evaluated object if the operand is nil.
  ///
  /// `name` has no operand; `SELF.name` and `$x.name` have an operand.
  case keyPath(String, operand: NSExpression?)
  /// A function with its selector (`sum:`, `add:to:`). Only `FUNCTION(target, 'selector:', ...)` has a target.
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

/// The word in the brackets of `array[FIRST]`, which is a constant: the second argument of `objectFrom:withIndex:`.
package enum IndexSymbol: String, Sendable {
  case first = "FIRST"
  case last = "LAST"
  case size = "SIZE"
}
