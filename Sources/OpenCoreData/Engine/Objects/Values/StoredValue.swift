import Foundation
import OpenCocoaFoundation

/// A value that an object owns because it was set and not yet saved, or that is on its way to a row.
@_spi(Store) public enum StoredValue {
  /// Not changed: the snapshot has it.
  case unset
  case null
  case int(Int64)
  case double(Double)
  case string(String)
  case data(Data)
  case uuid(UUID)
  case decimal(Decimal)
  /// A transient attribute's value of any type. It is kept out of line: in place it would make every value nearly twice
  /// as large.
  indirect case other(Any)
  /// An object that was set for a transformable attribute; a row has the attribute's value as data.
  case transformed(TransformedValue)
  case object(NSManagedObject)

  package var isUnset: Bool { if case .unset = self { true } else { false } }
  package var isNull: Bool { if case .null = self { true } else { false } }

  /// Whether copying the value counts no references.
  package var isWithoutReferences: Bool {
    switch self {
    case .unset, .null, .int, .double, .uuid, .decimal: true
    case .string, .data, .other, .transformed, .object: false
    }
  }

  /// The value as a row keeps it: for a transformable attribute's object its bytes, which the save has made before.
  package var written: StoredValue {
    guard case .transformed(let value) = self else { return self }
    return value.bytes.map(StoredValue.data) ?? .null
  }
}

extension StoredValue {
  /// The value of a row's slot.
  package static func read(_ slot: PropertySlot, from snapshot: Snapshot) -> StoredValue {
    let index = slot.index
    if snapshot.isNull(index) { return slot.allowsExternalFile ? snapshot.unread(index)?.value ?? .null : .null }
    switch slot.kind {
    case .int16, .int32, .int64, .bool, .toOne: return .int(snapshot.int(index))
    case .double, .float, .date: return .double(snapshot.double(index))
    case .decimal: return .decimal(snapshot.decimal(index))
    case .string: return .string(snapshot.string(index))
    case .data, .transformable: return .data(snapshot.data(index))
    case .uuid: return snapshot.uuid(index).map(StoredValue.uuid) ?? .null
    case .uri: return .string(snapshot.string(index))
    case .toMany, .anything, .composite: return .null
    }
  }

  /// As `value(forKey:)` gives it: every number and Boolean an NSNumber, dates Date, and so on. Not for relationships,
  /// nor for what a row has of a transformable attribute, which an object decodes.
  package func boxed(for slot: PropertySlot) -> Any? { boxed(as: slot.kind) }

  package func boxed(as kind: ValueKind) -> Any? {
    switch self {
    case .unset, .null: return nil
    case .int(let value): return kind == .bool ? NSNumber(value: value != 0) : SmallNumbers.number(value)
    case .double(let value):
      if kind == .date { return Date(timeIntervalSinceReferenceDate: value) }
      return kind == .float ? NSNumber(value: Float(value)) : NSNumber(value: value)
    case .string(let value): return kind == .uri ? URL(string: value) as Any? : value
    case .data(let value): return value
    case .uuid(let value): return value
    case .decimal(let value): return NSDecimalNumber(decimal: value)
    case .other(let value): return value
    case .transformed(let value): return value.object
    case .object(let value): return value
    }
  }

  /// Whether two values of the same slot are the same value.
  package func isSame(as other: StoredValue) -> Bool {
    switch (self, other) {
    case (.unset, .unset), (.null, .null): return true
    case (.int(let a), .int(let b)): return a == b
    case (.double(let a), .double(let b)): return a == b
    case (.string(let a), .string(let b)): return StringBytes.equal(a, b)
    case (.data(let a), .data(let b)): return a == b
    case (.uuid(let a), .uuid(let b)): return a == b
    case (.decimal(let a), .decimal(let b)): return a == b
    case (.object(let a), .object(let b)): return a === b
    case (.transformed(let a), .transformed(let b)): return a === b
    case (.other(let a), .other(let b)):
      return (a as? NSObject).flatMap { a in (b as? NSObject).map { a.isEqual($0) } } ?? false
    default: return false
    }
  }
}

/// Ready-made NSNumbers: making one costs more than all the rest of reading an attribute.
package enum SmallNumbers {
  private static let range = -128...1023
  private static let numbers = range.map { NSNumber(value: Int64($0)) }

  package static func number(_ value: Int64) -> NSNumber {
    value >= -128 && value <= 1023 ? numbers[Int(value) + 128] : NSNumber(value: value)
  }
}
