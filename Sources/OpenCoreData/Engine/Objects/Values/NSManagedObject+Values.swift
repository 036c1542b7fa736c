import Foundation
import OpenCocoaFoundation

// Reading and writing the values of attributes: typed accessors and key-value coding are built on this.
extension NSManagedObject {
  /// The row's snapshot, read now if the object is a fault; nil for an object without a row.
  @inline(__always)
  final var realised: Snapshot? {
    if rowReference == nil, !state.contains(.hasNoRow) { fire() }
    return snapshot
  }

  /// Turns a fault into a realised object.
  /// - Parameter key: the property that is wanted, if only one is.
  final func fire(_ key: _PropertyKey? = nil) {
    guard let context = table?.context else {
      raise(
        .objectInaccessible,
        "CoreData could not fulfill a fault for '\(objectID)': its context is gone.")
    }
    FaultReader(of: context).fulfill(self, key)
  }

  /// Logs a change that no save will write, because the object has left its context.
  private final func tellOfLostChange() {
    if table == nil { return }
    let address = String(hash << 4, radix: 16)
    FrameworkLog.write(
      "Mutating a managed object \(objectID) (0x\(address)) after it has been removed from its context.")
  }

  /// The slot of `key`; a key that the entity does not have stops the program as Apple's exception does.
  @inline(__always)
  final func requiredSlot(_ key: _PropertyKey) -> PropertySlot {
    checkQueue(key.name)
    if let slot = layout.slot(key) { return slot }
    if let slot = layout.slot(named: Self.unprimitive(key.name)) { return slot }
    undefinedKey(key.name)
  }

  final func undefinedKey(_ name: String) -> Never {
    let error = undefinedKeyError(name)
    raise(error.exception, error.reason)
  }

  /// The error for a key that neither the entity nor the class has.
  final func undefinedKeyError(_ name: String) -> OCDEvaluationError {
    OCDEvaluationError(
      "[<\(type(of: self)) 0x\(String(hash << 4, radix: 16))> valueForUndefinedKey:]: the entity \(layout.name) is not "
        + "key value coding-compliant for the key \"\(name)\".", exception: .undefinedKey)
  }

  /// `name` for `primitiveName`, as accessors of primitive values are declared.
  static func unprimitive(_ name: String) -> String {
    guard name.hasPrefix("primitive"), name.count > 9 else { return name }
    let rest = name.dropFirst(9)
    return rest.prefix(1).lowercased() + rest.dropFirst()
  }

  /// The current value of an attribute or to-one; fires the fault if need be.
  final func currentValue(_ slot: PropertySlot) -> StoredValue {
    if let changes {
      if state.contains(.putAside) { state.remove(.putAside) }
      let value = changes.values[slot.index]
      if !value.isUnset { return value }
    }
    if rowReference == nil, !state.contains(.hasNoRow) {
      // After a reset the row cannot be read any more, and a transient attribute does not need it.
      if slot.isTransient, table?.context == nil { return layout.defaults[slot.index] }
      fire(slot.key)
    }
    guard let row = snapshot else {
      // An object that no context has taken yet has its entity's defaults.
      return changes?.values[slot.index] ?? (isDetached ? layout.defaults[slot.index] : .null)
    }
    if slot.isTransient {
      let value = changes?.values[slot.index] ?? .unset
      return value.isUnset ? layout.defaults[slot.index] : value
    }
    // Firing may have called awakeFromFetch, which may have set the value.
    if let value = changes?.values[slot.index], !value.isUnset { return value }
    let value = StoredValue.read(slot, from: row)
    // If the context collects failures, the caller can end the work in which one occurred.
    if value.isNull, slot.allowsExternalFile, let failures = table?.context?.readState.failures,
      let error = readingError(slot)
    {
      failures.note(error)
    }
    return value
  }

  /// The value without firing the fault; null if it is not known without firing.
  final func committedOrChanged(_ slot: PropertySlot) -> StoredValue {
    if let value = changes?.values[slot.index], !value.isUnset { return value }
    guard let snapshot, !slot.isTransient else { return .null }
    return StoredValue.read(slot, from: snapshot)
  }

  /// The row's value, without the changes since.
  final func committedValue(_ slot: PropertySlot) -> StoredValue {
    guard let snapshot, !slot.isTransient else { return .null }
    return StoredValue.read(slot, from: snapshot)
  }

  /// The value of an attribute as `value(forKey:)` gives it.
  final func attributeValue(_ slot: PropertySlot) -> Any? {
    switch slot.kind {
    case .transformable: return transformedValue(slot)
    case .composite: return composite(slot) { attributeValue($0) }
    default: return currentValue(slot).boxed(for: slot)
    }
  }

  /// Sets an attribute's value.
  @inline(__always)
  final func setValue(_ value: StoredValue, _ slot: PropertySlot) {
    if state.contains(.observed) {
      telling(slot, .setting) { store(value, slot) }
    } else {
      store(value, slot)
    }
  }

  /// Keeps `value` as the object's own, and marks the object as changed.
  final func store(_ value: StoredValue, _ slot: PropertySlot) {
    willChange()
    if state.contains(.putAside) { state.remove(.putAside) }
    let changes = writableChanges()
    // Values that awakeFromFetch sets do not count as changes, like values that primitive accessors set.
    if state.contains(.awakening) {
      if changes.values[slot.index].isUnset { changes.untracked.insert(slot.index) }
      if state.contains(.recorded) { noteChangeOutsideOfEvent() }
    } else if !changes.untracked.isEmpty {
      changes.untracked.remove(slot.index)
    }
    changes.values[slot.index] = value
    if slot.isTransient, ignoresChanges(slot) { return }
    markChanged()
  }

  /// The object's own values, made at the first write.
  @inline(__always)
  final func writableChanges() -> ChangedValues {
    if let changes { return changes }
    let made: ChangedValues
    if !state.contains(.hasNoRow) {
      made = ChangedValues.make(repeating: .unset, layout.valueCount)
    } else if isDetached {
      made = ChangedValues.make(defaultsOf: layout)
    } else {
      made = ChangedValues.make(repeating: .null, layout.valueCount)
    }
    changes = made
    return made
  }

  /// Fires the fault before a change, so that the object, and the event, know the values from before the change.
  @inline(__always)
  final func willChange() {
    if rowReference == nil, !state.contains(.hasNoRow) { fire() }
    enterEvent()
  }

  /// Tells the context that the next save has to write this object.
  @inline(__always)
  final func markChanged() {
    let known = state.intersection([.changedInEvent, .inserted, .updated, .saving])
    if known == [.changedInEvent, .updated] || known == [.changedInEvent, .inserted] { return }
    markUpdated()
  }

  private final func markUpdated() {
    if state.contains(.awakening) { return }
    guard let context = table?.context else { return tellOfLostChange() }
    // The object has changed again after `willSave()`, which is therefore called once more.
    state.remove(.saving)
    state.insert(.changedInEvent)
    if state.contains(.inserted) { return }
    // The flag may be left over from changes that were taken back.
    if !state.contains(.updated) { state.remove(.insertedAgain) }
    state.insert(.updated)
    context.list(self)
  }
}
