import Foundation

extension NSPredicate {
  /// Converts a typed predicate over any class or struct to an NSPredicate.
  ///
  /// Properties become key paths with their names, so that a store can evaluate the predicate like one made from a format.
  ///
  /// ```swift
  /// let predicate = try NSPredicate(converting: #Predicate<Entry> { $0.words > 3 && $0.words != 7 })
  /// print(predicate)  // words > 3 AND words != 7
  /// ```
  ///
  /// Not in Apple's framework (D-EXT-30), whose initialiser returns nil.
  /// - Throws: `OCDConversionError` with the part that cannot be said, such as a computed property, a test of a type or the
  ///   elements of a string, and with what to write instead.
  public convenience init<Input>(converting predicate: Predicate<Input>) throws {
    var conversion = PredicateConversion(variable: predicate.variable)
    let converted = try conversion.predicate(predicate.expression)
    self.init(_factory: converted)
  }

  /// Converts a Swift predicate, such as `#Predicate<Song> { $0.rating > 3 }`, to an NSPredicate.
  ///
  /// Properties become key paths with their names, so that a store can evaluate the predicate like one made from a format.
  ///
  /// - Returns: nil if the predicate contains something that NSPredicate lacks: a property without a name (see
  ///   `OCDRegisterKeyPath(_:name:)`), a constant of a type that no property has, a test of a type, a part of a collection, or
  ///   elements of a string.
  public convenience init?<Input: NSObject>(_ predicate: Predicate<Input>) {
    do { try self.init(converting: predicate) } catch { return nil }
  }
}

extension NSExpression {
  /// Converts a typed expression over any class or struct to an NSExpression.
  ///
  /// ```swift
  /// let expression = try NSExpression(converting: #Expression<Entry, Bool> { $0.words > 3 })
  /// print(expression)  // TERNARY(words > 3, 1, 0)
  /// ```
  ///
  /// Not in Apple's framework (D-EXT-30).
  /// - Throws: `OCDConversionError`, as for predicates.
  public convenience init<Input, Output>(converting expression: Expression<Input, Output>) throws {
    var conversion = PredicateConversion(variable: expression.variable)
    let converted = try conversion.expression(expression.expression)
    self.init(node: converted.node)
  }

  /// Converts a Swift expression, such as `#Expression<Song, Int> { $0.plays + 1 }`, to an NSExpression.
  ///
  /// - Returns: nil if the expression contains something that NSExpression lacks, as for predicates.
  public convenience init?<Input: NSObject, Output>(_ expression: Expression<Input, Output>) {
    do { try self.init(converting: expression) } catch { return nil }
  }
}
