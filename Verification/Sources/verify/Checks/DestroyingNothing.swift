import CoreData

extension Check {
  static let destroyingNothing = Check(
    "D-STO-30", "destroying where nothing is throws no error",
    expected: "done"
  ) {
    let bench = try Bench()
    let nothing = bench.folder.appendingPathComponent("Nothing.sqlite")
    return outcome {
      try bench.coordinator.destroyPersistentStore(at: nothing, ofType: NSSQLiteStoreType, options: nil)
    }
  }
}
