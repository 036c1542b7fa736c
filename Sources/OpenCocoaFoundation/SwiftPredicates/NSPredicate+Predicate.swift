import Foundation

extension NSPredicate {
  /// Converts a Swift predicate, such as `#Predicate<Song> { $0.rating > 3 }`, to an NSPredicate.
  ///
  /// Properties become key paths with their names, so that a store can evaluate the predicate like one made from a format.
  ///
  /// - Returns: nil if the predicate contains something that NSPredicate lacks: a property without a name (see
  ///   `OCDRegisterKeyPath(_:name:)`), a constant of a type that no property has, a test of a type, a part of a collection, or
  ///   elements of a string.
  public convenience init?<Input: NSObject>(_ predicate: Predicate<Input>) {
    var conversion = PredicateConversion(variable: predicate.variable)
    guard let converted = try? conversion.predicate(predicate.expression) else { return nil }
    self.init(_factory: converted)
  }
}

extension NSExpression {
  /// Converts a Swift expression, such as `#Expression<Song, Int> { $0.plays + 1 }`, to an NSExpression.
  ///
  /// - Returns: nil if the expression contains something that NSExpression lacks, as for predicates.
  public convenience init?<Input: NSObject, Output>(_ expression: Expression<Input, Output>) {
    var conversion = PredicateConversion(variable: expression.variable)
    guard let converted = try? conversion.expression(expression.expression) else { return nil }
    self.init(node: converted.node)
  }
}
