#if PostgreSQL
  import Foundation

  /// The parts of a `Decimal`, as numbers: its value is `mantissa` times ten to the power of `exponent`, negated if
  /// `isNegative`.
  ///
  /// Foundation gives the mantissa only as the digits of a text. This type reads and writes the mantissa in the value's
  /// memory, after a check that the memory is laid out as expected. If a later version of Foundation has another
  /// layout, the parts are read from texts and written as texts.
  struct DecimalParts: Equatable {
    var isNegative: Bool
    var exponent: Int
    var mantissa: UInt128

    init(isNegative: Bool, exponent: Int, mantissa: UInt128) {
      self.isNegative = isNegative
      self.exponent = exponent
      self.mantissa = mantissa
    }

    /// Returns nil if the value is not a number.
    @inline(__always)
    init?(_ decimal: Decimal) {
      guard !decimal.isNaN else { return nil }
      self = Self.layoutIsKnown ? Self(memoryOf: decimal) : Self(textOf: decimal)
    }

    /// The number. `exponent` is in -128…127.
    var decimal: Decimal { Self.layoutIsKnown ? decimalFromMemory : decimalFromText }

    // MARK: Memory

    /// The size of a `Decimal` in bytes: an exponent of 8 bits; 4 bits for flags and 4 for how many words the mantissa
    /// has; 2 bytes that are not used; the mantissa of 8 words.
    private static let size = 20

    private init(memoryOf decimal: Decimal) {
      self = withUnsafeBytes(of: decimal) { bytes in
        var mantissa: UInt128 = 0
        for word in stride(from: 2 * Int(bytes[1] >> 4), to: 0, by: -2) {
          mantissa = mantissa << 16 | UInt128(bytes.loadUnaligned(fromByteOffset: 2 + word, as: UInt16.self))
        }
        return Self(isNegative: bytes[1] & 8 != 0, exponent: Int(Int8(bitPattern: bytes[0])), mantissa: mantissa)
      }
    }

    private var decimalFromMemory: Decimal {
      guard mantissa != 0 else { return Decimal() }
      var decimal = Decimal()
      withUnsafeMutableBytes(of: &decimal) { bytes in
        let length = UInt8((143 - mantissa.leadingZeroBitCount) / 16)
        bytes[0] = UInt8(bitPattern: Int8(exponent))
        bytes[1] = length << 4 | (isNegative ? 8 : 0)
        bytes.storeBytes(of: UInt64(truncatingIfNeeded: mantissa).littleEndian, toByteOffset: 4, as: UInt64.self)
        bytes.storeBytes(of: UInt64(truncatingIfNeeded: mantissa >> 64).littleEndian, toByteOffset: 12, as: UInt64.self)
      }
      return decimal
    }

    /// Whether values are laid out as described above. This is found out with samples, of which each shows a part of
    /// the layout.
    private static let layoutIsKnown: Bool = {
      guard MemoryLayout<Decimal>.size == size, 1.littleEndian == 1 else { return false }
      let samples: [DecimalParts] = [
        DecimalParts(isNegative: false, exponent: 0, mantissa: 0),
        DecimalParts(isNegative: true, exponent: -2, mantissa: 12345),
        DecimalParts(isNegative: false, exponent: 127, mantissa: 1),
        DecimalParts(isNegative: true, exponent: -128, mantissa: 0x1_0001),
        DecimalParts(isNegative: false, exponent: 3, mantissa: 0x1234_5678_9abc_def1_2345),
        DecimalParts(isNegative: false, exponent: 0, mantissa: .max),
      ]
      return samples.allSatisfy { sample in
        let decimal = sample.decimalFromText
        return DecimalParts(memoryOf: decimal) == sample && sample.decimalFromMemory == decimal
          && DecimalParts(textOf: sample.decimalFromMemory) == sample
      }
    }()

    // MARK: Texts

    private init(textOf decimal: Decimal) {
      isNegative = decimal.sign == .minus
      exponent = decimal.isZero ? 0 : decimal.exponent
      mantissa = 0
      for digit in decimal.significand.description.utf8 where digit != UInt8(ascii: "-") {
        mantissa = mantissa * 10 + UInt128(digit - UInt8(ascii: "0"))
      }
    }

    private var decimalFromText: Decimal {
      var significand = Decimal(0)
      for digit in String(mantissa).utf8 { significand = significand * 10 + Decimal(Int(digit - UInt8(ascii: "0"))) }
      // Multiplication may turn zeros at the end of `significand` into an exponent of its own.
      return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: significand)
    }
  }
#endif
