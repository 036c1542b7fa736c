/// The values that an object held besides its row when an event first changed it.
final class ObjectImage {
  /// The values by slot; `.unset` where the row has the value. Nil where the row had all values.
  let values: ContiguousArray<StoredValue>?
  /// The slots that were set through primitive accessors alone.
  let untracked: Set<Int>
  /// The to-many relationships that differed from the store's.
  let toManys: [ToMany]

  /// The members that were added to and removed from a to-many relationship.
  struct ToMany {
    let relationIndex: Int
    let added: Set<NSManagedObject>
    let removed: Set<NSManagedObject>
    /// All members in their order, where the relationship is ordered and its members were known.
    let members: ContiguousArray<NSManagedObject>?
  }

  /// Nil for an object all of whose values are its row's.
  /// - Parameter knowsOrders: whether to read the stored members that are needed to know the order of members that were
  ///   added or removed.
  init?(of object: NSManagedObject, knowsOrders: Bool) {
    values = object.changes.map { ContiguousArray($0.values) }
    untracked = object.changes?.untracked ?? []
    var toManys: [ToMany] = []
    if let relations = object.relations {
      for slot in object.layout.slots where slot.kind == .toMany {
        guard let state = relations.states[slot.relationIndex] as? ToManyState, state.hasChanges else { continue }
        if knowsOrders, slot.isOrdered { _ = object.members(slot) }
        toManys.append(
          ToMany(
            relationIndex: slot.relationIndex, added: state.added, removed: state.removed,
            members: slot.isOrdered ? state.whole : nil))
      }
    }
    self.toManys = toManys
    if values == nil, toManys.isEmpty { return nil }
  }
  /// The changes of a to-many relationship.
  func toMany(_ slot: PropertySlot) -> ToMany? { toManys.first { $0.relationIndex == slot.relationIndex } }
}
