import Foundation
import OpenCocoaFoundation

// The entry points behind `@NSManaged`: one overload for each type, so that no generic code and no boxing is in the way.
// Generated code calls them; `nil` read through a type that has no nil is 0, "", or the type's zero, as on Apple's systems.

extension NSManagedObject {
  /// The value of an attribute of a string type.
  public final func _managedValue(_ key: _PropertyKey) -> String? {
    checkQueue(key.name)
    let address = address(key)
    guard address.kind == .string else { return object(key, "String") as? String }
    if rowReference == nil, !state.contains(.hasNoRow) { fire(key) }
    guard changes == nil, let row = rowReference else { return text(key) }
    let index = Int(address.index)
    // The object holds the row, and nothing here can make it release the row.
    return row.read { $0.isNull(index) ? nil : $0.string(index) }
  }

  /// Sets an attribute of a string type.
  public final func _setManagedValue(_ value: __owned String?, _ key: _PropertyKey) {
    checkQueue(key.name)
    let address = address(key)
    if address.kind == .string, storesValuesDirectly { return keep(value.map(StoredValue.string) ?? .null, address) }
    let slot = requiredSlot(key)
    guard slot.kind == .string else { return setBoxed(value, slot) }
    setValue(value.map(StoredValue.string) ?? .null, slot)
  }

  /// The value of a string attribute that the class declares without optional.
  public final func _managedValue(_ key: _PropertyKey) -> String {
    let value: String? = _managedValue(key)
    return value ?? ""
  }

  /// Sets a string attribute that the class declares without optional.
  public final func _setManagedValue(_ value: __owned String, _ key: _PropertyKey) {
    _setManagedValue(Optional(value), key)
  }

  /// The value of an object that has changes or no row.
  private final func text(_ key: _PropertyKey) -> String? {
    let slot = requiredSlot(key)
    switch currentValue(slot) {
    case .string(let value): return value
    default: return nil
    }
  }

  /// The bits of an integer or Boolean attribute; 0 for nil.
  @inline(__always)
  final func integer(_ key: _PropertyKey, _ wanted: StaticString) -> Int64 {
    checkQueue(key.name)
    let address = address(key)
    guard address.kind.isInteger else { return (object(key, wanted) as? NSNumber)?.int64Value ?? 0 }
    let index = Int(address.index)
    if changes == nil, rowReference == nil, !state.contains(.hasNoRow) { fire(key) }
    if changes == nil, let row = rowReference {
      return row.read { $0.isNull(index) ? 0 : $0.int(index) }
    }
    if case .int(let value) = currentValue(requiredSlot(key)) { return value }
    return 0
  }

  final func setInteger(_ value: Int64, _ key: _PropertyKey) {
    checkQueue(key.name)
    if storesIntegerDirectly(value, key) { return }
    let slot = requiredSlot(key)
    let fits: Bool
    switch slot.kind {
    case .int16: fits = Int16(exactly: value) != nil
    case .int32: fits = Int32(exactly: value) != nil
    case .int64, .bool: fits = true
    default: return setBoxed(NSNumber(value: value), slot)
    }
    guard fits else { return setBoxed(value, slot) }
    setValue(.int(slot.kind == .bool && value != 0 ? 1 : value), slot)
  }

  /// The value of a floating attribute; 0 for nil.
  @inline(__always)
  final func floating(_ key: _PropertyKey, _ wanted: StaticString) -> Double {
    checkQueue(key.name)
    let address = address(key)
    guard address.kind == .double || address.kind == .float || address.kind == .date else {
      return (object(key, wanted) as? NSNumber)?.doubleValue ?? 0
    }
    let index = Int(address.index)
    if changes == nil, rowReference == nil, !state.contains(.hasNoRow) { fire(key) }
    if changes == nil, let row = rowReference {
      return row.read { $0.isNull(index) ? 0 : $0.double(index) }
    }
    if case .double(let value) = currentValue(requiredSlot(key)) { return value }
    return 0
  }

  /// The boxed value of an attribute, for types that have no accessor of their own; a relationship stops the program.
  final func object(_ key: _PropertyKey, _ wanted: StaticString) -> Any? {
    let slot = requiredSlot(key)
    if slot.kind.isRelationship {
      raise(
        .invalidArgument,
        "The property \"\(slot.name)\" of entity \(layout.name) is a relationship; the class \(type(of: self)) declares "
          + "it as \(wanted).")
    }
    return attributeValue(slot)
  }

  /// Sets an attribute from any value that fits it; for a wrong type the program stops and names entity, key, the
  /// expected type and the value.
  final func setBoxed(_ value: Any?, _ slot: PropertySlot) {
    switch slot.kind {
    case .toOne: setToOne(value, slot)
    case .toMany:
      Self.requireSet(value, slot, entity: layout.name)
      setToMany(value, slot)
    case .composite: setComposite(value, slot)
    default:
      if slot.isElement { return setElement(value, slot) }
      setValue(StoredValue.make(value, for: slot, entity: layout.name, isSet: true), slot)
    }
  }

  /// Stops the program: a class declares a property without optional, and the row has no value that can be converted to
  /// its type.
  @usableFromInline
  final func missingValue(_ key: _PropertyKey, _ wanted: String) -> Never {
    if let value = value(forKey: key.name) {
      raise(
        .internalInconsistency,
        "The property \"\(key.name)\" of \(objectID) has a value of class \(type(of: value)); the class "
          + "\(type(of: self)) declares it as \(wanted), which that cannot be converted to.")
    }
    raise(
      .internalInconsistency,
      "The property \"\(key.name)\" of \(objectID) has no value; the class \(type(of: self)) declares it as \(wanted).")
  }
}
