// What tests ask: whether each change was noted.
extension PendingObjects {
  /// An object whose record is not what the object is, though the changes were followed; nil if there is none.
  var firstStale: NSManagedObject? {
    for record in records {
      guard let object = record.object else { continue }
      let role = PendingRecord.role(of: object)
      if role != record.role { return object }
      if role == .updated, PendingRecord.touched(object).subtracting(record.touched) != SlotMask() {
        return object
      }
      if role == .inserted {
        for values in entities[record.entity].values.values
        where !values.has(object.valueHash(values.slot), at: record.place) {
          return object
        }
      }
    }
    return nil
  }
}
