import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Batch requests whose results contexts take over.
@Suite struct BatchMergeTests {
  @Test(arguments: TestStore.all(that: .batchUpdates))
  func contextsThatAreNamedLearnOfInsertsUpdatesAndDeletes(_ store: TestStore) throws {
    let coordinator = try store.coordinator(
      BatchModel.graph { $0 == "Node.card" ? .cascadeDeleteRule : .nullifyDeleteRule })
    let viewer = TestModel.context(coordinator), stranger = TestModel.context(coordinator)
    let (box, a, b, card, far) = try viewer.performAndWait {
      let box = viewer.make("Box", ["name": "B"]), card = viewer.make("Card", ["name": "K"])
      let a = viewer.make("Node", ["name": "a", "age": 1, "box": box, "card": card])
      let b = viewer.make("Leaf", ["name": "b", "age": 2, "box": box, "parent": a])
      try viewer.save()
      let far = try stranger.performAndWait {
        let far = try stranger.named("b", "Leaf")
        _ = far.number("age")
        return far
      }
      #expect(box.number("nodeCount") == 2 && a.one("card") === card)
      return (box, a, b, card, far)
    }
    try coordinator.inContext { context in
      let update = NSBatchUpdateRequest(entityName: "Node")
      update.propertiesToUpdate = ["age": NSExpression(format: "age + 10")]
      let result = try context.execute(update, mergingInto: [viewer])
      #expect((result as? NSBatchUpdateResult)?.result as? Bool == true)
      viewer.performAndWait { #expect(a.number("age") == 11 && b.number("age") == 12) }
      stranger.performAndWait { #expect(far.number("age") == 2) }
      let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Node")
      fetch.predicate = NSPredicate(format: "name == 'a'")
      try context.execute(NSBatchDeleteRequest(fetchRequest: fetch), mergingInto: [viewer])
      viewer.performAndWait {
        // Its card by cascade; its child and its box changed with it.
        #expect(a.isDeleted && card.isDeleted && !b.isDeleted)
        #expect(b.one("parent") == nil && box.number("nodeCount") == 1)
      }
      nonisolated(unsafe) var told: Set<NSManagedObjectID> = []  // posted by this thread alone
      let observer = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidMergeChangesObjectIDs, object: viewer, queue: nil
      ) { told = $0.userInfo?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID> ?? [] }
      defer { NotificationCenter.default.removeObserver(observer) }
      let insert = NSBatchInsertRequest(entityName: "Leaf", objects: [["name": "c"], ["name": "d"]])
      insert.resultType = .objectIDs
      let inserted = try context.execute(insert, mergingInto: [viewer]) as? NSBatchInsertResult
      #expect(told == Set(inserted?.result as? [NSManagedObjectID] ?? []) && told.count == 2)
    }
    try viewer.performAndWait {
      try viewer.save()
      #expect(try viewer.names("Node") == ["b", "c", "d"])
    }
  }

  @Test(arguments: TestStore.all(that: .batchUpdates))
  func aContextMergesWhatItDoesItselfAndItsChildHas(_ store: TestStore) throws {
    let coordinator = try store.coordinator(BatchModel.graph())
    let parent = TestModel.context(coordinator)
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = parent
    try parent.performAndWait {
      _ = parent.make("Node", ["name": "a", "age": 1])
      try parent.save()
    }
    let below = try child.performAndWait {
      let below = try child.named("a", "Node")
      #expect(below.number("age") == 1)
      return below
    }
    try parent.performAndWait {
      let update = NSBatchUpdateRequest(entityName: "Node")
      update.propertiesToUpdate = ["age": 5]
      try parent.execute(update, mergingInto: [child, parent])
      #expect(try parent.named("a", "Node").number("age") == 5)
    }
    child.performAndWait { #expect(below.number("age") == 5) }
  }

  @Test(arguments: TestStore.all(that: .batchUpdates)) func otherRequestsHaveNothingToMerge(_ store: TestStore) throws {
    try store.coordinator(BatchModel.graph()).inContext { context in
      let error = #expect(throws: NSError.self) {
        try context.execute(NSFetchRequest<NSManagedObject>(entityName: "Node"), mergingInto: [context])
      }
      #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
    }
  }
}
