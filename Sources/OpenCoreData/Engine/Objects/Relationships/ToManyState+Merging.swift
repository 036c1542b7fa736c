// What becomes of a to-many relationship's changes when a save merges them with what others have written.
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
