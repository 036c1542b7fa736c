import Foundation

/// Values of unknown type that are of the very type that is looked for, as most are. A cast takes several times as long, and
/// many times where it ends up searching conformances.
enum ExactValue {
  @inline(__always)
  static func string(_ value: Any) -> String? { load(value, as: String.self) }

  /// The value of an attribute, if it needs no conversion.
  @inline(__always)
  static func stored(_ value: Any, _ kind: ValueKind) -> StoredValue? {
    switch kind {
    case .string: load(value, as: String.self).map(StoredValue.string)
    case .double: load(value, as: Double.self).map(StoredValue.double)
    case .int64: (load(value, as: Int.self).map(Int64.init) ?? load(value, as: Int64.self)).map(StoredValue.int)
    case .int32: int32(value).map(StoredValue.int)
    case .int16: load(value, as: Int16.self).map { .int(Int64($0)) }
    case .bool: load(value, as: Bool.self).map { .int($0 ? 1 : 0) }
    case .date: load(value, as: Date.self).map { .double($0.timeIntervalSinceReferenceDate) }
    case .uuid: load(value, as: UUID.self).map(StoredValue.uuid)
    case .data: load(value, as: Data.self).map(StoredValue.data)
    default: nil
    }
  }

  private static func int32(_ value: Any) -> Int64? {
    if let exact = load(value, as: Int32.self) { return Int64(exact) }
    guard let number = load(value, as: Int.self), Int32(exactly: number) != nil else { return nil }
    return Int64(number)
  }

  /// Only for types that an `Any` holds within itself: of at most three words.
  @inline(__always)
  private static func load<Value>(_ value: Any, as type: Value.Type) -> Value? {
    guard Swift.type(of: value) == type else { return nil }
    return withUnsafeBytes(of: value) { $0.load(as: type) }
  }
}
