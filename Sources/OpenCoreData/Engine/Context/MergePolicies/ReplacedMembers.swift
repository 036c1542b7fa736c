import Foundation

/// The members that objects are to have when the conflicts about unique values are resolved, where a policy replaces members.
///
/// New objects hand their members over, each to the object that stays. The members are set at the end, when the conflicts of
/// the members themselves are resolved and what others have written is read.
final class ReplacedMembers {
  private typealias Members = [Int: (slot: PropertySlot, members: ContiguousArray<NSManagedObject>)]

  /// Whether a new object that has no members leaves an object without members.
  private let replacesByNone: Bool
  private var objects: [NSManagedObject] = []
  private var members: [ObjectIdentifier: Members] = [:]

  init(replacesByNone: Bool) { self.replacesByNone = replacesByNone }

  /// Notes that one object stays for a new one, or that a new one becomes the object of a row itself.
  func note(_ object: NSManagedObject, staysAs survivor: NSManagedObject) {
    var own: Members = [:]
    for slot in object.layout.slots where slot.kind == .toMany && !slot.isTransient {
      let members = ContiguousArray(object.members(slot))
      if replacesByNone || !members.isEmpty { own[slot.index] = (slot, members) }
    }
    // What others have handed over to the object before counts, as it is later than the object's own members.
    own.merge(members[ObjectIdentifier(object)] ?? [:]) { $1 }
    if members[ObjectIdentifier(survivor)] == nil { objects.append(survivor) }
    members[ObjectIdentifier(survivor), default: [:]].merge(own) { $1 }
  }

  /// Sets the members.
  /// - Parameter survivor: returns the object that has stayed for one that is gone.
  func set(_ survivor: (NSManagedObject) -> NSManagedObject?) {
    for object in objects where !object.isDeleted && !object.isDetached {
      for (slot, members) in members[ObjectIdentifier(object)]?.values.sorted(by: { $0.slot.index < $1.slot.index })
        ?? []
      {
        guard let place = object.layout.slot(named: slot.name), place.property === slot.property else { continue }
        var wanted: ContiguousArray<NSManagedObject> = [], known: Set<ObjectIdentifier> = []
        func append(_ member: NSManagedObject) {
          if !member.isDeleted, !member.isDetached, known.insert(ObjectIdentifier(member)).inserted {
            wanted.append(member)
          }
        }
        for member in members { append(survivor(member) ?? member) }
        // A member stays that cannot be without an owner.
        let inverse = (place.property as? NSRelationshipDescription)?.inverseRelationship
        if let inverse, !inverse.isToMany, !inverse.isOptional { object.members(place).forEach(append) }
        if place.isOrdered { object.setOrder(wanted, place) } else { object.replaceMembers(wanted, place) }
      }
    }
  }
}
