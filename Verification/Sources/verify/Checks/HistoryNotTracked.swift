import CoreData

extension Check {
  static let historyNotTracked = Check(
    "D-HIS-01", "a store with a history that is opened without tracking stays writable",
    expected: "read-only false, done"
  ) {
    let bench = try Bench(options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
    let context = bench.context()
    context.make("Person")
    try context.save()
    try bench.coordinator.remove(bench.store)
    let store = try bench.coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: bench.url, options: nil)
    let other = bench.context()
    other.make("Person")
    return "read-only \(store.isReadOnly), \(outcome { try other.save() })"
  }
}
