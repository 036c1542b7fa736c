import Foundation

/// A type of number that a property may have.
protocol KeyValueNumber {
  /// The number in this type; nil if it is out of range.
  init?(keyValue number: NSNumber)
}

extension KeyValueNumber where Self: FixedWidthInteger {
  init?(keyValue number: NSNumber) {
    if number.isFloating, !(number is NSDecimalNumber) {
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
  init?(keyValue number: NSNumber) { self = number.boolValue }
}

extension Double: KeyValueNumber {
  init?(keyValue number: NSNumber) { self = number.doubleValue }
}

extension Float: KeyValueNumber {
  init?(keyValue number: NSNumber) { self = number.floatValue }
}

extension CGFloat: KeyValueNumber {
  init?(keyValue number: NSNumber) { self.init(number.doubleValue) }
}

extension Decimal: KeyValueNumber {
  init?(keyValue number: NSNumber) { self = number.decimalValue }
}
