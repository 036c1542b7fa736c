import CoreData
import Testing

/// Several contexts at work on the same rows: nobody's update may be lost, and everybody ends with the same values.
@Suite struct SharedRowsTests {
  private static let workers = 4, rounds = 40, rows = 3

  @Test(arguments: TestStore.all) func noUpdateIsLost(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store, url: try store.place())
    try coordinator.inContext { context in
      for number in 0..<Self.rows { _ = context.make("Person", ["name": "P\(number)", "number": 0]) }
      try context.save()
    }
    let contexts = (0..<Self.workers).map { _ in TestModel.context(coordinator) }
    DispatchQueue.concurrentPerform(iterations: Self.workers) { worker in
      let context = contexts[worker]
      var mine: [NSManagedObject] = []
      for round in 0..<Self.rounds {
        context.performAndWait {
          do {
            if mine.isEmpty || round % 10 == 0 { mine = try context.all("Person", sortedBy: "name") }
            try Self.increment(mine[(worker + round) % Self.rows], in: context)
            if round % 7 == 0 { context.refreshAllObjects() }
          } catch {
            Issue.record("worker \(worker), round \(round): \(error)")
          }
        }
      }
    }
    for _ in 0..<2 {
      let sums =
        try [coordinator.inContext(sum)]
        + contexts.map { context in
          try context.performAndWait {
            context.refreshAllObjects()
            return try sum(context)
          }
        }
      #expect(sums == Array(repeating: Self.workers * Self.rounds, count: Self.workers + 1))
      coordinator.emptyRowCache()
    }
  }

  private func sum(_ context: NSManagedObjectContext) throws -> Int {
    try context.all("Person").reduce(0) { $0 + ($1.number("number") ?? 0) }
  }

  /// Adds one, and again on the row as it is now while somebody else was faster.
  private static func increment(_ object: NSManagedObject, in context: NSManagedObjectContext) throws {
    for _ in 0..<10_000 {
      object.setValue((object.number("number") ?? 0) + 1, forKey: "number")
      do {
        return try context.save()
      } catch let error as NSError where error.code == NSManagedObjectMergeError {
        context.refresh(object, mergeChanges: false)
      }
    }
    throw CocoaError(.userCancelled)
  }

  @Test(arguments: TestStore.all) func relationshipsChangedByManyContexts(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store, url: try store.place())
    try coordinator.inContext { context in
      _ = context.make("Club", ["name": "Club"])
      for number in 0..<40 { _ = context.make("Person", ["number": number]) }
      try context.save()
    }
    let contexts = (0..<Self.workers).map { _ in TestModel.context(coordinator) }
    DispatchQueue.concurrentPerform(iterations: Self.workers) { worker in
      let context = contexts[worker]
      context.performAndWait {
        do {
          let club = try context.named("Club", "Club")
          for person in try context.all("Person", sortedBy: "number")
          where person.number("number").map({ $0 % Self.workers == worker }) == true {
            club.mutableSetValue(forKey: "members").add(person)
            for _ in 0..<10_000 {
              do {
                try context.save()
                break
              } catch let error as NSError where error.code == NSManagedObjectMergeError {
                context.refresh(club, mergeChanges: true)
              }
            }
            #expect(club.many("members").contains(person))
          }
        } catch {
          Issue.record("worker \(worker): \(error)")
        }
      }
    }
    for context in contexts + [TestModel.context(coordinator)] {
      try context.performAndWait { () throws in
        context.refreshAllObjects()
        #expect(try context.named("Club", "Club").many("members").count == 40)
        #expect(try context.all("Person").allSatisfy { $0.many("clubs").count == 1 })
      }
    }
  }
}
