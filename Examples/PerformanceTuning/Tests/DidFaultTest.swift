import CoreData

/// Watches one object turn from a fault into a full object and back.
public struct DidFaultTest: PerfTest {
  public let name = "DidFault"

  /// Makes the test.
  public init() {}

  public func runTest(with context: NSManagedObjectContext) -> String {
    report {
      let request: NSFetchRequest<Selfie> = Selfie.fetchRequest()
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      request.fetchLimit = 1
      guard let selfie = try context.fetch(request).first else { throw PerfTestFailure("no selfie found") }

      let fetched = selfie.isFault
      let name = selfie.name
      let read = selfie.isFault
      context.refresh(selfie, mergeChanges: false)
      let refreshed = selfie.isFault

      try expect(name != nil, "a selfie without a name")
      try expect(
        fetched && !read && refreshed,
        "fault as fetched \(fetched), after reading \(read), after refreshing \(refreshed)")
      try expect(
        selfie.lifeCycle == ["willTurnIntoFault", "didTurnIntoFault"], "life-cycle calls \(selfie.lifeCycle)")
      return "A fault as fetched, none after reading the name, one again after refreshing; "
        + "logged \(selfie.lifeCycle.joined(separator: ", "))"
    }
  }
}
