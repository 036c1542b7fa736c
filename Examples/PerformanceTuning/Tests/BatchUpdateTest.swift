import CoreData

/// Changes the rating of every person: first one by one with a save at the end, then all in one request to the store.
///
/// The second way undoes the changes of the first, so that the store stays as it was loaded.
public struct BatchUpdateTest: PerfTest {
  public let name = "BatchUpdate"

  /// The number of times that each update is done, because a single one is too short to be measured.
  public let repetitions: Int

  /// Makes the test.
  public init(repetitions: Int = 10) { self.repetitions = repetitions }

  public func runTest(with context: NSManagedObjectContext) -> String {
    report {
      let before = try sumOfRatings(in: context)
      let single = try Stopwatch.time { try repeated(in: context) { try oneAtATime(adding: 1, in: context) } }
      try expect(
        try sumOfRatings(in: context) == before + single.result * repetitions, "not all ratings were saved")
      let batch = try Stopwatch.time { try repeated(in: context) { try byBatchUpdate(adding: -1, in: context) } }
      try expect(batch.result == single.result, "\(single.result) ratings, \(batch.result) by batch update")
      try expect(try sumOfRatings(in: context) == before, "not all ratings were updated")
      return "\(single.result) ratings, \(repetitions) times: one at a time \(Stopwatch.text(single.seconds)), "
        + "\(batch.result) by batch update \(Stopwatch.text(batch.seconds)), "
        + "\(Stopwatch.times(single.seconds, batch.seconds)) faster"
    }
  }

  // Repeats a change, each time with an empty context. The number of changed ratings must be the same each time.
  private func repeated(in context: NSManagedObjectContext, _ change: () throws -> Int) throws -> Int {
    var changed: Int?
    for _ in 0..<repetitions {
      context.reset()
      let count = try change()
      try expect(changed == nil || changed == count, "\(changed ?? 0) ratings, then \(count)")
      changed = count
    }
    return changed ?? 0
  }

  /// Fetches the people, changes each and saves.
  ///
  /// - Returns: The number of ratings that were changed.
  public func oneAtATime(adding step: Int16, in context: NSManagedObjectContext) throws -> Int {
    let request: NSFetchRequest<Person> = Person.fetchRequest()
    let people = try context.fetch(request)
    for person in people { person.rating += step }
    try context.save()
    return people.count
  }

  /// Changes the ratings in the store.
  ///
  /// - Returns: The number of ratings that the store has changed, as it reports.
  public func byBatchUpdate(adding step: Int16, in context: NSManagedObjectContext) throws -> Int {
    let request = NSBatchUpdateRequest(entityName: "Person")
    request.propertiesToUpdate = ["rating": NSExpression(format: "rating + %d", Int(step))]
    request.resultType = .updatedObjectsCountResultType
    let result = try context.execute(request) as? NSBatchUpdateResult
    return result?.result as? Int ?? 0
  }

  // A batch update bypasses the context, so its result is only seen by a new fetch.
  private func sumOfRatings(in context: NSManagedObjectContext) throws -> Int {
    context.reset()
    let request: NSFetchRequest<Person> = Person.fetchRequest()
    request.returnsObjectsAsFaults = false
    let sum = try context.fetch(request).reduce(0) { $0 + Int($1.rating) }
    context.reset()
    return sum
  }
}
