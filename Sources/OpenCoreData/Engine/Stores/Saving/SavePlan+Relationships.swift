// To-many relationships: their members, and the order of the members.
extension SavePlan {
  package static func members(_ work: SaveWork) -> ContiguousArray<PlannedMembers> {
    var members: ContiguousArray<PlannedMembers> = []
    work.inserted.forEachUncounted { addMembers(of: $1, &members) }
    work.updated.forEachUncounted { addMembers(of: $1, &members) }
    return members
  }

  package static func order(_ work: SaveWork) -> ContiguousArray<PlannedOrder> {
    var order: ContiguousArray<PlannedOrder> = []
    work.inserted.forEachUncounted { addOrder(of: $1, &order) }
    work.updated.forEachUncounted { addOrder(of: $1, &order) }
    // These come last: a row can be placed behind the others only after all of them have their places.
    work.inserted.forEachUncounted { addPlaces(of: $1, &order) }
    work.updated.forEachUncounted { addPlaces(of: $1, &order) }
    return order
  }

  private static func addMembers(of object: NSManagedObject, _ members: inout ContiguousArray<PlannedMembers>) {
    guard let relations = object.relations else { return }
    for place in object.layout.relationshipPlaces where object.layout.slots[place].kind == .toMany {
      let slot = object.layout.slots[place]
      guard let state = relations.states[slot.relationIndex] as? ToManyState, state.hasChanges else { continue }
      members.append(
        PlannedMembers(
          owner: object.key, layout: object.layout, slot: slot, removed: ContiguousArray(state.removed.lazy.map(\.key)),
          added: ContiguousArray(state.added.lazy.map(\.key))))
    }
  }

  private static func addOrder(of object: NSManagedObject, _ orders: inout ContiguousArray<PlannedOrder>) {
    guard !object.layout.orderedSlots.isEmpty, let relations = object.relations else { return }
    for slot in object.layout.orderedSlots {
      guard let state = relations.states[slot.relationIndex] as? ToManyState, let order = state.order,
        !state.added.isEmpty || order.isArranged, slot.relationship.keepsOrder
      else { continue }
      let change: PlannedOrder.Change
      if order.isArranged, let whole = state.whole {
        change = .arrange(ContiguousArray(whole.lazy.map(\.key)), runs: state.placedRuns(order, whole))
      } else {
        change = .append(ContiguousArray(state.appended.lazy.map(\.key)))
      }
      orders.append(PlannedOrder(owner: object.key, layout: object.layout, slot: slot, change: change))
    }
  }

  /// Plans the place of an object whose to-one relationship was set through its primitive value. The owner does not know of
  /// the object, so that the object comes last among the owner's members.
  private static func addPlaces(of object: NSManagedObject, _ orders: inout ContiguousArray<PlannedOrder>) {
    for slot in object.layout.placedSlots {
      guard case .object(let owner)? = object.changedValue(slot, untracked: true),
        let list = slot.relationship.orderedList, let back = owner.layout.slot(named: list.name)
      else { continue }
      let state = owner.relations?.states[back.relationIndex] as? ToManyState
      if let state, state.added.contains(object) || state.order?.returned.contains(object) == true { continue }
      orders.append(PlannedOrder(owner: owner.key, layout: owner.layout, slot: back, change: .append([object.key])))
    }
  }
}
