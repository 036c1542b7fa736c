import Foundation
import OpenCocoaFoundation

/// What `mutableSetValue(forKey:)` hands out: a live view of a to-many relationship.
///
/// Differs from Apple (D-REL-02): bridging it with `as? Set<T>` gives an empty set on Linux, as for every NSMutableSet
/// subclass there; use the typed property or `value(forKey:)` for a set to bridge.
final class MutableRelationshipSet: NSMutableSet {
  private let owner: NSManagedObject
  private let slot: PropertySlot

  init(owner: NSManagedObject, slot: PropertySlot) {
    self.owner = owner
    self.slot = slot
    super.init(capacity: 0)
  }

  required init(capacity numItems: Int) {
    raise(.invalidArgument, "A relationship's set is made by mutableSetValue(forKey:) alone.")
  }

  required convenience init?(coder: NSCoder) {
    raise(.invalidArgument, "A relationship's set cannot be archived.")
  }

  override init(objects: UnsafePointer<AnyObject>?, count: Int) {
    raise(.invalidArgument, "A relationship's set is made by mutableSetValue(forKey:) alone.")
  }

  override var count: Int { owner.members(slot).count }

  override func member(_ object: Any) -> Any? {
    guard let object = object as? NSManagedObject else { return nil }
    return owner.members(slot).contains { $0 === object } ? object : nil
  }

  override func objectEnumerator() -> NSEnumerator {
    NSArray(array: Array(owner.members(slot))).objectEnumerator()
  }

  override var allObjects: [Any] { Array(owner.members(slot)) }

  override func contains(_ object: Any) -> Bool { member(object) != nil }

  override func add(_ object: Any) {
    if let object = owner.member(object, slot) { owner.addMember(object, slot) }
  }

  override func remove(_ object: Any) {
    if let object = owner.member(object, slot) { owner.removeMember(object, slot) }
  }
}
