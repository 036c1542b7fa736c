import Foundation

/// An object's relationships as far as they have been walked or changed.
final class RelationStates {
  /// By the slot's relation index: the member of a to-one, a `ToManyState`, or a `TransformedValue`.
  @exclusivity(unchecked) var states: ContiguousArray<AnyObject?>
  /// The object's fault batch.
  @exclusivity(unchecked) var faultBatch: FaultBatch?
  /// The relationships whose primitive values are being changed.
  @exclusivity(unchecked) var brackets: [RelationshipBracket] = []

  init(count: Int) { states = ContiguousArray(repeating: nil, count: count) }

  deinit { ReleasePool.empty(&states) }

  // What there is at an index follows from the kind of its slot, so the three below need no cast.

  /// The state of the to-many relationship at an index, if it was made.
  @inline(__always)
  func toMany(_ index: Int) -> ToManyState? { states[index].map { unsafeDowncast($0, to: ToManyState.self) } }

  /// The member of the to-one relationship at an index, if it was made or set.
  @inline(__always)
  func member(_ index: Int) -> NSManagedObject? { states[index].map { unsafeDowncast($0, to: NSManagedObject.self) } }

  /// The value of the transformable attribute at an index, if it was decoded or set.
  @inline(__always)
  func transformed(_ index: Int) -> TransformedValue? {
    states[index].map { unsafeDowncast($0, to: TransformedValue.self) }
  }
}

/// One to-many relationship of one object: the stored members' keys, what was added and removed since, and the sets made
/// of them, which are kept until the relationship changes.
final class ToManyState: CustomStringConvertible {
  /// The members that the store has; nil as long as the relationship is a fault.
  @exclusivity(unchecked) var keys: KeyArray?
  @exclusivity(unchecked) var added: Set<NSManagedObject> = []
  @exclusivity(unchecked) var removed: Set<NSManagedObject> = []
  /// The current members; nil until they are asked for, and after a removal. In their order if they have one.
  @exclusivity(unchecked) var members: ContiguousArray<NSManagedObject>?
  /// A `ManagedSetBox` of the members, or an NSSet.
  @exclusivity(unchecked) var typed: AnyObject?
  /// An NSOrderedSet of the members if they are ordered, else the `LooseMembers` that were given away.
  @exclusivity(unchecked) var untyped: AnyObject?
  /// The stored members before they were forgotten, until the present ones have been compared with them.
  @exclusivity(unchecked) var former: KeyArray?
  /// Whether stored members were forgotten, and the present ones have not been matched with their other ends yet.
  @exclusivity(unchecked) var wasForgotten = false
  @exclusivity(unchecked) var isBeingMatched = false
  /// Nil where the members have no order.
  @exclusivity(unchecked) let order: MemberOrder?

  init(isOrdered: Bool) { order = isOrdered ? MemberOrder() : nil }

  var hasChanges: Bool { !added.isEmpty || !removed.isEmpty || order?.isArranged == true }

  /// Adds a member at the end. Gives false if it was a member already, as far as this is known without reading the store.
  func add(_ object: NSManagedObject) -> Bool {
    if removed.remove(object) != nil {
      // An object that was removed before the stored members were known need not be a stored member.
      if keys?.contains(object.key) != true { added.insert(object) }
      append(object, isReturning: true)
      return true
    }
    if let keys, object.mayBeStored, keys.contains(object.key) { return false }
    guard added.insert(object).inserted else { return false }
    append(object, isReturning: false)
    return true
  }

  @inline(__always)
  private func append(_ object: NSManagedObject, isReturning: Bool) {
    dropSets()
    if let order {
      order.append(object, to: &members, isReturning: isReturning)
    } else {
      members?.append(object)
    }
  }

  /// Removes a member; false if it was none.
  func remove(_ object: NSManagedObject) -> Bool {
    let wasAdded = added.remove(object) != nil
    // An object that was added before the stored members were known may be a stored member, too.
    let mayBeStored = object.mayBeStored && keys?.contains(object.key) != false
    guard mayBeStored ? removed.insert(object).inserted || wasAdded : wasAdded else { return false }
    dropSets()
    if let order { order.drop(object, from: &members) } else { members = nil }
    return true
  }

  /// Whether `object` is a member, once the stored ones are known.
  func contains(_ object: NSManagedObject) -> Bool {
    added.contains(object) || (keys?.contains(object.key) == true && !removed.contains(object))
  }

  func dropSets() {
    typed = nil
    if untyped != nil { dropUntyped() }
  }

  /// Called after a save: added members count as stored from now on, and removed ones as gone.
  /// - Parameter number: tells a member's Z_ENT, where members may be of several entities.
  func commit(at commit: UInt64, number: ((NSManagedObject) -> Int)?) {
    guard hasChanges else { return }
    if let order {
      commitOrder(order, commit, number)
    } else {
      let new = added.filter { ($0.key > 0 || !$0.isDetached) && !$0.state.contains(.deleted) }
      if let keys { self.keys = keys.merged(adding: new, removing: Set(removed.map(\.key)), commit, number) }
    }
    added = []
    removed = []
  }

  var description: String {
    guard let keys else { return "<relationship fault>" }
    return "(\(keys.keys.count - removed.count + added.count) objects)"
  }
}

/// Keeps a `Set` of one member type, so that it is made once.
@usableFromInline
final class ManagedSetBox<Member: NSManagedObject> {
  @usableFromInline let set: Set<Member>

  @usableFromInline init(_ set: Set<Member>) { self.set = set }
}
