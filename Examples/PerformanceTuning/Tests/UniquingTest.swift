import CoreData

/// Shows that a context has one object for each row: all selfies have identical people, and not only equal ones.
public struct UniquingTest: PerfTest {
  public let name = "Uniquing"

  /// Makes the test.
  public init() {}

  public func runTest(with context: NSManagedObjectContext) -> String {
    report {
      let request: NSFetchRequest<Selfie> = Selfie.fetchRequest()
      let selfies = try context.fetch(request)
      guard let first = selfies.first else { throw PerfTestFailure("no selfie found") }
      let reference = sortedPeople(of: first)
      for selfie in selfies.dropFirst() {
        let people = sortedPeople(of: selfie)
        try expect(people.count == reference.count, "\(people.count) people beside \(reference.count)")
        try expect(zip(people, reference).allSatisfy { $0 === $1 }, "one person, two instances")
      }
      return "The same \(reference.count) instances on each of \(selfies.count) selfies"
    }
  }

  private func sortedPeople(of selfie: Selfie) -> [Person] {
    selfie.people.sorted { ($0.name ?? "") < ($1.name ?? "") }
  }
}
