import CoreData

/// Fetches the related objects as full objects first, so that no fault fires for a single object.
public struct BatchFaultTest: PerfTest {
  public let name = "BatchFault"

  /// Makes the test.
  public init() {}

  public func runTest(with context: NSManagedObjectContext) -> String {
    report { "Fetched in batches: \(try read(in: context))" }
  }

  /// Fetches the people and networks of each selfie with `self IN`, and reads the names.
  public func read(in context: NSManagedObjectContext) throws -> NamesRead {
    var names = NamesRead()
    let request: NSFetchRequest<Selfie> = Selfie.fetchRequest()
    request.returnsObjectsAsFaults = false
    for selfie in try context.fetch(request) {
      try names.read(selfie)
      let networks: [SocialNetwork] = try fetch(selfie.socialNetworks as NSSet, "SocialNetwork", in: context)
      for network in networks { names.read(network) }
      let people: [Person] = try fetch(selfie.people as NSSet, "Person", in: context)
      for person in people { names.read(person) }
    }
    return names
  }

  private func fetch<Object: NSManagedObject>(
    _ members: NSSet, _ entityName: String, in context: NSManagedObjectContext
  ) throws -> [Object] {
    let request = NSFetchRequest<Object>(entityName: entityName)
    request.predicate = NSPredicate(format: "SELF IN %@", members)
    request.returnsObjectsAsFaults = false
    return try context.fetch(request)
  }
}
