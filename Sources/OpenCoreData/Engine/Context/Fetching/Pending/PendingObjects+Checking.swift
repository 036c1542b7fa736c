// What tests ask: whether each change was noted.
extension PendingObjects {
  /// An object whose record is not what the object is, though the changes were followed; nil if there is none.
  private var firstStale: NSManagedObject? {
    records.lazy.compactMap { record in record.object.flatMap { self.isStale(record, $0) ? $0 : nil } }.first
  }

  /// A changed object of which fetches in a context know something else than what it is; nil if there is none.
  static func staleObject(in context: NSManagedObjectContext) -> NSManagedObject? {
    if context.changed.isEmpty || context.saving.isRunning { return nil }
    let pending = context.changed.madeByEntity()
    pending.follow(context)
    return pending.firstStale
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
