import CoreData

extension Check {
  static let migratedStoreUUID = Check(
    "D-STO-30", "a SQLite store migrated to SQLite keeps its UUID",
    expected: "same true"
  ) {
    let bench = try Bench()
    let uuid = bench.store.identifier
    let copy = try bench.coordinator.migratePersistentStore(
      bench.store, to: bench.folder.appendingPathComponent("Copy.sqlite"), options: nil, withType: NSSQLiteStoreType)
    return "same \(copy.identifier == uuid)"
  }
}
