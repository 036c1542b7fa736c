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
    // A cast of a Swift collection to a class would first convert it to an NSArray, element by element.
    if value is any Collection { return NSExpression(forConstantValue: value) }
    if let expression = value as? NSExpression { return expression }
    guard let number = value as? NSNumber, !(value is Decimal) else { return NSExpression(forConstantValue: value) }
    // With a floating-point conversion, an integer becomes a floating-point number, as in C.
    if "fFeEgGaA".contains(conversion) { return NSExpression(forConstantValue: NSNumber(value: number.doubleValue)) }
    return NSExpression(forConstantValue: number)
  }
}
