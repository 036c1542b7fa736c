import Foundation
import OpenCocoaFoundation

// Key-value coding over the properties of the entity.
//
// Differs from Apple: without the Objective-C run time a custom accessor of the class is not found by its name; the value
// that the entity models is what these read and write.
extension NSManagedObject {
  final func modelledValue(forKey key: String) -> Any? {
    guard let slot = layout.slot(named: key) ?? layout.slot(named: Self.unprimitive(key)) else {
      return intrinsicValue(key)
    }
    switch slot.kind {
    case .toMany: return slot.isOrdered ? orderedMembers(slot) : untypedMembers(slot)
    case .toOne: return toOne(slot)
    default: return attributeValue(slot)
    }
  }

  private final func intrinsicValue(_ key: String) -> Any? {
    switch key {
    case "objectID": return objectID
    case "entity": return entity
    case "self": return self
    case "isFault": return NSNumber(value: isFault)
    case "hasChanges": return NSNumber(value: hasChanges)
    case "isInserted": return NSNumber(value: isInserted)
    case "isUpdated": return NSNumber(value: isUpdated)
    case "isDeleted": return NSNumber(value: isDeleted)
    default: return value(forUndefinedKey: key)
    }
  }

  final func setModelledValue(_ value: Any?, forKey key: String) {
    guard let slot = layout.slot(named: key) else { return setValue(value, forUndefinedKey: key) }
    setBoxed(value, slot)
  }

  final func setModelledPrimitiveValue(_ value: Any?, forKey key: String) {
    guard let slot = layout.slot(named: key) else { undefinedKey(key) }
    willChange()
    switch slot.kind {
    case .composite:
      for (element, value) in elementValues(value, slot) { setModelledPrimitiveValue(value, forKey: element.name) }
    case .toMany:
      let wasAwakening = state.contains(.awakening)
      state.insert(.awakening)
      setToMany(value, slot)
      if !wasAwakening { state.remove(.awakening) }
    case .toOne:
      let object = StoredValue.unwrapped(value) as? NSManagedObject
      writableChanges().values[slot.index] = object.map(StoredValue.object) ?? .null
      relationStates.states[slot.relationIndex] = object
    default:
      let changes = writableChanges()
      if changes.values[slot.index].isUnset { changes.untracked.insert(slot.index) }
      changes.values[slot.index] = StoredValue.make(value, for: slot, entity: layout.name)
    }
  }

  /// The value of a property, as `value(forKey:)` gives and `setValue(_:forKey:)` takes it.
  public final subscript(key: String) -> Any? {
    get { value(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// A set that stands for a to-many relationship: adding to it relates, removing unrelates, on both ends. An ordered
  /// relationship stops the program.
  public final func mutableSetValue(forKey key: String) -> NSMutableSet {
    guard let slot = layout.slot(named: key) else { undefinedKey(key) }
    if slot.isOrdered { notSupported("mutableSetValueForKey:", slot) }
    return MutableRelationshipSet(owner: self, slot: toManySlot(slot.key))
  }

  /// An ordered set that stands for an ordered to-many relationship: adding to it relates, removing unrelates, on both
  /// ends. An unordered relationship stops the program.
  public final func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    guard let slot = layout.slot(named: key) else { undefinedKey(key) }
    guard slot.kind.isRelationship else { return liveOrderedSet(of: self, key) }
    if !slot.isOrdered { notSupported("mutableOrderedSetValueForKey:", slot) }
    return mutableMembers(slot)
  }

  private final func notSupported(_ method: String, _ slot: PropertySlot) -> Never {
    raise(
      .invalidArgument,
      "NSManagedObjects of entity '\(layout.name)' do not support -\(method) for the property '\(slot.name)'")
  }

  // MARK: What has changed

  /// The persistent properties that differ from the last fetched or saved ones, with their new values.
  public final func changedValues() -> [String: Any] {
    var result: [String: Any] = [:]
    for slot in layout.slots where !slot.isTransient && !slot.isElement {
      if slot.kind == .toMany {
        if let state = relations?.states[slot.relationIndex] as? ToManyState, state.hasChanges {
          if !slot.isOrdered {
            result[slot.name] = untypedMembers(slot)
          } else if !state.added.isEmpty || !state.removed.isEmpty || isReordered(slot) {
            result[slot.name] = orderedMembers(slot)
          }
        }
      } else if slot.kind == .composite {
        if leaves(of: slot).contains(where: { changedValue($0) != nil }) {
          result[slot.name] = attributeValue(slot) ?? NSNull()
        }
      } else if let value = changedValue(slot) {
        result[slot.name] = slot.kind == .toOne ? toOne(slot) ?? NSNull() : value.boxed(for: slot) ?? NSNull()
      }
    }
    return result
  }

  /// The value of a slot if it was set and differs from the row's.
  ///
  /// - Parameter untracked: whether values count that were set through primitive accessors alone: a save writes them if
  ///   the object is saved for another reason, but by themselves they are no change.
  final func changedValue(_ slot: PropertySlot, untracked: Bool = false) -> StoredValue? {
    guard let changes, !changes.values[slot.index].isUnset, untracked || !changes.untracked.contains(slot.index) else {
      return nil
    }
    let value = changes.values[slot.index]
    if snapshot == nil { return value.isNull ? nil : value }
    let committed = committedValue(slot)
    if case .transformed(let new) = value { return isUnchanged(new, committed, slot) ? nil : value }
    if case .object(let object) = value, case .int(let key) = committed { return object.key == key ? nil : value }
    return value.isSame(as: committed) ? nil : value
  }

  /// The values as they were last fetched or saved; nil as NSNull. Fires the fault.
  /// - Parameter keys: the properties wanted; nil for all but the to-many relationships that have not been read.
  public final func committedValues(forKeys keys: [String]?) -> [String: Any] {
    guard let row = realised else { return [:] }
    var result: [String: Any] = [:]
    for slot in layout.slots where !slot.isTransient && !slot.isElement {
      if let keys, !keys.contains(slot.name) { continue }
      switch slot.kind {
      case .toMany:
        let isRead = (relations?.states[slot.relationIndex] as? ToManyState)?.keys != nil
        guard keys != nil || isRead else { continue }
        let members = Array(storedMembers(slot))
        result[slot.name] = slot.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
      case .toOne: result[slot.name] = storedMember(slot, row) ?? NSNull()
      case .composite:
        result[slot.name] = composite(slot) { boxed(StoredValue.read($0, from: row), $0) } ?? NSNull()
      default: result[slot.name] = boxed(StoredValue.read(slot, from: row), slot) ?? NSNull()
      }
    }
    return result
  }

  /// Whether some persistent property differs from its last saved value.
  public final var hasPersistentChangedValues: Bool { !changedValues().isEmpty }

  /// Whether a relationship has not been read yet; fires no fault.
  public final func hasFault(forRelationshipNamed key: String) -> Bool {
    guard let slot = layout.slot(named: key), slot.kind.isRelationship else { undefinedKey(key) }
    if slot.kind == .toOne { return isFault || (toOne(slot)?.isFault ?? false) }
    guard let state = relations?.states[slot.relationIndex] as? ToManyState else { return !state.contains(.hasNoRow) }
    return state.keys == nil && state.members == nil
  }
}
