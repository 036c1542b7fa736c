import Foundation
import OpenCocoaFoundation

/// Values in words, from what is in memory.
enum LookedValue {
  /// The greatest number of characters of a value.
  static let length = 200

  /// `Entity/p12`, or `Entity/t3` for an object without a row.
  static func name(of object: NSManagedObject) -> String { name(object.layout.name, object.key) }

  static func name(_ entity: String, _ key: Int64) -> String { key < 0 ? "\(entity)/t\(-key)" : "\(entity)/p\(key)" }

  /// A row's value, but for those in files of their own.
  static func stored(_ slot: PropertySlot, _ row: Snapshot) -> StoredValue {
    row.isNull(slot.index) ? .null : StoredValue.read(slot, from: row)
  }

  /// The value in words; nil for none.
  static func text(of value: StoredValue, _ slot: PropertySlot) -> String? {
    if value.isNull || value.isUnset { return nil }
    if slot.property.hasSecretValues { return SecretAttributes.redacted }
    switch value {
    case .data(let data): return "\(data.count) bytes"
    case .transformed: return "a transformable value"
    case .other(let value): return "a value of \(type(of: value))"
    case .object(let object): return name(of: object)
    case .int(let key) where slot.kind == .toOne: return name(slot.destination?.name ?? "", key)
    case .string(let text): return text.count > length ? text.prefix(length) + "…" : text
    case .double(let seconds) where slot.kind == .date:
      return Date(timeIntervalSinceReferenceDate: seconds).formatted(
        Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    case .int(let number) where slot.kind == .bool: return number != 0 ? "true" : "false"
    case .int(let number): return "\(number)"
    case .double(let number): return "\(number)"
    case .uuid(let value): return value.uuidString
    case .decimal(let value): return "\(value)"
    case .unset, .null: return nil
    }
  }
}
