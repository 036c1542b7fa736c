/// A row that a save has found changed or deleted by others.
package struct RowConflict: Error {
  package let key: Int64
  package let layout: EntityLayout

  package init(key: Int64, layout: EntityLayout) { (self.key, self.layout) = (key, layout) }
}

extension SaveWork {
  /// Returns the object whose row has the conflict.
  package func object(_ conflict: RowConflict) -> NSManagedObject? {
    for objects in [updated, deleted, locked] {
      if let found = objects.first(where: { $0.key == conflict.key && $0.layout === conflict.layout }) { return found }
    }
    return nil
  }
}
