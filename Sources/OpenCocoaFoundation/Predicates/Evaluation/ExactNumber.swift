import Foundation

/// A number in the form that comparisons and arithmetic use.
///
/// Numbers with the same value are equal, whatever type they had. Arithmetic distinguishes integers, floating-point numbers and
/// decimal numbers.
package enum ExactNumber {
  /// Integers and Booleans.
  case integer(Int64)
  case real(Double)
  /// Decimals, and integers beyond Int64.
  case decimal(Decimal)

  package init(_ value: UInt64) {
    if let integer = Int64(exactly: value) { self = .integer(integer) } else { self = .decimal(Decimal(value)) }
  }

  package init(_ number: NSNumber) {
    if type(of: number) == NSDecimalNumber.self {
      self = .decimal(number.decimalValue)
      return
    }
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "d"), UInt8(ascii: "f"): self = .real(number.doubleValue)
    case UInt8(ascii: "Q"): self.init(number.uint64Value)
    default: self = .integer(number.int64Value)
    }
  }

  /// Whether it is a Double or a decimal that is not a number.
  package var isNaN: Bool {
    switch self {
    case .integer: false
    case .real(let value): value.isNaN
    case .decimal(let value): value.isNaN
    }
  }

  /// Parses a string that consists of a number; nil for any other string.
  package init?(writtenIn string: String) {
    // The first character must be a digit, a sign or a dot, because words such as "nan" are not taken for numbers.
    guard let first = string.utf8.first, first < 0x3A, first > 0x2A else { return nil }
    guard let number = Int64(string).map(ExactNumber.integer) ?? Double(string).map(ExactNumber.real) else {
      return nil
    }
    self = number
  }

  /// The number as a Double, rounded to the nearest.
  package var double: Double {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    // Foundation's conversion has rounding errors. The conversion of the text is exact to the nearest Double.
    case .decimal(let value): Double(value.description) ?? NSDecimalNumber(decimal: value).doubleValue
    }
  }

  /// The number as text, without a fraction that is zero.
  package var text: String {
    switch self {
    case .integer(let value): "\(value)"
    case .real(let value): value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    case .decimal(let value): value.description
    }
  }

  package var nsNumber: NSNumber {
    switch self {
    case .integer(let value): NSNumber(value: value)
    case .real(let value): NSNumber(value: value)
    case .decimal(let value): NSDecimalNumber(decimal: value)
    }
  }
}

extension ExactNumber: Hashable {
  package static func == (left: ExactNumber, right: ExactNumber) -> Bool {
    left.order(to: right) == .orderedSame
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(double)
  }

  /// The order of two numbers; nil when one of them is a Double that is not a number.
  ///
  /// A decimal number that is not a number equals itself and is greater than all numbers, as in the columns of stores.
  package func order(to other: ExactNumber) -> ComparisonResult? {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): Self.order(left, right)
    case (.integer(let left), .real(let right)): Self.order(left, right)
    case (.real(let left), .integer(let right)): Self.order(right, left)?.reversed
    case (.decimal(let left), .decimal(let right)): Self.order(left, right)
    case (.integer(let left), .decimal(let right)): Self.order(Decimal(left), right)
    case (.decimal(let left), .integer(let right)): Self.order(left, Decimal(right))
    case (.decimal(let left), .real(let right)) where left.isNaN && !right.isNaN: .orderedDescending
    case (.real(let left), .decimal(let right)) where right.isNaN && !left.isNaN: .orderedAscending
    // A Decimal is compared with a Double by its nearest Double, so that the decimal 0.1 equals the Double 0.1.
    default: double.isNaN || other.double.isNaN ? nil : Self.order(double, other.double)
    }
  }

  private static func order(_ left: Decimal, _ right: Decimal) -> ComparisonResult {
    guard !left.isNaN, !right.isNaN else { return order(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0) }
    return left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
  }

  private static func order<T: Comparable>(_ left: T, _ right: T) -> ComparisonResult {
    left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
  }

  /// Compares an integer with a Double. An integer of more than 53 bits may not be exact as a Double, so the Double is split into
  /// its whole part and its fraction.
  private static func order(_ left: Int64, _ right: Double) -> ComparisonResult? {
    if right.isNaN { return nil }
    if right >= 0x1p63 { return .orderedAscending }
    if right < -0x1p63 { return .orderedDescending }
    let whole = right.rounded(.towardZero)
    let result = order(left, Int64(whole))
    return result == .orderedSame ? order(whole, right) : result
  }
}

extension ComparisonResult {
  /// The result with its sides exchanged.
  package var reversed: ComparisonResult {
    switch self {
    case .orderedAscending: .orderedDescending
    case .orderedSame: .orderedSame
    case .orderedDescending: .orderedAscending
    }
  }
}
