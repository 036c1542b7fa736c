// What tests ask: whether each change was noted.
extension PendingObjects {
  /// An object whose record is not what the object is, though the changes were followed; nil if there is none.
  var firstStale: NSManagedObject? {
    records.lazy.compactMap { record in record.object.flatMap { isStale(record, $0) ? $0 : nil } }.first
  }

  private func isStale(_ record: PendingRecord, _ object: NSManagedObject) -> Bool {
    let role = PendingRecord.role(of: object)
    if role != record.role { return true }
    switch role {
    case .updated: return PendingRecord.touched(object).subtracting(record.touched) != SlotMask()
    case .inserted:
      return entities[record.entity].values.values.contains { values in
        !values.has(object.valueHash(values.slot), at: record.place)
      }
    case .none, .deleted, .other: return false
    }
  }
}

extension NSManagedObjectContext {
  /// A changed object of which fetches know something else than what it is; nil if there is none.
  final var staleObject: NSManagedObject? {
    if changed.isEmpty || saving.isRunning { return nil }
    let pending = changed.madeByEntity()
    pending.follow(self)
    return pending.firstStale
  }
}
