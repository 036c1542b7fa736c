import Foundation

extension NSPredicate {
  /// Makes the predicate for a predicate of Swift, such as `#Predicate<Song> { $0.rating > 3 }`.
  ///
  /// Properties become key paths by their names, so that a store can select by the predicate as by one of a format.
  ///
  /// - Returns: nil if a part has no counterpart: a property without a name (see `OCDRegisterKeyPath(_:name:)`), a constant
  ///   that cannot be the value of a property, a test for a type, a part of a collection, elements of a string.
  public convenience init?<Input: NSObject>(_ predicate: Predicate<Input>) {
    var conversion = PredicateConversion(variable: predicate.variable)
    guard let converted = try? conversion.predicate(predicate.expression) else { return nil }
    self.init(_factory: converted)
  }
}

extension NSExpression {
  /// Makes the expression for an expression of Swift, such as `#Expression<Song, Int> { $0.plays + 1 }`.
  ///
  /// - Returns: nil if a part has no counterpart, as for predicates.
  public convenience init?<Input: NSObject, Output>(_ expression: Expression<Input, Output>) {
    var conversion = PredicateConversion(variable: expression.variable)
    guard let converted = try? conversion.expression(expression.expression) else { return nil }
    self.init(node: converted.node)
  }
}
