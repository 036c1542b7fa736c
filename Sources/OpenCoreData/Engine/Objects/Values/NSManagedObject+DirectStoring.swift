import Foundation

// The fast path of setters: where the object has changes already, and no observer has to be told of another change, the
// value is only stored.
extension NSManagedObject {
  /// Whether an attribute can be set by just keeping the value.
  @inline(__always)
  final var storesValuesDirectly: Bool {
    let told = state.intersection([.inEvent, .changedInEvent, .awakening, .saving, .observed])
    guard told == [.inEvent, .changedInEvent], !state.isDisjoint(with: [.inserted, .updated]) || state.isFilledIn else {
      return false
    }
    // An object that is a fault has to fire first, and values that primitive accessors have set have to become changes first.
    guard let changes = changesReference else { return false }
    return changes.read { $0.untracked.isEmpty && ($0.hasRow || state.contains(.hasNoRow)) }
  }

  /// Kind and place of a property, as `EntityLayout.address` gives it.
  @inline(__always)
  final func address(_ key: _PropertyKey) -> SlotAddress {
    layoutReference.read { $0.address(key) }
  }

  /// Keeps the value of an attribute, where `storesValuesDirectly` is true.
  @inline(__always)
  final func keep(_ value: __owned StoredValue, _ address: SlotAddress) {
    changesReference?.read { $0[Int(address.index)] = value }
  }

  /// Sets an attribute of floating type, or a date, if keeping the value is enough. Gives false, without having set it,
  /// if it is not.
  @inline(__always)
  final func storesFloatingDirectly(_ value: Double, _ key: _PropertyKey) -> Bool {
    let address = address(key)
    guard storesValuesDirectly else { return false }
    switch address.kind {
    case .double, .date: keep(.double(value), address)
    case .float: keep(.double(Double(Float(value))), address)
    default: return false
    }
    return true
  }

  /// Keeps the value of a date that is no element of a composite attribute, if that is all there is to do.
  @inline(__always)
  final func storesDateDirectly(_ value: Date, _ key: _PropertyKey) -> Bool {
    let address = address(key)
    guard address.kind == .date, storesValuesDirectly, !layout.slots[Int(address.ordinal)].isElement else {
      return false
    }
    keep(.double(value.timeIntervalSinceReferenceDate), address)
    return true
  }

  /// Keeps the value of an integer attribute that it fits, if that is all there is to do.
  @inline(__always)
  final func storesIntegerDirectly(_ value: Int64, _ key: _PropertyKey) -> Bool {
    let address = address(key)
    guard storesValuesDirectly else { return false }
    switch address.kind {
    case .int16 where Int16(exactly: value) == nil, .int32 where Int32(exactly: value) == nil: return false
    case .int16, .int32, .int64: keep(.int(value), address)
    case .bool: keep(.int(value != 0 ? 1 : 0), address)
    default: return false
    }
    return true
  }
}
