// To-many relationships: their members, and the order of these.
extension SavePlan {
  mutating func addRelationships(_ work: SaveWork) {
    for objects in [work.inserted, work.updated] { objects.forEachUncounted { addMembers(of: $1) } }
    for objects in [work.inserted, work.updated] { objects.forEachUncounted { addOrder(of: $1) } }
    // Only when all rows have their places a row can come behind them.
    for objects in [work.inserted, work.updated] { objects.forEachUncounted { addPlaces(of: $1) } }
  }

  private mutating func addMembers(of object: NSManagedObject) {
    guard let relations = object.relations else { return }
    for slot in object.layout.slots where slot.kind == .toMany && !slot.isTransient {
      guard let state = relations.states[slot.relationIndex] as? ToManyState, state.hasChanges else { continue }
      members.append(
        PlannedMembers(
          owner: object.key, layout: object.layout, slot: slot, removed: ContiguousArray(state.removed.lazy.map(\.key)),
          added: ContiguousArray(state.added.lazy.map(\.key))))
    }
  }

  private mutating func addOrder(of object: NSManagedObject) {
    guard !object.layout.orderedSlots.isEmpty, let relations = object.relations else { return }
    for slot in object.layout.orderedSlots {
      guard let state = relations.states[slot.relationIndex] as? ToManyState, let order = state.order,
        !state.added.isEmpty || order.isArranged
      else { continue }
      let change: PlannedOrder.Change
      if order.isArranged, let whole = state.whole {
        change = .arrange(ContiguousArray(whole.lazy.map(\.key)), runs: state.placedRuns(order, whole))
      } else {
        change = .append(ContiguousArray(state.appended.lazy.map(\.key)))
      }
      self.order.append(PlannedOrder(owner: object.key, layout: object.layout, slot: slot, change: change))
    }
  }

  /// A to-one relationship that was set through its primitive value leads to an owner that does not know of it: the object
  /// comes last there.
  private mutating func addPlaces(of object: NSManagedObject) {
    for slot in object.layout.placedSlots {
      guard case .object(let owner)? = object.changedValue(slot, untracked: true), let inverse = slot.inverse,
        let back = owner.layout.slot(inverse)
      else { continue }
      let state = owner.relations?.states[back.relationIndex] as? ToManyState
      if let state, state.added.contains(object) || state.order?.returned.contains(object) == true { continue }
      order.append(PlannedOrder(owner: owner.key, layout: owner.layout, slot: back, change: .append([object.key])))
    }
  }
}
