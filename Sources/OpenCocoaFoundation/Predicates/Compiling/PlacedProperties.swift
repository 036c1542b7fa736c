import Foundation

/// A class whose objects keep properties in known places, so that the evaluator can read them without key-value coding.
///
/// The evaluator works on values of any type and knows no class of managed objects. A framework above it adopts this protocol; a
/// predicate then asks an object once for the readers of its keys, and uses them for all objects of the same class and shape.
package protocol PlacedProperties: NSObject {
  /// The number of the shape of an object, which says what is where. No other shape of the process has or had the same number.
  ///
  /// - Parameter object: An object of this class.
  static func shapeNumber(of object: NSObject) -> Int64

  /// Returns the reader of a property for objects that have the class and the shape of this one; nil if only key-value coding
  /// knows the value. A reader must not keep anything alive, because predicates keep readers.
  func propertyReader(forKey key: String) -> PropertyReader?
}

/// Reads one property of an object without boxing the value.
///
/// A reader has no effect on the object: where `value(forKey:)` would do more than to return a value, as it does for a fault, the
/// reader refuses, and the evaluator asks by key-value coding.
package enum PropertyReader: Sendable {
  /// An integer or a Boolean.
  case integer(@Sendable (NSObject) -> PlacedNumber)
  case real(@Sendable (NSObject) -> PlacedNumber)
  /// A date in seconds since 2001.
  case date(@Sendable (NSObject) -> PlacedNumber)
  /// A text, whose UTF-8 bytes are passed to the closure, or nil if there is none. Returns false if it refuses.
  case text(@Sendable (NSObject, (UnsafeRawBufferPointer?) -> Void) -> Bool)
  /// Any other value. Returns nil if it refuses.
  case other(@Sendable (NSObject) -> Operand?)
}

/// A number that a reader has read.
package enum PlacedNumber: Sendable {
  case integer(Int64)
  case real(Double)
  case null
  /// The reader refuses.
  case refused

  var exact: ExactNumber? {
    switch self {
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .null, .refused: nil
    }
  }
}

extension PropertyReader {
  /// Reads the value as an operand of comparisons; nil if the reader refuses.
  func operand(of object: NSObject) -> Operand? {
    switch self {
    case .integer(let read), .real(let read):
      switch read(object) {
      case .refused: return nil
      case .null: return .null
      case .integer(let value): return .number(.integer(value))
      case .real(let value): return .number(.real(value))
      }
    case .date(let read):
      switch read(object) {
      case .real(let seconds): return .date(seconds)
      case .null: return .null
      case .integer, .refused: return nil
      }
    case .text(let read):
      var operand = Operand.null
      let isRead = read(object) { bytes in
        if let bytes { operand = .string(String(decoding: bytes, as: UTF8.self)) }
      }
      return isRead ? operand : nil
    case .other(let read): return read(object)
    }
  }
}
