import Foundation
import OpenCocoaFoundation

// The accessors of relationships with `@NSManaged`, which generated code calls.

extension NSManagedObject {
  /// The member of a to-one relationship.
  public final func _managedValue<Member: NSManagedObject>(_ key: _PropertyKey) -> Member? {
    member(key, Member.self)
  }

  private final func member<Member: NSManagedObject>(_ key: _PropertyKey, _ type: Member.Type) -> Member? {
    let slot = requiredSlot(key)
    guard slot.kind == .toOne else { return value(forKey: key.name) as? Member }
    guard let object = toOne(slot) else { return nil }
    if let member = object as? Member { return member }
    wrongMember(object, slot, Member.self)
  }

  /// Sets a to-one relationship, and the other end with it.
  public final func _setManagedValue<Member: NSManagedObject>(_ value: Member?, _ key: _PropertyKey) {
    setMember(value, key)
  }

  private final func setMember(_ value: NSManagedObject?, _ key: _PropertyKey) {
    let slot = requiredSlot(key)
    guard slot.kind == .toOne else { return setBoxed(value, slot) }
    if let value { checkMember(value, slot) }
    setToOne(member: value, slot)
  }

  /// The member of a to-one relationship that the class declares without optional; nil stops the program.
  public final func _managedValue<Member: NSManagedObject>(_ key: _PropertyKey) -> Member {
    guard let object = member(key, Member.self) else { missingValue(key, "\(Member.self)") }
    return object
  }

  /// Sets a to-one relationship that the class declares without optional.
  public final func _setManagedValue<Member: NSManagedObject>(_ value: Member, _ key: _PropertyKey) {
    setMember(value, key)
  }

  /// The members of a to-many relationship as a set, which is kept until the relationship changes.
  @inlinable
  public final func _managedValue<Member: NSManagedObject>(_ key: _PropertyKey) -> Set<Member> {
    if let box = _typedMembers(key) as? ManagedSetBox<Member> { return box.set }
    let members = _members(key)
    var set = Set<Member>(minimumCapacity: members.count)
    for member in members { set.insert(_member(member, key)) }
    _keepTypedMembers(ManagedSetBox(set), key)
    return set
  }

  /// The members of a to-many relationship as an optional set; never nil.
  @inlinable
  public final func _managedValue<Member: NSManagedObject>(_ key: _PropertyKey) -> Set<Member>? {
    let set: Set<Member> = _managedValue(key)
    return set
  }

  /// Replaces the members of a to-many relationship.
  @inlinable
  public final func _setManagedValue<Member: NSManagedObject>(_ value: Set<Member>, _ key: _PropertyKey) {
    var members: ContiguousArray<NSManagedObject> = []
    members.reserveCapacity(value.count)
    for object in value { members.append(object) }
    _replaceMembers(members, key)
  }

  /// Replaces the members of a to-many relationship; nil removes all.
  @inlinable
  public final func _setManagedValue<Member: NSManagedObject>(_ value: Set<Member>?, _ key: _PropertyKey) {
    _setManagedValue(value ?? [], key)
  }

  /// The members of a to-many relationship as an NSSet, which is kept until the relationship changes.
  public final func _managedValue(_ key: _PropertyKey) -> NSSet? { untypedMembers(firing(requiredSlot(key))) }

  /// A live set of the members of an unordered to-many relationship: adding to it relates, removing unrelates, on both ends.
  @_disfavoredOverload
  public final func _managedValue(_ key: _PropertyKey) -> NSMutableSet? {
    MutableRelationshipSet(owner: self, slot: firing(toManySlot(key)))
  }

  /// The same live set for a class that declares the property without optional.
  @_disfavoredOverload
  public final func _managedValue(_ key: _PropertyKey, _: Void = ()) -> NSMutableSet {
    MutableRelationshipSet(owner: self, slot: firing(toManySlot(key)))
  }

  /// Fires the fault, as reading any property does, and gives back the slot.
  final func firing(_ slot: PropertySlot) -> PropertySlot {
    if rowReference == nil, !state.contains(.hasNoRow) { fire(slot.key) }
    return slot
  }

  /// Replaces the members of a to-many relationship.
  public final func _setManagedValue(_ value: NSSet?, _ key: _PropertyKey) { setToMany(value, requiredSlot(key)) }

  /// Adds a member: `addTo<Relationship>(_:)`.
  public final func _managedAdd(_ value: NSManagedObject, _ key: _PropertyKey) { addMember(value, requiredSlot(key)) }

  /// Adds members: `addTo<Relationship>(_:)`.
  public final func _managedAdd(_ values: NSSet, _ key: _PropertyKey) {
    let slot = requiredSlot(key)
    for object in Self.collection(values, slot, entity: layout.name) { addMember(object, slot) }
  }

  /// Adds members: `addTo<Relationship>(_:)` of a Swift set or an array.
  public final func _managedAdd<Members: Sequence>(_ values: Members, _ key: _PropertyKey)
  where Members.Element: NSManagedObject {
    let slot = requiredSlot(key)
    // A lazy sequence may read the relationship that changes here, so its members are gathered first.
    for object in ContiguousArray(values) { addMember(object, slot) }
  }

  /// Removes a member: `removeFrom<Relationship>(_:)`.
  public final func _managedRemove(_ value: NSManagedObject, _ key: _PropertyKey) {
    removeMember(value, requiredSlot(key))
  }

  /// Removes members: `removeFrom<Relationship>(_:)`.
  public final func _managedRemove(_ values: NSSet, _ key: _PropertyKey) {
    let slot = requiredSlot(key)
    for object in Self.collection(values, slot, entity: layout.name) { removeMember(object, slot) }
  }

  /// Removes members: `removeFrom<Relationship>(_:)` of a Swift set or an array.
  public final func _managedRemove<Members: Sequence>(_ values: Members, _ key: _PropertyKey)
  where Members.Element: NSManagedObject {
    let slot = requiredSlot(key)
    // A lazy sequence may read the relationship that changes here, so its members are gathered first.
    for object in ContiguousArray(values) { removeMember(object, slot) }
  }

  // MARK: Functions that the inlined ones call

  @inlinable
  final func _member<Member: NSManagedObject>(_ object: NSManagedObject, _ key: _PropertyKey) -> Member {
    // Nearly all members are of exactly this class; a cast would count references.
    if ObjectIdentifier(type(of: object)) == ObjectIdentifier(Member.self) {
      return unsafeDowncast(object, to: Member.self)
    }
    guard let member = object as? Member else { wrongMember(object, key, Member.self) }
    return member
  }

  @usableFromInline
  final func _typedMembers(_ key: _PropertyKey) -> AnyObject? {
    let place = toManyPlace(key)
    if rowReference == nil, !self.state.contains(.hasNoRow) { fire(key) }
    guard let state = relations?.toMany(layout.slots[place].relationIndex) else { return nil }
    if state.untyped != nil { followLooseMembers(layout.slots[place], state) }
    return state.typed
  }

  /// The members. If they are known only by the stored keys, the array is not kept: the caller keeps the set made from it.
  @usableFromInline
  final func _members(_ key: _PropertyKey) -> ContiguousArray<NSManagedObject> {
    let slot = toManySlot(key)
    let state = toManyState(slot.relationIndex)
    if state.members == nil, !state.hasChanges, let keys = storedKeys(slot, state), !keys.keys.isEmpty,
      let context = table?.context, let destination = slot.destination
    {
      return context.objects.faults(keys, of: slot, self, layout: destination.layout, store: memberStore)
    }
    return members(slot)
  }

  @usableFromInline
  final func _keepTypedMembers(_ box: AnyObject, _ key: _PropertyKey) {
    toManyState(layout.slots[toManyPlace(key)].relationIndex).typed = box
  }

  /// The place of a to-many relationship's slot, which is not copied: that would count references.
  @inline(__always)
  private final func toManyPlace(_ key: _PropertyKey) -> Int {
    let place = Int(layout.address(key).ordinal)
    if place >= 0, layout.slots[place].kind == .toMany { return place }
    // `toManySlot` stops the program with a message that explains what is wrong with the key.
    _ = toManySlot(key)
    return place
  }

  @usableFromInline
  final func _replaceMembers(_ members: ContiguousArray<NSManagedObject>, _ key: _PropertyKey) {
    replaceMembers(members, toManySlot(key))
  }

  @usableFromInline
  final func wrongMember(_ object: NSManagedObject, _ key: _PropertyKey, _ wanted: Any.Type) -> Never {
    wrongMember(object, requiredSlot(key), wanted)
  }

  final func wrongMember(_ object: NSManagedObject, _ slot: PropertySlot, _ wanted: Any.Type) -> Never {
    raise(
      .invalidArgument,
      "The relationship \"\(slot.name)\" of entity \(layout.name) has a member of class \(type(of: object)) (entity "
        + "\(object.layout.name)); the class \(type(of: self)) declares \(wanted). Is the entity's class registered?")
  }

  final func toManySlot(_ key: _PropertyKey) -> PropertySlot {
    let slot = requiredSlot(key)
    guard slot.kind == .toMany else {
      raise(
        .invalidArgument,
        "The property \"\(slot.name)\" of entity \(layout.name) is no to-many relationship; the class "
          + "\(type(of: self)) declares it as a set.")
    }
    return slot
  }

  /// The members as a set, also where they have an order.
  final func untypedMembers(_ slot: PropertySlot) -> NSSet {
    let members = members(slot)
    let state = toManyState(slot.relationIndex)
    if let set = state.typed as? NSSet { return set }
    let set = NSSet(array: Array(members))
    state.typed = set
    return set
  }
}
