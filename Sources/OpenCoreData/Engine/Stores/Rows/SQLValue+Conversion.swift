import Foundation
import OpenCocoaFoundation

extension SQLValue {
  /// The stored form of a number: an integer if the number is one, else a floating-point number. Decimal numbers that are
  /// 64-bit integers stay exact; other decimal numbers are stored as floating-point numbers, as in Apple's files.
  package init(_ number: ExactNumber) {
    switch number {
    case .integer(let value): self = .integer(value)
    case .real: self = .real(number.double)
    case .decimal(let value): self = value.exactInteger.map(SQLValue.integer) ?? .real(number.double)
    }
  }

  /// What a column of decimal numbers has for one that is not a number, as in Apple's files: SQLite has no such number.
  package static let notANumber = SQLValue.text("NaN")

  /// The stored form of a UUID.
  package init(_ uuid: UUID) { self = .blob(Data(bytesOf: uuid)) }

  /// The stored form of an attribute's value, or nil if the value has another type. Nil and NSNull become NULL.
  ///
  /// Binary data are stored here without the byte that tells where they are, transformable values as their bytes.
  package init?(_ value: Any?, for attribute: NSAttributeDescription) {
    let operand = Operand(value)
    if operand.isNull {
      self = .null
      return
    }
    switch (SQLKind(attribute), operand) {
    case (.decimal, .number(let number)) where number.double.isNaN: self = .notANumber
    case (.number, .number(let number)), (.decimal, .number(let number)): self.init(number)
    case (.date, .date(let seconds)): self = .real(seconds)
    case (.string, .string(let string)), (.uri, .string(let string)): self = .text(string)
    case (.uuid, .uuid(let uuid)): self.init(uuid)
    case (.binary, .data(let data)), (.transformable, .data(let data)): self = .blob(data)
    default: return nil
    }
  }

  /// A JSON array of keys, for `json_each`, so that any number of keys is one variable.
  package init(keys: some Sequence<Int64>) {
    var text: [UInt8] = [UInt8(ascii: "[")]
    text.reserveCapacity(2 + 8 * keys.underestimatedCount)
    for key in keys {
      if text.count > 1 { text.append(UInt8(ascii: ",")) }
      Self.append(key, to: &text)
    }
    text.append(UInt8(ascii: "]"))
    self = .text(String(decoding: text, as: UTF8.self))
  }

  /// Appends the digits of a number without making the string that `String(number)` would make.
  private static func append(_ number: Int64, to text: inout [UInt8]) {
    if number < 0 { text.append(UInt8(ascii: "-")) }
    let start = text.count
    var rest = number.magnitude
    repeat {
      text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    text[start...].reverse()
  }
}

extension Decimal {
  /// The number as an integer of 64 bits, if it is one.
  package var exactInteger: Int64? {
    let integer = NSDecimalNumber(decimal: self).int64Value  // the lowest bits of a number that does not fit
    return Decimal(integer) == self ? integer : nil
  }
}

extension Data {
  /// The 16 bytes of a UUID.
  package init(bytesOf uuid: UUID) { self = Swift.withUnsafeBytes(of: uuid.uuid) { Data($0) } }
}
