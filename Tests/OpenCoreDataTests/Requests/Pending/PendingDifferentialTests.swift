import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Random fetches in contexts with random pending changes give what a plain model gives, which looks at every object.
@Suite("Fetches with pending changes give what looking at every object gives")
struct PendingDifferentialTests {
  @Test("Own, second, child, sibling and grandchild context", arguments: RandomSeeds.seeds(2), TestStore.all)
  func random(seed: UInt64, _ store: TestStore) throws {
    var random = SeededGenerator(seed: seed)
    let stage = try PendingStage(store, &random)
    var serial = 1000, log: [String] = []
    for _ in 0..<16 {
      let number = Int.random(in: 0..<stage.contexts.count, using: &random)
      let context = stage.contexts[number]
      if Int.random(in: 0..<8, using: &random) == 0 {
        try stage.changeBelow(&random)
        log.append("below")
      }
      if Int.random(in: 0..<8, using: &random) == 0 {
        // What rows the objects have read can then not be told, without reading them again.
        for store in stage.coordinator.sqlStores { store.rows.removeAll() }
        log.append("no rows in memory")
      }
      let done = try context.performAndWait { () throws -> String in
        let done = try stage.change(context, &serial, &random)
        try check(stage, context, &random, "seed \(seed), context \(number): \(log.suffix(12)) \(done)")
        return done
      }
      log.append("\(number): \(done)")
      let other = stage.contexts.randomElement(using: &random) ?? context
      try other.performAndWait { () throws in
        try check(stage, other, &random, "seed \(seed), beside context \(number): \(log.suffix(12))")
      }
    }
  }

  /// Compares a few random fetches in all their kinds with the model.
  private func check(
    _ stage: PendingStage, _ context: NSManagedObjectContext, _ random: inout SeededGenerator, _ words: String
  ) throws {
    #expect(PendingObjects.staleObject(in: context) == nil, "\(words)")
    for _ in 0..<3 {
      let request = NSFetchRequest<NSManagedObject>(entityName: Bool.random(using: &random) ? "Thing" : "Special")
      request.includesSubentities = Int.random(in: 0..<4, using: &random) > 0
      if Int.random(in: 0..<8, using: &random) > 0 { request.predicate = PendingStage.predicate(&random) }
      let keys = ["number", "price", "name", "born", "amount", "active"]
      request.sortDescriptors = (0..<Int.random(in: 0...2, using: &random)).map { _ in
        NSSortDescriptor(key: keys.randomElement(using: &random), ascending: Bool.random(using: &random))
      }
      request.sortDescriptors?.append(NSSortDescriptor(key: "serial", ascending: true))
      if Bool.random(using: &random) { request.fetchLimit = Int.random(in: 1...8, using: &random) }
      if Bool.random(using: &random) { request.fetchOffset = Int.random(in: 0...12, using: &random) }
      if Int.random(in: 0..<4, using: &random) == 0 { request.returnsObjectsAsFaults = false }
      if Int.random(in: 0..<6, using: &random) == 0 { request.shouldRefreshRefetchedObjects = true }
      var expected = try stage.expected(request, in: context)
      let found = try context.fetch(request)
      let words = "\(words): \(request)"
      #expect(found.map(\.objectID) == expected, "\(words)")
      // Objects with changes may have other values now, where the fetch has read them again.
      if request.shouldRefreshRefetchedObjects { expected = try stage.expected(request, in: context) }
      #expect(try context.count(for: request) == expected.count, "\(words)")
      let ids = NSFetchRequest<NSManagedObjectID>(entityName: request.entityName ?? "")
      (ids.predicate, ids.sortDescriptors, ids.includesSubentities) = (
        request.predicate, request.sortDescriptors, request.includesSubentities
      )
      (ids.fetchLimit, ids.fetchOffset, ids.resultType) = (
        request.fetchLimit, request.fetchOffset, .managedObjectIDResultType
      )
      #expect(try context.fetch(ids) == expected, "\(words)")
    }
  }
}
