import CoreData

extension Check {
  static let migratingOntoFile = Check(
    "D-STO-30", "migrating a store to a file that exists is 516",
    expected: "error 516"
  ) {
    let bench = try Bench()
    let other = try Bench()
    return outcome {
      _ = try bench.coordinator.migratePersistentStore(
        bench.store, to: other.url, options: nil, withType: NSSQLiteStoreType)
    }
  }
}
