#if PostgreSQL
  import Foundation

  /// The binary form of a `numeric`: digits of base 10,000, the power of the first digit, a sign, and how many decimal
  /// digits are shown after the point.
  struct NumericForm {
    /// The digits, the last one first.
    private var groups = InlineArray<12, UInt16>(repeating: 0)
    /// The range of `groups` that counts; the lowest groups are left out if they are 0.
    private var first = 0, end = 0
    private var weight = 0
    private var sign: UInt16 = 0
    private var scale = 0

    private static let notANumber: UInt16 = 0xC000
    static let powersOfTen: InlineArray<5, UInt128> = [1, 10, 100, 1_000, 10_000]

    var count: Int { end - first }

    init(_ decimal: Decimal) {
      guard let parts = DecimalParts(decimal) else {
        sign = Self.notANumber
        return
      }
      scale = max(0, -parts.exponent)
      guard parts.mantissa != 0 else { return }
      sign = parts.isNegative ? 0x4000 : 0
      // The lowest group has this many zeros below the mantissa.
      let shift = parts.exponent & 3
      let lowest = Self.powersOfTen[4 - shift]
      var rest = parts.mantissa / lowest
      groups[0] = UInt16((parts.mantissa - rest * lowest) * Self.powersOfTen[shift])
      end = 1
      while rest > UInt64.max {
        let next = rest / 10_000
        groups[end] = UInt16(rest - next * 10_000)
        end += 1
        rest = next
      }
      var small = UInt64(rest)
      while small > 0 {
        groups[end] = UInt16(small % 10_000)
        end += 1
        small /= 10_000
      }
      weight = (parts.exponent - shift) / 4 + end - 1
      while groups[first] == 0 { first += 1 }
    }

    func write(into bytes: inout ServerBytes) {
      bytes.append(Int16(count))
      bytes.append(Int16(weight))
      bytes.append(sign)
      bytes.append(UInt16(scale))
      for index in stride(from: end - 1, through: first, by: -1) { bytes.append(groups[index]) }
    }

    // MARK: Reading

    /// Returns the number that a binary form encodes. The number is rounded if it has more digits than a `Decimal`; it
    /// is not a number if it is infinite or greater than any `Decimal`.
    static func decimal(of bytes: UnsafeRawBufferPointer) -> Decimal {
      func word(_ index: Int) -> UInt16 {
        UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))
      }
      precondition(bytes.count >= 8 && bytes.count == 8 + 2 * Int(word(0)), "the value is no numeric")
      let sign = word(2), weight = Int(Int16(bitPattern: word(1)))
      guard sign == 0 || sign == 0x4000 else { return .nan }
      var count = Int(word(0))
      while count > 0, word(3 + count) == 0 { count -= 1 }
      guard count > 0 else { return Decimal() }
      var mantissa: UInt128 = 0, hasOverflown = false
      for index in 0..<count - 1 where !hasOverflown {
        hasOverflown = mantissa.append(UInt128(word(4 + index)), factor: 10_000)
      }
      // Zeros at the end of the last group would take up room in the mantissa.
      var last = UInt128(word(3 + count)), zeros = 0
      while last % 10 == 0, zeros < 3 {
        last /= 10
        zeros += 1
      }
      if !hasOverflown { hasOverflown = mantissa.append(last, factor: powersOfTen[4 - zeros]) }
      var parts = DecimalParts(
        isNegative: sign != 0, exponent: 4 * (weight - count + 1) + zeros, mantissa: mantissa)
      if hasOverflown || parts.exponent < -128 {
        return rounded((0..<count).map { word(4 + $0) }, weight: weight, isNegative: sign != 0)
      }
      return parts.limitExponent() ? parts.decimal : .nan
    }

    /// Returns the nearest number that has no more digits than a `Decimal` has room for; of two nearest, the one of
    /// greater magnitude.
    private static func rounded(_ groups: [UInt16], weight: Int, isNegative: Bool) -> Decimal {
      let digits = groups.flatMap { [$0 / 1000, $0 / 100 % 10, $0 / 10 % 10, $0 % 10] }
      var parts = DecimalParts(isNegative: isNegative, exponent: 4 * (weight + 1), mantissa: 0)
      for digit in digits {
        var next = parts.mantissa
        if parts.exponent == -128 || next.append(UInt128(digit), factor: 10) {
          if digit >= 5 {
            let (sum, hasOverflown) = parts.mantissa.addingReportingOverflow(1)
            if hasOverflown {
              parts.mantissa = UInt128.max / 10 + 1
              parts.exponent += 1
            } else {
              parts.mantissa = sum
            }
          }
          break
        }
        parts.mantissa = next
        parts.exponent -= 1
      }
      guard parts.mantissa != 0 else { return Decimal() }
      while parts.mantissa % 10 == 0, parts.exponent < 127 {
        parts.mantissa /= 10
        parts.exponent += 1
      }
      return parts.limitExponent() ? parts.decimal : .nan
    }
  }

  extension UInt128 {
    /// Makes room for a digit of a base and adds the digit. Returns true, and changes nothing, if there is no room.
    fileprivate mutating func append(_ digit: UInt128, factor: UInt128) -> Bool {
      let (product, overflow) = multipliedReportingOverflow(by: factor)
      let (sum, carry) = product.addingReportingOverflow(digit)
      if overflow || carry { return true }
      self = sum
      return false
    }
  }

  extension DecimalParts {
    /// Reduces an exponent that is too great. Returns false if the mantissa has no room for the digits.
    fileprivate mutating func limitExponent() -> Bool {
      while exponent > 127 {
        let (product, overflow) = mantissa.multipliedReportingOverflow(by: 10)
        if overflow { return false }
        mantissa = product
        exponent -= 1
      }
      return true
    }
  }
#endif
