import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What others save arrives in a controller's list.
@Suite struct ControllerMergeTests {
  @Test(arguments: TestStore.all) func faultsThatOthersChangeMove(_ store: TestStore) throws {
    let coordinator = try store.coordinator(Catalog.model())
    let writer = TestModel.context(coordinator), reader = TestModel.context(coordinator)
    let ids = try writer.performAndWait { try Catalog.fill(writer, "a", "b", "c").map(\.objectID) }
    let delegate = RecordingDelegate()
    try reader.performAndWait {
      reader.automaticallyMergesChangesFromParent = true
      let request = Catalog.request("title")
      request.predicate = NSPredicate(format: "isActive == YES")
      let controller = Catalog.controller(request, reader)
      controller.delegate = delegate
      reader.userInfo["controller"] = controller
      try controller.performFetch()
      #expect(controller.fetchedObjects?.allSatisfy(\.isFault) == true)
    }
    func write(_ body: ([NSManagedObject]) -> Void) throws {
      try writer.performAndWait {
        body(ids.map { writer.object(with: $0) })
        try writer.save()
      }
      reader.performAndWait {}
    }
    func shows(_ titles: String...) -> Bool {
      Soak.wait {
        reader.performAndWait {
          (reader.userInfo["controller"] as? NSFetchedResultsController<Catalog.Item>)?.titles == titles
        }
      }
    }
    try write { $0[0].setValue("z", forKey: "title") }
    #expect(shows("b", "c", "z"))
    #expect(reader.performAndWait { delegate.take() } == ["will", "move z 0.0 0.2", "did"])
    try write { $0[1].setValue(false, forKey: "isActive") }
    #expect(shows("c", "z"))
    // One that the context has let go of.
    try write { $0[1].setValue(true, forKey: "isActive") }
    #expect(shows("b", "c", "z"))
    try write { _ in writer.insert("Item", ["title": "m"]) }
    #expect(shows("b", "c", "m", "z"))
    try write { writer.delete($0[2]) }
    #expect(shows("b", "m", "z"))
    reader.performAndWait { reader.userInfo.removeAllObjects() }
  }

  @Test(arguments: TestStore.all(that: .batchUpdates)) func aBatchUpdateArrivesWithItsMerge(_ store: TestStore) throws {
    let context = try Catalog.context(store)
    try context.performAndWait {
      try Catalog.fill(context, "a", "b", "c")
      let controller = Catalog.controller(Catalog.request("rank", "title"), context)
      let delegate = RecordingDelegate()
      controller.delegate = delegate
      try controller.performFetch()
      let update = NSBatchUpdateRequest(entityName: "Item")
      update.predicate = NSPredicate(format: "title == 'a'")
      update.propertiesToUpdate = ["rank": 9]
      update.resultType = .updatedObjectIDsResultType
      let result = try context.execute(update) as? NSBatchUpdateResult
      #expect(delegate.take() == [])
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSUpdatedObjectsKey: result?.result as Any], into: [context])
      #expect(controller.titles == ["b", "c", "a"])
      #expect(delegate.take() == ["will", "move a 0.0 0.2", "did"])
    }
  }

  @Test(arguments: TestStore.all) func aChildsSaveArrivesInTheParentsController(_ store: TestStore) throws {
    let parent = try Catalog.context(store)
    let delegate = RecordingDelegate()
    let controller = try parent.performAndWait {
      try Catalog.fill(parent, "a")
      let controller = Catalog.controller(Catalog.request("title"), parent)
      controller.delegate = delegate
      try controller.performFetch()
      return controller
    }
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = parent
    try child.performAndWait {
      child.insert("Item", ["title": "b"])
      try child.save()
    }
    parent.performAndWait {
      #expect(controller.titles == ["a", "b"])
      #expect(delegate.take() == ["will", "insert b - 0.1", "did"])
    }
  }
}
