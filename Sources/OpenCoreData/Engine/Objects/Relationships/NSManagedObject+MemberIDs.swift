import Foundation
import OpenCocoaFoundation

extension NSManagedObject {
  /// The IDs of a relationship's members, pending changes included, in their order if they have one. Members that are not
  /// in the context yet stay outside of it.
  ///
  /// A to-one relationship has one ID or none. A key that is no relationship's stops the program.
  public final func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
    checkQueue(key)
    // Members may have got their permanent keys in another context.
    if let context = table?.context { KeyExchange(of: context).absorb() }
    guard let slot = layout.slot(named: key), slot.kind.isRelationship else { undefinedKey(key) }
    return slot.kind == .toOne ? memberID(slot).map { [$0] } ?? [] : memberIDs(slot)
  }

  private final func memberID(_ slot: PropertySlot) -> NSManagedObjectID? {
    switch currentValue(slot) {
    case .object(let object): return object.objectID
    case .int(let key):
      // A number that cannot be a key, from a damaged file, leads to no object.
      guard key > 0 || key < 0 && snapshot?.commit == 0, let destination = slot.destination else { return nil }
      if !slot.inverseIsToMany, let member = registeredMember(key, slot), isHeldElsewhere(member, slot) { return nil }
      let number =
        slot.entityIndex >= 0
        ? snapshot.flatMap { $0.isNull(slot.entityIndex) ? nil : Int($0.int(slot.entityIndex)) } : nil
      return id(key, number, destination.layout)
    default: return nil
    }
  }

  private final func memberIDs(_ slot: PropertySlot) -> [NSManagedObjectID] {
    let state = toManyState(slot.relationIndex)
    // A changed order is an order of objects, not of keys.
    if state.members != nil || (slot.isOrdered && state.hasChanges) { return members(slot).map(\.objectID) }
    guard let destination = slot.destination, let keys = storedKeys(slot, state) else { return [] }
    let removed = Set(state.removed.lazy.map(\.key))
    var result: [NSManagedObjectID] = []
    for (place, key) in keys.keys.enumerated() where !removed.contains(key) {
      let number = keys.entities.isEmpty ? nil : Int(keys.entities[place])
      result.append(id(key, number, destination.layout))
    }
    for member in state.added where !keys.contains(member.key) { result.append(member.objectID) }
    return result
  }

  private final func id(_ key: Int64, _ number: Int?, _ asked: EntityLayout) -> NSManagedObjectID {
    let store = key > 0 ? memberStore : nil
    let layout = number.flatMap { table?.context?.objects.layout(number: $0, asked: asked, store: store) } ?? asked
    return NSManagedObjectID(entity: layout.entity, store: store, key: key)
  }
}
