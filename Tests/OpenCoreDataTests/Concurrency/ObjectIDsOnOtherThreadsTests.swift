import CoreData
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// An object's ID may be asked for on every thread, also while its context's queue changes, saves and deletes the object:
/// `mergeChanges(fromContextDidSave:)` does it with the objects of another context's notification.
@Suite struct ObjectIDsOnOtherThreadsTests {
  private final class Shared: Sendable {
    /// The reading thread only asks them for their IDs.
    nonisolated(unsafe) let objects: [NSManagedObject]
    let isDone = Atomic(false)

    init(_ objects: [NSManagedObject]) { self.objects = objects }
  }

  @Test(arguments: TestStore.all) func areAskedForWhileTheQueueChangesTheObjects(_ kind: TestStore) throws {
    let coordinator = try kind.coordinator(TestModel.library())
    let store = try #require(coordinator.persistentStores.first)
    for _ in 0..<10 * Soak.factor {
      let context = TestModel.context(coordinator)
      let shared = Shared(context.performAndWait { (0..<20).map { context.make("Author", ["name": "A\($0)"]) } })
      Soak.threads(2) { number in
        if number == 1 {
          while !shared.isDone.load(ordering: .acquiring) {
            for objectID in shared.objects.map(\.objectID) where !objectID.isTemporaryID {
              #expect(objectID.persistentStore === store, "a permanent ID without its store")
            }
          }
          return
        }
        defer { shared.isDone.store(true, ordering: .releasing) }
        try context.performAndWait {
          try context.save()
          for object in shared.objects { object.setValue("B", forKey: "name") }
          try context.save()
          for object in shared.objects { context.refresh(object, mergeChanges: false) }
          for object in shared.objects { context.delete(object) }
          try context.save()
        }
      }
      #expect(Set(shared.objects.map(\.objectID)).count == 20)
    }
  }
}
