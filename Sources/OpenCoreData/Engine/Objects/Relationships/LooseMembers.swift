import Foundation
import OpenCocoaFoundation

/// A plain mutable set of the members of an unordered relationship that was given to the application, which may change
/// it.
///
/// `value(forKey:)` and `primitiveValue(forKey:)` give an `NSMutableSet` that can be cast to `Set<T>` as well. Foundation
/// on Linux casts no subclass of NSMutableSet, and a plain set does not report its changes. So the set is compared with
/// its members when it was given away: its count whenever the relationship is read, its members when the context's event
/// ends.
final class LooseMembers {
  private(set) var given: NSMutableSet
  /// The members of the set when it was last brought up to date.
  private(set) var known: ContiguousArray<NSManagedObject>
  /// Whether the relationship has changed since the set was last brought up to date.
  var isOutdated = false
  /// Whether `value(forKey:)` gave the set: then a change of the set changes the relationship. Otherwise only
  /// `primitiveValue(forKey:)` did, and a change of the set changes the primitive value alone.
  var isValue = false
  /// Whether the context has the set in its list.
  var isListed = false
  /// Whether a change of the set is being carried over.
  fileprivate var isFollowed = false

  init(_ members: ContiguousArray<NSManagedObject>) {
    given = NSMutableSet(array: Array(members))
    known = members
  }

  var hasOtherCount: Bool { given.count != known.count }

  /// Whether the application still holds the set.
  var isHeld: Bool { !isKnownUniquelyReferenced(&given) }

  /// Gives the set the relationship's members.
  fileprivate func update(_ members: ContiguousArray<NSManagedObject>) {
    let wanted = Set(members)
    for object in given.allObjects where !((object as? NSManagedObject).map(wanted.contains) ?? false) {
      given.remove(object)
    }
    for object in members { given.add(object) }
    known = members
    isOutdated = false
  }

  /// Takes the changes that were made directly to the set: added and removed members. They count as known from now on.
  fileprivate func takeChanges() -> (added: [Any], removed: [NSManagedObject]) {
    // In most cases the application has not changed the set.
    if !hasOtherCount, known.allSatisfy(given.contains) { return ([], []) }
    let before = Set(known), now = given.allObjects
    let added = now.filter { !(($0 as? NSManagedObject).map(before.contains) ?? false) }
    let removed = known.filter { !given.contains($0) }
    known = ContiguousArray(now.lazy.compactMap { $0 as? NSManagedObject })
    return (added, Array(removed))
  }
}

extension ToManyState {
  /// The set that was given away, if the relationship has no order.
  @inline(__always)
  var loose: LooseMembers? {
    guard order == nil, let untyped else { return nil }
    return unsafeDowncast(untyped, to: LooseMembers.self)
  }

  /// Drops the set after a change of the relationship, if the application no longer holds it.
  func dropUntyped() {
    guard let loose, loose.isHeld || loose.hasOtherCount else { return untyped = nil }
    loose.isOutdated = true
  }
}

extension NSManagedObject {
  /// The members of an unordered relationship as a set that may be changed in place.
  /// - Parameter isValue: whether a change of the set changes the relationship, and not its primitive value alone.
  final func looseMembers(_ slot: PropertySlot, isValue: Bool) -> NSMutableSet {
    let members = members(slot)
    let state = toManyState(slot.relationIndex)
    let loose = state.loose ?? LooseMembers(members)
    state.untyped = loose
    if loose.isOutdated { loose.update(members) }
    if isValue { loose.isValue = true }
    if !loose.isListed, let context = table?.context { context.events.list(loose, of: self, slot) }
    return loose.given
  }

  /// Carries over changes of the set that was given away, if its count shows that there are any.
  final func followLooseMembers(_ slot: PropertySlot, _ state: ToManyState) {
    if let loose = state.loose, loose.hasOtherCount { follow(loose, slot) }
  }

  /// Called before the relationship is changed here: changes of the set that was given away are carried over first.
  @inline(__always)
  final func followBeforeChange(_ slot: PropertySlot) {
    if let loose = relations?.toMany(slot.relationIndex)?.loose, !loose.isOutdated { follow(loose, slot) }
  }

  /// Carries over changes of a set that was given away.
  final func follow(_ loose: LooseMembers, _ slot: PropertySlot) {
    if loose.isFollowed { return }
    loose.isFollowed = true
    defer { loose.isFollowed = false }
    let changes = loose.takeChanges()
    if changes.added.isEmpty, changes.removed.isEmpty { return }
    loose.isOutdated = true
    // A new object is saved in any case, and members that awakeFromInsert adds to its relationships are saved with it.
    let isTracked = (loose.isValue || state.contains(.inserted)) && !isBracketed(slot)
    changing(slot, isTracked: isTracked) {
      for object in changes.removed { removeMember(object, slot) }
      for object in changes.added { member(object, slot).map { addMember($0, slot) } }
    }
  }

  /// Changes the members of a relationship, or only its primitive value: then the other ends are left alone and the object
  /// does not count as changed.
  final func changing(_ slot: PropertySlot, isTracked: Bool, _ body: () -> Void) {
    if isTracked || state.contains(.awakening) { return body() }
    _ = realised
    state.insert(.awakening)
    body()
    state.remove(.awakening)
  }
}

/// The sets that were given away and may have been changed since.
struct ListedLooseMembers {
  struct Entry {
    let owner: NSManagedObject
    let slot: PropertySlot
    let loose: LooseMembers
  }

  var entries: [Entry] = []
  /// The number of sets above which those that the application no longer holds are released.
  var limit = 256
}
