// Merges a to-many relationship's changes with the members that another context has saved.
extension ToManyState {
  /// Forgets that a member was added or removed; the stored members are to be read anew after that.
  func withdraw(_ object: NSManagedObject) {
    let wasAdded = added.remove(object) != nil
    guard removed.remove(object) != nil || wasAdded else { return }
    dropSets()
    if let order { order.drop(object, from: &members) } else { members = nil }
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
