import CoreData

/// Asks for both relationships in advance, then reads everything.
public struct PrefetchTest: PerfTest {
  public let name = "Prefetch"

  /// Makes the test.
  public init() {}

  public func runTest(with context: NSManagedObjectContext) -> String {
    report {
      var names = NamesRead()
      try names.readAll(try fetch(in: context))
      return "Prefetched: \(names)"
    }
  }

  /// Fetches the selfies, with their social networks and people prefetched.
  public func fetch(in context: NSManagedObjectContext) throws -> [Selfie] {
    let request: NSFetchRequest<Selfie> = Selfie.fetchRequest()
    request.relationshipKeyPathsForPrefetching = ["socialNetworks", "people"]
    return try context.fetch(request)
  }
}
