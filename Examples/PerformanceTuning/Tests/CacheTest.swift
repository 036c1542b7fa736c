import CoreData

/// Loads and reads everything twice: first with nothing in memory, then with everything in memory.
public struct CacheTest: PerfTest {
  public let name = "Cache"

  /// Makes the test.
  public init() {}

  public func runTest(with context: NSManagedObjectContext) -> String {
    report {
      // Apple's framework has no way to empty the row cache; this method is OpenCoreData's own.
      context.persistentStoreCoordinator?.emptyRowCache()
      let cold = try Stopwatch.time { try load(in: context) }
      let warm = try Stopwatch.time { try load(in: context) }
      try expect(cold.result.names == warm.result.names, "\(cold.result.names) cold, \(warm.result.names) warm")
      return withExtendedLifetime(cold.result.selfies) {
        "Cold \(Stopwatch.text(cold.seconds)), warm \(Stopwatch.text(warm.seconds)), "
          + "\(Stopwatch.times(cold.seconds, warm.seconds)) faster: \(warm.result.names)"
      }
    }
  }

  // The selfies are returned so that the caller can keep them in memory.
  private func load(in context: NSManagedObjectContext) throws -> (selfies: [Selfie], names: NamesRead) {
    let request: NSFetchRequest<Selfie> = Selfie.fetchRequest()
    let selfies = try context.fetch(request)
    var names = NamesRead()
    try names.readAll(selfies)
    return (selfies, names)
  }
}
