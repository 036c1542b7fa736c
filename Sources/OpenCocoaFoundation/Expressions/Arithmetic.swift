import Foundation

/// The arithmetic of expressions. The result of two whole numbers is a whole number, as in SQL; if it would overflow, it is a
/// floating-point number.
package enum Arithmetic {
  package static func add(_ left: ExactNumber, _ right: ExactNumber) -> ExactNumber {
    combine(left, right, { $0.addingReportingOverflow($1) }, +, +)
  }

  package static func subtract(_ left: ExactNumber, _ right: ExactNumber) -> ExactNumber {
    combine(left, right, { $0.subtractingReportingOverflow($1) }, -, -)
  }

  package static func multiply(_ left: ExactNumber, _ right: ExactNumber) -> ExactNumber {
    combine(left, right, { $0.multipliedReportingOverflow(by: $1) }, *, *)
  }

  /// Returns the quotient, which is a whole number if both operands are; nil for a division by zero.
  package static func divide(_ left: ExactNumber, _ right: ExactNumber) -> ExactNumber? {
    guard right != .integer(0) else { return nil }
    return combine(left, right, { $0.dividedReportingOverflow(by: $1) }, /, /)
  }

  /// Returns the remainder of two whole numbers; nil for a division by zero. The fractions of other numbers are cut off first.
  package static func modulus(_ left: ExactNumber, _ right: ExactNumber) -> ExactNumber? {
    let left = integer(left)
    let right = integer(right)
    guard right != 0 else { return nil }
    return .integer(left.remainderReportingOverflow(dividingBy: right).partialValue)
  }

  package static func power(_ base: ExactNumber, _ exponent: ExactNumber) -> ExactNumber {
    ExactNumber.real(pow(base.double, exponent.double))
  }

  /// Returns the whole part of a number, or the nearest number of 64 bits if the whole part is beyond them.
  package static func integer(_ number: ExactNumber) -> Int64 {
    if case .integer(let value) = number { return value }
    let value = number.double
    if value.isNaN { return 0 }
    return value >= 0x1p63 ? .max : value < -0x1p63 ? .min : Int64(value)
  }

  private static func combine(
    _ left: ExactNumber, _ right: ExactNumber,
    _ integers: (Int64, Int64) -> (partialValue: Int64, overflow: Bool), _ reals: (Double, Double) -> Double,
    _ decimals: (Decimal, Decimal) -> Decimal
  ) -> ExactNumber {
    switch (left, right) {
    case (.integer(let a), .integer(let b)):
      let (value, overflow) = integers(a, b)
      return overflow ? ExactNumber.real(reals(Double(a), Double(b))) : .integer(value)
    case (.decimal(let a), .decimal(let b)): return ExactNumber.decimal(decimals(a, b))
    case (.decimal(let a), .integer(let b)): return ExactNumber.decimal(decimals(a, Decimal(b)))
    case (.integer(let a), .decimal(let b)): return ExactNumber.decimal(decimals(Decimal(a), b))
    default: return ExactNumber.real(reals(left.double, right.double))
    }
  }
}
