import CoreData

/// Fetches with a slow and a quick condition, in this order and in the reverse order.
public struct PredicateTest: PerfTest {
  public let name = "Predicate"

  /// The number of times that each predicate is used in a fetch.
  public let repetitions: Int

  /// Makes the test.
  public init(repetitions: Int = 1000) { self.repetitions = repetitions }

  public func runTest(with context: NSManagedObjectContext) -> String {
    report {
      let predicate = NSPredicate(format: "(name LIKE \"*e*ie*\") OR (rating < 5)")
      let swapped = NSPredicate(format: "(rating < 5) OR (name LIKE \"*e*ie*\")")
      let patternFirst = try Stopwatch.time { try count(predicate, in: context) }
      let ratingFirst = try Stopwatch.time { try count(swapped, in: context) }
      // The store must find what the same predicate finds in memory.
      let all: [Selfie] = try context.fetch(Selfie.fetchRequest())
      let expected = all.count { predicate.evaluate(with: $0) }
      try expect(
        patternFirst.result == expected && ratingFirst.result == expected,
        "\(patternFirst.result) selfies in one order, \(ratingFirst.result) in the other, \(expected) in memory")
      return "\(expected) selfies of \(all.count), \(repetitions) times: "
        + "pattern first \(Stopwatch.text(patternFirst.seconds)), rating first \(Stopwatch.text(ratingFirst.seconds))"
    }
  }

  /// Fetches repeatedly, each time into an empty context.
  ///
  /// - Returns: The number of selfies that were found, which must be the same each time.
  public func count(_ predicate: NSPredicate, in context: NSManagedObjectContext) throws -> Int {
    let request: NSFetchRequest<Selfie> = Selfie.fetchRequest()
    request.predicate = predicate
    var found: Int?
    for _ in 0..<repetitions {
      context.reset()
      let count = try context.fetch(request).count
      try expect(found == nil || found == count, "\(found ?? 0) selfies, then \(count)")
      found = count
    }
    return found ?? 0
  }
}
