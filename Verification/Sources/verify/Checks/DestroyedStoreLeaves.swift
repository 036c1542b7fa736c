import CoreData

extension Check {
  static let destroyedStoreLeaves = Check(
    "D-STO-24", "a destroyed store leaves the coordinator that is asked to destroy it",
    expected: "stores 0"
  ) {
    let bench = try Bench()
    try bench.coordinator.destroyPersistentStore(at: bench.url, ofType: NSSQLiteStoreType, options: nil)
    return "stores \(bench.coordinator.persistentStores.count)"
  }
}
