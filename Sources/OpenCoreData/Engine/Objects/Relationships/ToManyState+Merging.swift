// Merges a to-many relationship's changes with the members that another context has saved.
extension ToManyState {
  /// Forgets that a member was added or removed; the stored members are to be read anew after that.
  func withdraw(_ object: NSManagedObject) {
    let wasAdded = added.remove(object) != nil, wasRemoved = removed.remove(object) != nil
    guard wasRemoved || wasAdded else { return }
    dropSets()
    guard let order else { return members = nil }
    if wasRemoved, keys != nil { return putBack(object, order) }
    order.drop(object, from: &members)
  }

  /// A member that is one again has the place that it is stored at, or comes last where an order was made here.
  private func putBack(_ object: NSManagedObject, _ order: MemberOrder) {
    if order.isArranged { return order.append(object, to: &members, isReturning: false) }
    order.reset(keeping: whole?.filter(added.contains) ?? appended)
    order.generation += 1
    members = nil
  }

  /// Forgets everything that was changed here.
  func dropChanges() {
    added = []
    removed = []
    members = nil
    order?.reset()
    dropSets()
  }
}
