import Foundation

// Large values and the row cache.
extension NSPersistentStore {
  /// A large value as the snapshot of a row that was just written is to have it: mapped from its file, and not a copy of
  /// what the application set. Nil for a value that is in the row.
  func externalBlob(_ object: NSManagedObject, _ slot: PropertySlot, _ value: StoredValue) -> SnapshotBlob? {
    guard slot.allowsExternalFile, case .data(let data) = value, data.count > Snapshot.inlineLimit,
      can(.externalStorage)
    else { return nil }
    if let new = newLargeValue(of: object, slot: slot.index) { return new }
    guard let row = object.snapshot, !row.isNull(slot.index), object.changedValue(slot, untracked: true) == nil else {
      return nil
    }
    return row.blob(slot.index)
  }
}
