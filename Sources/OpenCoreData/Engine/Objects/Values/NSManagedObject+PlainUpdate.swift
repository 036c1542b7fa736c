// The row that an update writes, where only numbers, truth values and dates were set: a copy of the old row with other
// bits in a few words. A new text or binary value moves the values behind it, so such a row is put together anew.
extension NSManagedObject {
  /// The row after a save; nil if other values than numbers, truth values and dates were changed.
  /// - Parameter commit: the coordinator's commit of the save.
  @inline(__always)
  final func rowOfPlainUpdate(_ commit: UInt64) -> Snapshot? {
    guard let rowReference, let changesReference else { return nil }
    return rowReference.read { row in
      guard row.layout === layout, let version = UInt32(exactly: nextVersion), version < .max else { return nil }
      return changesReference.read { changes in
        for index in layout.otherIndexes where !changes.isUnset(at: index) { return nil }
        for index in layout.plainIndexes where !changes.isPlainNumber(at: index) { return nil }
        let copy = row.copy(version: version, commit: commit)
        for index in layout.plainIndexes { copy.take(changes, at: index) }
        return copy
      }
    }
  }
}
