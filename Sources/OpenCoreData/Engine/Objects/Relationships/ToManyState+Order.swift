import Foundation

// The part of a to-many relationship's state that concerns the order of its members.
extension ToManyState {
  /// All members in their order, if that is known without reading the store.
  var whole: ContiguousArray<NSManagedObject>? {
    if let members { return members }
    members = order?.takeWhole()
    return members
  }

  /// Members that come after the stored ones; for a state that is not arranged, or not known as a whole.
  var appended: ContiguousArray<NSManagedObject> {
    guard let whole else {
      order?.compact()
      return order?.list ?? []
    }
    return ContiguousArray(whole.reversed().prefix(while: added.contains).reversed())
  }

  /// Changes the order of the members, which are known.
  func arrange(_ change: (inout ContiguousArray<NSManagedObject>) -> Void) {
    guard let order, var members = whole else { return }
    // Given away meanwhile, so that changing the array does not copy it.
    self.members = nil
    change(&members)
    self.members = members
    dropSets()
    order.isArranged = true
    order.generation += 1
  }

  func commitOrder(_ order: MemberOrder, _ commit: UInt64, _ number: ((NSManagedObject) -> Int)?) {
    if let keys {
      func isStored(_ object: NSManagedObject) -> Bool {
        (object.key > 0 || !object.isDetached) && (!object.state.contains(.deleted) || keys.contains(object.key))
      }
      let objects: ContiguousArray<NSManagedObject>
      if let whole {
        objects = whole.filter(isStored)
        self.keys = KeyArray(
          ContiguousArray(objects.map(\.key)), isOrdered: true,
          entities: number.map { number in ContiguousArray(objects.map { Int32(truncatingIfNeeded: number($0)) }) }
            ?? [],
          commit: commit)
      } else {
        let new = appended.filter(isStored)
        let gone = Set(removed.lazy.map(\.key)).union(order.returned.lazy.map(\.key))
        let places = keys.keys.indices.filter { !gone.contains(keys.keys[$0]) }
        var merged = ContiguousArray(places.map { keys.keys[$0] })
        merged.append(contentsOf: new.lazy.map(\.key))
        var entities: ContiguousArray<Int32> = []
        if let number {
          entities = ContiguousArray(places.map { keys.entities[$0] })
          entities.append(contentsOf: new.lazy.map { Int32(truncatingIfNeeded: number($0)) })
        }
        self.keys = KeyArray(merged, isOrdered: true, entities: entities, commit: commit)
      }
    }
    order.reset()
  }

  /// Forgets the stored members, and keeps what was added, removed and arranged.
  /// - Returns: the members in the order that was made here; nil if only the store's counts.
  func forgetStored() -> ContiguousArray<NSManagedObject>? {
    let arrangement = order?.isArranged == true ? whole : nil
    if let order {
      let appended = whole?.filter(added.contains) ?? appended
      order.reset(keeping: appended)
      order.isArranged = arrangement != nil || !order.returned.isEmpty
      order.generation += 1
    }
    keys = nil
    members = nil
    dropSets()
    return arrangement
  }
}
