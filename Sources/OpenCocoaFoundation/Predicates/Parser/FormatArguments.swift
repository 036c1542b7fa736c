import Foundation

/// The arguments of a format, handed out in order.
struct FormatArguments {
  private let values: [Any?]
  private var index = 0

  init(_ values: [Any?]) {
    self.values = values
  }

  /// The next argument without its Optionals; false when there is none left.
  mutating func next(_ value: inout Any?) -> Bool {
    guard index < values.count else { return false }
    value = unwrapped(values[index])
    index += 1
    return true
  }

  /// The expression for an argument of `%@` or of a conversion of printf.
  static func expression(of value: Any?, conversion: Character) -> NSExpression {
    // Looking for an object in a collection would first make an NSArray of it, element by element.
    if value is any Collection { return NSExpression(forConstantValue: value) }
    if let expression = value as? NSExpression { return expression }
    guard let number = value as? NSNumber, !(value is Decimal) else { return NSExpression(forConstantValue: value) }
    // A floating conversion of an integer compares as a floating number does in C.
    if "fFeEgGaA".contains(conversion) { return NSExpression(forConstantValue: NSNumber(value: number.doubleValue)) }
    return NSExpression(forConstantValue: number)
  }
}
