import Foundation

/// The fields of a decimal number in an archive: a mantissa, a power of ten and a sign.
struct DecimalFields {
  /// `NS.mantissa`: digits to base 65536, least significant first.
  var mantissa: [UInt8]
  /// `NS.mantissa.bo`: whether the byte order of the digits is big endian (2) instead of little endian (1).
  var isBigEndian = false
  /// `NS.length`: the number of digits of the mantissa that are used.
  var length: Int
  /// `NS.exponent`: the power of ten.
  var exponent: Int
  /// `NS.negative`: whether the number is negative. A negative number with no digits is NaN.
  var isNegative: Bool
}

extension DecimalFields {
  /// Makes the fields of a number.
  init(_ value: Decimal) {
    // The mantissa is computed from decimal digits, which is exact. Dividing Decimals would round.
    var digits = [UInt16](repeating: 0, count: 8)
    for character in value.isNaN ? "" : value.significand.description {
      var carry = UInt32(character.wholeNumberValue ?? 0)
      for index in digits.indices {
        let product = UInt32(digits[index]) * 10 + carry
        digits[index] = UInt16(truncatingIfNeeded: product)
        carry = product >> 16
      }
    }
    self.init(
      mantissa: digits.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] },
      length: (digits.lastIndex { $0 != 0 } ?? -1) + 1, exponent: value.exponent,
      isNegative: value.isNaN || value.isSignMinus)
  }

  /// The number; nil if the fields are not valid.
  var value: Decimal? {
    guard (0...8).contains(length), mantissa.count >= 2 * length, (-128...127).contains(exponent) else { return nil }
    if length == 0 { return isNegative ? .nan : 0 }
    var significand = Decimal(0)
    for index in (0..<length).reversed() {
      let (low, high) = isBigEndian ? (2 * index + 1, 2 * index) : (2 * index, 2 * index + 1)
      significand = significand * 65536 + Decimal(Int(mantissa[low]) | Int(mantissa[high]) << 8)
    }
    return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: significand)
  }
}
