import Foundation

/// The arguments of a format, which are taken in order.
struct FormatArguments {
  private let values: [Any?]
  private var index = 0

  init(_ values: [Any?]) {
    self.values = values
  }

  /// Sets `value` to the next argument, unwrapped from Optionals; returns false if there are no more arguments.
  mutating func next(_ value: inout Any?) -> Bool {
    guard index < values.count else { return false }
    value = unwrapped(values[index])
    index += 1
    return true
  }

  /// Returns the expression for an argument of `%@` or of a printf conversion.
  static func expression(of value: Any?, conversion: Character) -> NSExpression {
    // What most arguments are, without casts: these look for conformances, and bridge values to classes.
    if let value {
      if exactString(value) != nil { return NSExpression(forConstantValue: value) }
      if let integer = exactInteger(value) { return self.expression(of: NSNumber(value: integer), as: conversion) }
    }
    // A cast of a Swift collection to a class would first convert it to an NSArray, element by element.
    if value is any Collection { return NSExpression(forConstantValue: value) }
    if let expression = value as? NSExpression { return expression }
    guard let number = value as? NSNumber, !(value is Decimal) else { return NSExpression(forConstantValue: value) }
    return self.expression(of: number, as: conversion)
  }

  private static func expression(of number: NSNumber, as conversion: Character) -> NSExpression {
    // With a floating-point conversion, an integer becomes a floating-point number, as in C.
    if "fFeEgGaA".contains(conversion) { return NSExpression(forConstantValue: NSNumber(value: number.doubleValue)) }
    return NSExpression(forConstantValue: number)
  }
}
