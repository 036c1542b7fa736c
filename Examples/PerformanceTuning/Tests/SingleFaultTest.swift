import CoreData

/// Reads everything one fault at a time, putting each object back in a fault once its name was read.
public struct SingleFaultTest: PerfTest {
  public let name = "SingleFault"

  /// Makes the test.
  public init() {}

  public func runTest(with context: NSManagedObjectContext) -> String {
    report { "Fired one by one: \(try read(in: context))" }
  }

  /// The walk itself.
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
