import Foundation
import OpenCocoaFoundation

// Key-value coding over the properties of the entity.
//
// Computed properties and custom accessors of the class are found as far as a plugin of this package lists them.
//
// Differs from Apple (D-KVC-04): where the rewriter has no part in it, there is no `@objc`; then a key that the entity has means the
// value that the entity models, whatever the class declares under the name.
extension NSManagedObject {
  final func modelledValue(forKey key: String) -> Any? {
    if key != "objectID" { checkQueue(key) }
    guard let slot = layout.slot(named: key) else {
      if let property = layout.listed.computed[key] { return property.value(of: self) }
      if let slot = layout.slot(named: Self.unprimitive(key)) { return slotValue(slot) }
      return intrinsicValue(key)
    }
    if !layout.listed.accessors.isEmpty, let value = accessorValue(key) { return value }
    return slotValue(slot)
  }

  /// The value that the entity models.
  final func slotValue(_ slot: PropertySlot) -> Any? {
    switch slot.kind {
    case .toMany: return slot.isOrdered ? orderedMembers(firing(slot)) : looseMembers(firing(slot), isValue: true)
    case .toOne: return toOne(slot)
    default: return attributeValue(slot)
    }
  }

  private final func intrinsicValue(_ key: String) -> Any? {
    switch key {
    case "objectID": return objectID
    case "entity": return entity
    case "self": return self
    case "managedObjectContext": return managedObjectContext
    case "faultingState": return NSNumber(value: faultingState)
    case "isFault", "fault": return NSNumber(value: isFault)
    case "hasChanges": return NSNumber(value: hasChanges)
    case "hasPersistentChangedValues": return NSNumber(value: hasPersistentChangedValues)
    case "isInserted", "inserted": return NSNumber(value: isInserted)
    case "isUpdated", "updated": return NSNumber(value: isUpdated)
    case "isDeleted", "deleted": return NSNumber(value: isDeleted)
    default:
      if let fetched = fetchedValue(forKey: key) { return fetched }
      if let getter = layout.listed.getters[key] {
        return EvaluatorQuestion.answering(self, otherwise: nil) { try getter.call(on: self, []) }
      }
      return value(forUndefinedKey: key)
    }
  }

  final func setModelledValue(_ value: Any?, forKey key: String) {
    checkQueue(key)
    guard let slot = layout.slot(named: key) else {
      if setComputed(value, key) { return }
      return setValue(value, forUndefinedKey: key)
    }
    if !layout.listed.accessors.isEmpty, setByAccessor(value, key) { return }
    setBoxed(value, slot)
  }

  final func modelledPrimitiveValue(forKey key: String) -> Any? {
    checkQueue(key)
    guard let slot = layout.slot(named: key) else {
      // A computed property has no primitive value.
      if layout.listed.computed[key] != nil { undefinedKey(key) }
      return modelledValue(forKey: key)
    }
    guard slot.kind == .toMany else { return slotValue(slot) }
    return slot.isOrdered ? primitiveMembers(firing(slot)) : looseMembers(firing(slot), isValue: false)
  }

  final func setModelledPrimitiveValue(_ value: Any?, forKey key: String) {
    checkQueue(key)
    guard let slot = layout.slot(named: key) else { undefinedKey(key) }
    willChange()
    switch slot.kind {
    case .composite:
      for (element, value) in elementValues(value, slot) { setModelledPrimitiveValue(value, forKey: element.name) }
    case .toMany: changing(slot, isTracked: false) { setToMany(value, slot) }
    case .toOne:
      // An object that a batch insert fills in belongs to no context, and its members are not inserted into one.
      let object = state.isFilledIn ? StoredValue.unwrapped(value) as? NSManagedObject : member(value, slot)
      writableChanges().values[slot.index] = object.map(StoredValue.object) ?? .null
      relationStates.states[slot.relationIndex] = object
    default:
      let changes = writableChanges()
      if changes.values[slot.index].isUnset { changes.untracked.insert(slot.index) }
      changes.values[slot.index] = StoredValue.make(value, for: slot, entity: layout.name, isSet: true)
    }
  }

  /// The value of a property, as `value(forKey:)` gives and `setValue(_:forKey:)` takes it.
  public final subscript(key: String) -> Any? {
    get { value(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// A set that stands for a to-many relationship: adding to it relates, removing unrelates, on both ends. It stays
  /// live: changes of the relationship that are made elsewhere show in it.
  ///
  /// For names at run time; generated classes have `addTo<Key>` and `removeFrom<Key>`, which do the same. Adding to a
  /// relationship that was not read does not read its members; asking for `count` or a member does.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// let tag = Tag(context: context)
  /// tag.name = "rain"
  /// entry.mutableSetValue(forKey: "tags").add(tag)
  /// print(entry.tags?.count ?? 0, tag.entries?.count ?? 0)  // 2 1
  /// ```
  ///
  /// Differs from Apple (D-REL-02): a cast of it to `Set<Tag>` gives an empty set, as Foundation bridges every subclass
  /// here; take the typed property or `value(forKey:)` for a Swift set.
  ///
  /// An ordered relationship, and a key that is no to-many relationship's, stop the program.
  ///
  /// See also ``mutableOrderedSetValue(forKey:)``.
  public final func mutableSetValue(forKey key: String) -> NSMutableSet {
    checkQueue(key)
    guard let slot = layout.slot(named: key) else { undefinedKey(key) }
    if slot.isOrdered { notSupported("mutableSetValueForKey:", slot) }
    return MutableRelationshipSet(owner: self, slot: toManySlot(slot.key))
  }

  /// An ordered set that stands for an ordered to-many relationship: adding to it relates, removing unrelates, on both
  /// ends, and the order is saved.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// let pages = entry.mutableOrderedSetValue(forKey: "pages")
  /// pages.moveObjects(at: [1], to: 0)
  /// print(pages.compactMap { ($0 as? Page)?.text })  // ["Evening", "Morning"]
  /// try context.save()
  /// ```
  ///
  /// A change of order counts up the owner's version, and none of the members' (D-REL-12). Iterating a view that was
  /// kept shows the members as of its last `count`, `array` or change (D-KVC-07). An unordered relationship stops the
  /// program.
  ///
  /// See also ``mutableSetValue(forKey:)``.
  public final func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    checkQueue(key)
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
}
