import Foundation

/// A numeric type of a property.
package protocol KeyValueNumber {
  /// Converts a number to this type. For an integer type the fraction is cut off; nil if the number is out of range.
  init?(keyValue number: NSNumber)
}

extension KeyValueNumber where Self: FixedWidthInteger {
  package init?(keyValue number: NSNumber) {
    if let decimal = number as? NSDecimalNumber {
      // The digits are parsed, because Foundation's conversion of a large decimal number returns only its lowest bits.
      self.init(decimal.decimalValue.description.prefix { $0 != "." })
    } else if number.isFloating {
      self.init(exactly: number.doubleValue.rounded(.towardZero))
    } else if number.int64Value < 0, number.doubleValue > 0 {
      self.init(exactly: number.uint64Value)  // above Int64.max
    } else {
      self.init(exactly: number.int64Value)
    }
  }
}

extension Int: KeyValueNumber {}
extension Int8: KeyValueNumber {}
extension Int16: KeyValueNumber {}
extension Int32: KeyValueNumber {}
extension Int64: KeyValueNumber {}
extension UInt: KeyValueNumber {}
extension UInt8: KeyValueNumber {}
extension UInt16: KeyValueNumber {}
extension UInt32: KeyValueNumber {}
extension UInt64: KeyValueNumber {}

extension Bool: KeyValueNumber {
  package init?(keyValue number: NSNumber) { self = number.boolValue }
}

extension Double: KeyValueNumber {
  package init?(keyValue number: NSNumber) { self = number.doubleValue }
}

extension Float: KeyValueNumber {
  package init?(keyValue number: NSNumber) { self = number.floatValue }
}

extension CGFloat: KeyValueNumber {
  package init?(keyValue number: NSNumber) { self.init(number.doubleValue) }
}

extension Decimal: KeyValueNumber {
  package init?(keyValue number: NSNumber) { self = number.exactDecimal }
}
