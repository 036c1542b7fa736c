import Foundation
import OpenCocoaFoundation

// How predicates and sort descriptors read attributes without key-value coding.
//
// A reader gives the value that `value(forKey:)` gives, or refuses: for a fault, for an object without a row, and where the value
// has been put aside. Then the evaluator asks by key-value coding, which fires the fault.
extension NSManagedObject {
  /// The number of the layout of an object.
  package static func shapeNumber(of object: NSObject) -> Int64 {
    unsafeDowncast(object, to: NSManagedObject.self).layoutReference.read { $0.shapeNumber }
  }

  /// The reader of an attribute; nil for a relationship, for an attribute that rows do not have as it is read (a transient,
  /// transformable or composite one, a URL, and data that may be in a file), for a key with a custom accessor, and for all keys
  /// of a class that overrides `value(forKey:)`.
  package final func propertyReader(forKey key: String) -> PropertyReader? {
    guard key != "self", let slot = layout.slot(named: key), !slot.isTransient, layout.listed.accessors[key] == nil,
      !ManagedInstance.overridesValueForKey(type(of: self))
    else { return nil }
    let index = slot.index, kind = slot.kind
    switch kind {
    case .int16, .int32, .int64: return .integer { $0.managed.placedInteger(index) }
    case .bool: return .integer { $0.managed.placedBoolean(index) }
    case .double: return .real { $0.managed.placedReal(index) }
    case .float: return .real { $0.managed.placedFloat(index) }
    case .date: return .date { $0.managed.placedReal(index) }
    case .string: return .text { $0.managed.readPlacedText(index, $1) }
    case .decimal, .uuid: return .other { $0.managed.placedOperand(index, kind) }
    case .data: return slot.allowsExternalFile ? nil : .other { $0.managed.placedOperand(index, .data) }
    case .uri, .transformable, .anything, .toOne, .toMany, .composite: return nil
    }
  }

  private final func placedInteger(_ index: Int) -> PlacedNumber {
    placed(index, refused: .refused) {
      $0.isNull(index) ? .null : .integer($0.int(index))
    } ofChange: {
      switch $0 {
      case .int(let value): .integer(value)
      case .null: .null
      default: .refused
      }
    }
  }

  private final func placedBoolean(_ index: Int) -> PlacedNumber {
    let number = placedInteger(index)
    if case .integer(let value) = number { return .integer(value != 0 ? 1 : 0) }
    return number
  }

  private final func placedReal(_ index: Int) -> PlacedNumber {
    placed(index, refused: .refused) {
      $0.isNull(index) ? .null : .real($0.double(index))
    } ofChange: {
      switch $0 {
      case .double(let value): .real(value)
      case .null: .null
      default: .refused
      }
    }
  }

  private final func placedFloat(_ index: Int) -> PlacedNumber {
    let number = placedReal(index)
    if case .real(let value) = number { return .real(Double(Float(value))) }
    return number
  }

  /// Passes the bytes of a text; returns false if they cannot be read here.
  private final func readPlacedText(_ index: Int, _ body: (UnsafeRawBufferPointer?) -> Void) -> Bool {
    placed(index, refused: false) {
      if $0.isNull(index) { body(nil) } else { $0.withBytes(index, body) }
      return true
    } ofChange: {
      switch $0 {
      case .string(var text): text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
      case .null: body(nil)
      default: return false
      }
      return true
    }
  }

  private final func placedOperand(_ index: Int, _ kind: ValueKind) -> Operand? {
    placed(index, refused: nil) { row in
      if row.isNull(index) { return .null }
      return switch kind {
      case .decimal: .number(.decimal(row.decimal(index)))
      case .uuid: row.uuid(index).map(Operand.uuid) ?? .null
      default: .data(row.data(index))
      }
    } ofChange: {
      switch $0 {
      case .null: .null
      case .decimal(let value): .number(.decimal(value))
      case .uuid(let value): .uuid(value)
      case .data(let value): .data(value)
      default: nil
      }
    }
  }

  /// Reads a value where it is: in the row, or among the object's own values.
  @inline(__always)
  private final func placed<Value>(
    _ index: Int, refused: Value, _ ofRow: (Snapshot) -> Value, ofChange: (StoredValue) -> Value
  ) -> Value {
    // Key-value coding checks the queue, and names the key.
    if ConcurrencyCheck.isOn { return refused }
    if let changes = changesReference {
      if state.contains(.putAside) { return refused }
      let value = changes.read { $0[index] }
      if !value.isUnset { return ofChange(value) }
    }
    guard let row = rowReference else { return refused }
    return row.read(ofRow)
  }
}

extension NSObject {
  /// The object as a managed object, which the predicate that asks its reader has checked.
  @inline(__always)
  fileprivate final var managed: NSManagedObject { unsafeDowncast(self, to: NSManagedObject.self) }
}
