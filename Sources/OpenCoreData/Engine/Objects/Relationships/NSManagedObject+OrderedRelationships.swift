import Foundation
import OpenCocoaFoundation

// To-many relationships whose members have an order. Both ends are kept in step as for sets; a new member is added at the
// end, and then moved to its place.
extension NSManagedObject {
  /// The members of an ordered relationship, put together from the stored members and the changes since.
  final func orderedMembers(
    _ slot: PropertySlot, _ state: ToManyState, _ order: MemberOrder
  ) -> ContiguousArray<NSManagedObject> {
    if let whole = state.whole { return whole }
    let keys = storedKeys(slot, state) ?? KeyArray.empty
    let stored = storedMembers(slot)
    matchMembers(stored, slot, state)
    let members = order.arranged(stored, keys, removed: state.removed)
    state.members = members
    return members
  }

  /// The members as an ordered set, which is kept until the relationship changes; of an unordered relationship in any
  /// order.
  final func orderedMembers(_ slot: PropertySlot) -> NSOrderedSet {
    let members = members(slot)
    let state = toManyState(slot.relationIndex)
    if let set = state.untyped as? NSOrderedSet { return set }
    let set = NSOrderedSet(array: Array(members))
    if slot.isOrdered { state.untyped = set }
    return set
  }

  /// Reads the stored members before an object is added that may be one of them: such an object keeps its place.
  final func readBeforeAdding(_ object: NSManagedObject, _ slot: PropertySlot) {
    let state = toManyState(slot.relationIndex)
    if object.mayBeStored, state.keys == nil { _ = storedKeys(slot, state) }
  }

  /// A live view of the members.
  final func mutableMembers(_ slot: PropertySlot) -> NSMutableOrderedSet {
    guard let order = toManyState(slot.relationIndex).order else { return NSMutableOrderedSet() }
    let view = order.view ?? liveOrderedSet(of: RelationshipContents(owner: self, slot: slot))
    // Foundation answers some calls from the view's own storage, which `count` brings up to date.
    _ = view.count
    order.view = view
    return view
  }

  /// A live view of the members that changes the primitive value.
  final func primitiveMembers(_ slot: PropertySlot) -> NSMutableOrderedSet {
    let view = liveOrderedSet(of: RelationshipContents(owner: self, slot: slot, isTracked: false))
    _ = view.count
    return view
  }

  /// Whether the order differs from the stored one.
  final func isReordered(_ slot: PropertySlot) -> Bool {
    guard toManyState(slot.relationIndex).order?.isArranged == true else { return false }
    return !members(slot).elementsEqual(storedMembers(slot), by: ===)
  }

  // MARK: Changing

  /// Adds a member at a position; an object that is a member already stays where it is.
  final func insertMember(_ object: NSManagedObject, at index: Int, _ slot: PropertySlot) {
    checkMember(object, slot)
    let count = members(slot).count
    check(index, below: count + 1, slot)
    guard !toManyState(slot.relationIndex).contains(object) else { return }
    telling(slot, .indexed(.insertion, [index])) {
      addMember(object, slot)
      moveLast(to: index, slot)
    }
  }

  /// Replaces the member at a position; an object that is a member already stays where it is.
  final func replaceMember(at index: Int, with object: NSManagedObject, _ slot: PropertySlot) {
    checkMember(object, slot)
    let old = orderedMember(at: index, slot)
    guard !toManyState(slot.relationIndex).contains(object) else { return }
    telling(slot, .indexed(.replacement, [index])) {
      removeMember(old, slot)
      addMember(object, slot)
      moveLast(to: index, slot)
    }
  }

  private final func moveLast(to index: Int, _ slot: PropertySlot) {
    // Adding the member may have had other effects: a member that has been removed again cannot be moved.
    guard index < members(slot).count - 1 else { return }
    let state = toManyState(slot.relationIndex)
    guard let last = state.whole?.last else { return }
    state.arrange(placing: [(last, index)]) { members in
      members.insert(members.removeLast(), at: index)
    }
  }

  /// Adds members, each at its position once those before it are there.
  final func insertMembers(_ objects: [NSManagedObject], at indexes: IndexSet, _ slot: PropertySlot) {
    checkCount(objects.count, indexes, slot)
    telling(slot, .indexed(.insertion, indexes)) {
      for (object, index) in zip(objects, indexes) { insertMember(object, at: index, slot) }
    }
  }

  /// Puts other members in the places of some.
  final func replaceMembers(at indexes: IndexSet, with objects: [NSManagedObject], _ slot: PropertySlot) {
    checkCount(objects.count, indexes, slot)
    telling(slot, .indexed(.replacement, indexes)) {
      for (object, index) in zip(objects, indexes) { replaceMember(at: index, with: object, slot) }
    }
  }

  final func removeMembers(at indexes: IndexSet, _ slot: PropertySlot) {
    let objects = indexes.map { orderedMember(at: $0, slot) }
    if objects.isEmpty { return }
    telling(slot, .indexed(.removal, indexes)) {
      for object in objects { removeMember(object, slot) }
    }
  }

  /// Makes these objects the members, in this order; of an object that comes twice the first place counts.
  final func setOrder(_ wanted: ContiguousArray<NSManagedObject>, _ slot: PropertySlot) {
    telling(slot, .setting) {
      var known: Set<NSManagedObject> = []
      let wanted = ContiguousArray(wanted.lazy.filter { known.insert($0).inserted })
      replaceMembers(wanted, slot)
      if !members(slot).elementsEqual(wanted, by: ===) {
        toManyState(slot.relationIndex).arrange { $0 = wanted }
      }
    }
  }

  /// Changes the order of the members and nothing else.
  /// - Parameter placed: where members are put, if the others keep their order; else nil.
  final func reorder(
    _ slot: PropertySlot, _ change: ObservedChange, placing placed: [(object: NSManagedObject, index: Int)]? = nil,
    _ body: (inout ContiguousArray<NSManagedObject>) -> Void
  ) {
    telling(slot, change) {
      willChange()
      _ = members(slot)
      toManyState(slot.relationIndex).arrange(placing: placed, body)
      markChanged()
    }
  }

  /// Moves members, in their order, to where `index` is once they have been taken out.
  final func moveMembers(at indexes: IndexSet, to index: Int, _ slot: PropertySlot) {
    let moved = indexes.map { orderedMember(at: $0, slot) }
    reorder(slot, .setting, placing: moved.enumerated().map { ($1, index + $0) }) { members in
      for index in indexes.reversed() { members.remove(at: index) }
      members.insert(contentsOf: moved, at: index)
    }
  }

  /// Puts two members in each other's places.
  final func exchangeMembers(at first: Int, _ second: Int, _ slot: PropertySlot) {
    let placed = [(orderedMember(at: first, slot), second), (orderedMember(at: second, slot), first)]
    reorder(slot, .indexed(.replacement, [first, second]), placing: placed) { $0.swapAt(first, second) }
  }

  /// Called after the stored members were forgotten: reads them, and puts those that `arrangement` contains in its order;
  /// others come last.
  final func rearrange(_ arrangement: ContiguousArray<NSManagedObject>, _ slot: PropertySlot) {
    let current = members(slot)
    let known = Set(current), before = Set(arrangement)
    toManyState(slot.relationIndex).arrange { members in
      members = arrangement.filter(known.contains) + current.filter { !before.contains($0) }
    }
  }

  // MARK: Positions

  final func orderedMember(at index: Int, _ slot: PropertySlot) -> NSManagedObject {
    let members = members(slot)
    check(index, below: members.count, slot)
    return members[index]
  }

  final func check(_ index: Int, below count: Int, _ slot: PropertySlot) {
    guard index < 0 || index >= count else { return }
    raise(
      .range,
      "The position \(index) is beyond the members of the relationship \"\(slot.name)\" of entity \(layout.name).")
  }

  final func checkCount(_ count: Int, _ indexes: IndexSet, _ slot: PropertySlot) {
    guard count != indexes.count else { return }
    raise(
      .invalidArgument,
      "\(count) objects for \(indexes.count) positions in the relationship \"\(slot.name)\" of entity \(layout.name).")
  }
}
