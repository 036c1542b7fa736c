import CoreData

/// Fetches every object of the three entities.
public struct FetchAllTest: PerfTest {
  public let name = "FetchAll"

  /// Makes the test.
  public init() {}

  public func runTest(with context: NSManagedObjectContext) -> String {
    report {
      let people = try context.fetch(Person.fetchRequest() as NSFetchRequest<Person>)
      let selfies = try context.fetch(Selfie.fetchRequest() as NSFetchRequest<Selfie>)
      let networks = try context.fetch(SocialNetwork.fetchRequest() as NSFetchRequest<SocialNetwork>)
      return "Fetched \(people.count) people, \(selfies.count) selfies, \(networks.count) social networks"
    }
  }
}
