import CoreData
import Foundation
import Testing

/// The counters, in processes of their own: they count the work of all threads.
@Suite struct CounterTests {
  private static func stack() throws -> (NSPersistentStoreCoordinator, [NSManagedObjectID]) {
    let coordinator = try TestModel.coordinator(TestModel.library())
    let ids = try coordinator.inContext { context in
      let authors = ["A", "B", "C"].map { context.make("Author", ["name": $0]) }
      try context.save()
      return authors.map(\.objectID)
    }
    return (coordinator, ids)
  }

  /// Rows are taken from the cache for other reasons than a fault that fires, too; those are no hits.
  @Test func hitsAreFaultsThatTheCacheAnswers() async {
    await #expect(processExitsWith: .success) {
      let (coordinator, ids) = try CounterTests.stack()
      try coordinator.inContext { context in
        let before = CoreDataInstruments.counters
        let found = try context.existingObject(with: ids[0])
        #expect(found.value(forKey: "name") as? String == "A")
        var cost = CoreDataInstruments.counters - before
        #expect(cost.cacheHits == 0 && cost.faultsFired == 0)
        #expect(context.object(with: ids[1]).value(forKey: "name") as? String == "B")
        cost = CoreDataInstruments.counters - before
        #expect(cost.cacheHits == 1 && cost.faultsFired == 1)
        // Merged into a change.
        found.setValue("X", forKey: "name")
        context.refresh(found, mergeChanges: true)
        #expect(found.value(forKey: "name") as? String == "X")
        cost = CoreDataInstruments.counters - before
        #expect(cost.cacheHits == 1 && cost.faultsFired == 1)
      }
      let parent = TestModel.context(coordinator)
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = parent
      child.performAndWait {
        let before = CoreDataInstruments.counters
        #expect(child.object(with: ids[2]).value(forKey: "name") as? String == "C")
        let cost = CoreDataInstruments.counters - before
        #expect(cost.cacheHits == 1 && cost.faultsFired == 1)
      }
    }
  }
}
