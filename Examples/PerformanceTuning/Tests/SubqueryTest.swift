import CoreData

/// Finds the people on selfies of a certain kind: by hand, then by a subquery.
public struct SubqueryTest: PerfTest {
  public let name = "Subquery"

  /// Makes the test.
  public init() {}

  public func runTest(with context: NSManagedObjectContext) -> String {
    report {
      let manual = try Stopwatch.time { try Set(byHand(in: context).map(\.objectID)) }
      context.reset()
      let subquery = try Stopwatch.time { try Set(bySubquery(in: context).map(\.objectID)) }
      try expect(
        manual.result == subquery.result,
        "\(manual.result.count) people by hand, \(subquery.result.count) by subquery, not the same")
      return "\(manual.result.count) people: by hand \(Stopwatch.text(manual.seconds)), "
        + "by subquery \(Stopwatch.text(subquery.seconds)), "
        + "\(Stopwatch.times(manual.seconds, subquery.seconds)) faster"
    }
  }

  /// Fetches all people, and checks their selfies in memory.
  public func byHand(in context: NSManagedObjectContext) throws -> [Person] {
    let condition = NSPredicate(format: "(rating < 5) OR (name LIKE \"*e*ie*\")")
    let request: NSFetchRequest<Person> = Person.fetchRequest()
    return try context.fetch(request).filter { person in
      person.selfies.contains { condition.evaluate(with: $0) }
    }
  }

  /// Lets the store check the selfies, with a subquery.
  public func bySubquery(in context: NSManagedObjectContext) throws -> [Person] {
    let request: NSFetchRequest<Person> = Person.fetchRequest()
    request.predicate = NSPredicate(
      format: "SUBQUERY(selfies, $x, ($x.rating < 5) OR ($x.name LIKE \"*e*ie*\")).@count > 0")
    return try context.fetch(request)
  }
}
