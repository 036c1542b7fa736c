import CoreData

/// Reads everything one fault at a time, and turns each object into a fault again after its name was read.
public struct SingleFaultTest: PerfTest {
  public let name = "SingleFault"

  /// Makes the test.
  public init() {}

  public func runTest(with context: NSManagedObjectContext) -> String {
    report { "Fired one by one: \(try read(in: context))" }
  }

  /// Reads the names of all selfies, and of their networks and people.
  public func read(in context: NSManagedObjectContext) throws -> NamesRead {
    var names = NamesRead()
    let request: NSFetchRequest<Selfie> = Selfie.fetchRequest()
    for selfie in try context.fetch(request) {
      try names.read(selfie)
      for network in selfie.socialNetworks {
        names.read(network)
        context.refresh(network, mergeChanges: false)
      }
      for person in selfie.people {
        names.read(person)
        context.refresh(person, mergeChanges: false)
      }
    }
    return names
  }
}
