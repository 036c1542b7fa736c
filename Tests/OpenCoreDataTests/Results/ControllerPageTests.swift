import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// A controller with a batch size makes the objects of pages that are looked at, and loses nothing of the others.
@Suite(.serialized) struct ControllerPageTests {
  private func filled(_ store: TestStore, _ count: Int) throws -> NSPersistentStoreCoordinator {
    let coordinator = try store.coordinator(Catalog.model())
    let writer = TestModel.context(coordinator)
    try writer.performAndWait {
      for serial in 0..<count {
        writer.insert(
          serial % 7 == 3 ? "Special" : "Item", ["serial": serial, "rank": serial / 100, "title": "t\(serial)"])
      }
      try writer.save()
    }
    return coordinator
  }

  private func controller(
    _ context: NSManagedObjectContext, sections: String? = nil
  ) throws -> NSFetchedResultsController<Catalog.Item> {
    let request = Catalog.request("rank", "serial")
    request.fetchBatchSize = 20
    let controller = Catalog.controller(request, context, sections: sections)
    try controller.performFetch()
    return controller
  }

  @Test(arguments: TestStore.ofTables) func onlyThePagesThatAreLookedAtHaveObjects(_ store: TestStore) throws {
    let context = TestModel.context(try filled(store, 2000))
    try context.performAndWait {
      let controller = try controller(context, sections: "rank")
      #expect(context.registeredObjects.isEmpty)
      #expect(controller.sections?.map(\.numberOfObjects) == Array(repeating: 100, count: 20))
      #expect(context.registeredObjects.isEmpty)
      let special = controller.object(at: [7, 3])
      #expect(special.number("serial") == 703 && special.entity.name == "Special")
      #expect(controller.object(at: [7, 3]) === special)
      #expect(context.registeredObjects.count == 20)
      for place in 0..<2000 {
        let path: IndexPath = [place / 100, place % 100]
        let object = controller.object(at: path)
        #expect(object.number("serial") == place && controller.indexPath(forObject: object) == path)
      }
      // Eight pages and the one that is held here.
      #expect(context.registeredObjects.count <= 8 * 20 + 1)
      let other = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shelf"))
      #expect(other.isEmpty)
    }
  }

  @Test(arguments: TestStore.all) func allObjectsAreThoseOfThePages(_ store: TestStore) throws {
    let context = TestModel.context(try filled(store, 300))
    try context.performAndWait {
      let controller = try controller(context)
      let kept = controller.object(at: [0, 150])
      let all = controller.fetchedObjects ?? []
      #expect(all.map { $0.number("serial") } == Array(0..<300))
      #expect(all[150] === kept && controller.object(at: [0, 299]) === all[299])
      #expect(controller.indexPath(forObject: all[12]) == [0, 12])
      #expect(controller.indexPath(forObject: context.insert("Item") as! Catalog.Item) == nil)
    }
  }

  @Test(arguments: TestStore.all) func whatOthersDoToPagesThatAreNotThereIsHeardOf(_ store: TestStore) throws {
    let coordinator = try filled(store, 400)
    let context = TestModel.context(coordinator), writer = TestModel.context(coordinator)
    try context.performAndWait {
      for change in 0..<3 {
        let controller = try controller(context)
        let delegate = RecordingDelegate()
        controller.delegate = delegate
        try controller.performFetch()
        #expect(context.registeredObjects.count == 0)
        let saved = try writer.performAndWait {
          let request = Catalog.request("serial")
          request.predicate = NSPredicate(format: "serial == %d", 250 + change)
          let item = try #require(try writer.fetch(request).first)
          switch change {
          case 0: writer.delete(item)
          case 1: item.setValue(-1, forKey: "rank")
          default: writer.insert("Item", ["rank": -2, "serial": 1000, "title": "new"])
          }
          let holder = Counter()
          let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: writer, queue: nil
          ) { holder.notification = $0 }
          defer { NotificationCenter.default.removeObserver(token) }
          try writer.save()
          return try #require(holder.notification)
        }
        context.mergeChanges(fromContextDidSave: saved)
        let calls = delegate.take()
        switch change {
        case 0: #expect(calls.count == 3 && calls[1].hasSuffix("0.250 -") && calls[1].hasPrefix("delete"))
        case 1: #expect(calls == ["will", "move t251 0.250 0.0", "did"])
        default: #expect(calls == ["will", "insert new - 0.0", "did"])
        }
        let fresh = try context.fetch(controller.fetchRequest)
        #expect(controller.fetchedObjects == fresh)
        context.reset()
      }
    }
  }

  @Test(arguments: TestStore.all) func ownChangesAreHeardOf(_ store: TestStore) throws {
    let context = TestModel.context(try filled(store, 100))
    try context.performAndWait {
      let controller = try controller(context)
      let delegate = RecordingDelegate()
      controller.delegate = delegate
      try controller.performFetch()
      context.delete(controller.object(at: [0, 50]))
      context.insert("Item", ["rank": 5, "title": "last"])
      context.processPendingChanges()
      #expect(delegate.take() == ["will", "delete t50 0.50 -", "insert last - 0.99", "did"])
      try context.save()
      let fresh = try context.fetch(controller.fetchRequest)
      #expect(fresh.count == 100 && controller.fetchedObjects == fresh)
    }
  }
}

private final class Counter: @unchecked Sendable {  // used by one thread at a time
  var notification: Notification?
}
