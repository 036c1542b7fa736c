import Foundation
import OpenCocoaFoundation

extension SnapshotScratch {
  /// Keeps a value in the slot of an attribute.
  package mutating func set(_ value: StoredValue, for slot: PropertySlot) { set(value, at: slot.index) }

  @inline(__always)
  package mutating func set(_ value: StoredValue, at index: Int) {
    switch value {
    case .unset, .null, .other: break
    case .int(let value): set(index, int: value)
    case .double(let value): set(index, double: value)
    case .string(let value): set(index, string: value)
    case .data(let value): value.withUnsafeBytes { set(index, blob: $0) }
    case .transformed(let value): if let bytes = value.bytes { bytes.withUnsafeBytes { set(index, blob: $0) } }
    case .uuid(let value): withUnsafeBytes(of: value.uuid) { set(index, blob: $0) }
    case .decimal(let value): set(index, decimal: value)
    case .object(let object): set(index, int: object.key)
    }
  }
}
