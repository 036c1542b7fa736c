import Foundation

extension NSNumber {
  /// Whether the number was made of a Float or a Double.
  package var isFloating: Bool {
    let type = UInt8(bitPattern: objCType.pointee)
    return type == UInt8(ascii: "d") || type == UInt8(ascii: "f")
  }

  /// The number as a Decimal; NaN for infinity, because Foundation's conversion of infinity stops the program.
  package var exactDecimal: Decimal { isFloating && doubleValue.isInfinite ? .nan : decimalValue }
}
