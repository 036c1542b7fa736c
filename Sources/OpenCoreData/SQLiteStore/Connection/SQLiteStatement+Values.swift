import CSQLite
import Foundation

extension SQLiteStatement {
  /// Binds an attribute's value in Apple's format.
  func bind(_ value: StoredValue, for slot: PropertySlot, at index: Int32) {
    switch value {
    case .data(let value) where slot.attribute.allowsExternalBinaryDataStorage:
      bind(Data([1]) + value, at: index)
    case .transformed: bind(value.written, for: slot, at: index)
    default: bind(plain: value, at: index)
    }
  }

  /// The same for an attribute whose values are never in files of their own.
  @inline(__always)
  func bind(plain value: StoredValue, at index: Int32) {
    switch value {
    case .unset, .null, .other: bindNull(at: index)
    case .int(let value): bind(value, at: index)
    case .double(let value): bind(value, at: index)
    case .string(let value): bind(value, at: index)
    case .data(let value): bind(value, at: index)
    case .transformed(let value): value.bytes.map { bind($0, at: index) } ?? bindNull(at: index)
    case .uuid(let value): bind(Data(bytesOf: value), at: index)
    case .decimal(let value): bind(value, at: index)
    case .object(let object): bind(object.key, at: index)
    }
  }

  /// Binds integers exactly, and other numbers as the nearest double, which is the value that a DECIMAL column would store.
  private func bind(_ value: Decimal, at index: Int32) {
    if value.isNaN {
      // SQLite makes NULL of a double that is not a number.
      bind("NaN", at: index)
    } else if let integer = value.exactInteger {
      bind(integer, at: index)
    } else {
      // The text is read correctly, where Foundation's conversion multiplies rounding errors.
      bind(Double("\(value)") ?? .nan, at: index)
    }
  }
}
