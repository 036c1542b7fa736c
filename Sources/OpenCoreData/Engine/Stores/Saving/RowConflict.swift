/// A row that a save has found changed or deleted by others.
struct RowConflict: Error {
  let key: Int64
  let layout: EntityLayout
}

extension SaveWork {
  /// The object that a conflict in the store is about.
  func object(_ conflict: RowConflict) -> NSManagedObject? {
    for objects in [updated, deleted, locked] {
      if let found = objects.first(where: { $0.key == conflict.key && $0.layout === conflict.layout }) { return found }
    }
    return nil
  }
}
