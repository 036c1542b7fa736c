import Foundation
import OpenCocoaFoundation

/// Tests for values of unknown type that are of exactly the type that is looked for, as most are. A cast takes ten times
/// as long, and a hundred times where it ends up searching conformances.
package enum ExactValue {
  /// The memory layout of an `Any`: three words that hold a value of up to that size, and its type.
  private struct Words {
    let first: UInt
    let second: UInt
    let third: UInt
    let type: UInt

    @inline(__always)
    init(_ value: Any) {
      // `as Any` is written once more, so that the existential's words are taken and not those of the value in it.
      self = unsafeBitCast(value as Any, to: Words.self)
    }

    @inline(__always)
    func hold<Value>(_ type: Value.Type) -> Bool { self.type == unsafeBitCast(type as Any.Type, to: UInt.self) }

    var bits: Int { Int(bitPattern: first) }
  }

  @inline(__always)
  package static func string(_ value: Any) -> String? {
    let words = Words(value)
    // The words alone keep nothing alive.
    defer { withExtendedLifetime(value as Any) {} }
    return words.hold(String.self) ? unsafeBitCast((words.first, words.second), to: String.self) : nil
  }

  /// Whether a value is that object. An instance of a class lies in an `Any` as its reference.
  @inline(__always)
  package static func isReference(_ value: Any?, to object: ObjectIdentifier) -> Bool {
    let payload = withUnsafeBytes(of: value) { $0.load(as: UInt.self) }
    // Whether the value is an instance of a class is checked only when the words are the same.
    guard payload == UInt(bitPattern: object) else { return false }
    return value.map { type(of: $0) is AnyClass } ?? false
  }

  /// The object in a value whose static type was NSObject, as that of the elements which sets compare; nil for any other
  /// value. The value keeps the object alive.
  @inline(__always)
  package static func object(_ value: Any?) -> Uncounted<NSObject>? {
    let words = withUnsafeBytes(of: value) { $0.load(as: (object: UInt, UInt, UInt, type: UInt).self) }
    guard words.type == unsafeBitCast(NSObject.self as Any.Type, to: UInt.self) else { return nil }
    return UnsafeRawPointer(bitPattern: words.object).map { Uncounted(Unmanaged<NSObject>.fromOpaque($0)) }
  }

  /// The object in a value of the class `Object` or a subclass, which the caller has checked. The value keeps it alive.
  @inline(__always)
  package static func object<Object: AnyObject>(_ value: Any, as type: Object.Type) -> Uncounted<Object> {
    withUnsafeBytes(of: value) { Uncounted($0.load(as: Unmanaged<Object>.self)) }
  }

  /// The value of an attribute, if it needs no conversion.
  @inline(__always)
  package static func stored(_ value: Any, _ kind: ValueKind) -> StoredValue? {
    let words = Words(value)
    defer { withExtendedLifetime(value as Any) {} }
    switch kind {
    case .string where words.hold(String.self):
      return .string(unsafeBitCast((words.first, words.second), to: String.self))
    case .double where words.hold(Double.self): return .double(Double(bitPattern: UInt64(words.first)))
    case .int64 where words.hold(Int.self) || words.hold(Int64.self): return .int(Int64(words.bits))
    case .int32 where words.hold(Int32.self): return .int(Int64(Int32(truncatingIfNeeded: words.bits)))
    case .int32 where words.hold(Int.self) && Int32(exactly: words.bits) != nil: return .int(Int64(words.bits))
    case .int16 where words.hold(Int16.self): return .int(Int64(Int16(truncatingIfNeeded: words.bits)))
    case .bool where words.hold(Bool.self): return .int(Int64(words.bits & 1))
    case .date where words.hold(Date.self):
      return .double(unsafeBitCast(words.first, to: Date.self).timeIntervalSinceReferenceDate)
    case .uuid where words.hold(UUID.self):
      return .uuid(unsafeBitCast((words.first, words.second), to: UUID.self))
    case .data where words.hold(Data.self):
      return .data(unsafeBitCast((words.first, words.second), to: Data.self))
    default: return nil
    }
  }
}
