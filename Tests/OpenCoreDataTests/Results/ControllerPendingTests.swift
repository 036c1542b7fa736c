import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Controllers whose context has unsaved changes, and requests with a page: sections, and what is read for them.
@Suite(.serialized) struct ControllerPendingTests {
  /// The sections that the objects themselves say.
  private func expected(_ objects: [NSManagedObject], _ keyPath: String) -> [String] {
    var runs: [(name: SectionName, count: Int)] = []
    for object in objects {
      let name = SectionName(value: object.value(forKeyPath: keyPath))
      if runs.last?.name == name { runs[runs.count - 1].count += 1 } else { runs.append((name, 1)) }
    }
    return runs.map { "\($0.name.text) \($0.count)" }
  }

  @Test(arguments: RandomSeeds.seeds(6), TestStore.all)
  func sectionsWithUnsavedChangesAndPages(seed: UInt64, _ store: TestStore) throws {
    var random = SeededGenerator(seed: seed)
    let parent = try Catalog.context(store)
    let isChild = seed % 3 == 0
    let context = isChild ? NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType) : parent
    if isChild { context.parent = parent }
    try context.performAndWait {
      let kinds = ["a", "b", "c", "A", "", nil]
      let shelves = ["low", "high", ""].map { context.insert("Shelf", ["label": $0]) }
      var items: [NSManagedObject] = []
      var serial = 0
      func add() {
        serial += 1
        let item = context.insert(
          Bool.random(using: &random) ? "Item" : "Special",
          ["serial": serial, "rank": Int.random(in: 0...4, using: &random)])
        item.setValue(kinds.randomElement(using: &random)!, forKey: "kind")
        if Bool.random(using: &random) { item.setValue(shelves.randomElement(using: &random), forKey: "shelf") }
        items.append(item)
      }
      for _ in 0..<40 { add() }
      try context.save()
      if Bool.random(using: &random) { try parent.performAndWait { try parent.save() } }
      for _ in 0..<3 {
        for _ in 0..<4 { add() }
        for item in items.shuffled(using: &random).prefix(6) where !item.isDeleted {
          switch Int.random(in: 0...3, using: &random) {
          case 0: context.delete(item)
          case 1: item.setValue(Int.random(in: 0...4, using: &random), forKey: "rank")
          default: item.setValue(kinds.randomElement(using: &random)!, forKey: "kind")
          }
        }
        if Bool.random(using: &random) { shelves.randomElement(using: &random)?.setValue("new", forKey: "label") }
        items.removeAll(where: \.isDeleted)
        context.processPendingChanges()
        for keyPath in ["kind", "rank", "shelf.label"] {
          for (offset, limit) in [(0, 0), (0, 7), (5, 10), (30, 0), (200, 5)] {
            let request = Catalog.request()
            request.predicate = Bool.random(using: &random) ? NSPredicate(format: "rank < 4") : nil
            request.includesSubentities = Bool.random(using: &random)
            request.fetchBatchSize = Bool.random(using: &random) ? 6 : 0
            (request.fetchOffset, request.fetchLimit) = (offset, limit)
            request.sortDescriptors = [
              NSSortDescriptor(key: keyPath, ascending: .random(using: &random)),
              NSSortDescriptor(key: "serial", ascending: true),
            ]
            let controller = Catalog.controller(request, context, sections: keyPath)
            try controller.performFetch()
            let objects = try context.fetch(request)
            #expect(controller.fetchedObjects == objects, "seed \(seed)")
            #expect(
              controller.sections?.map { "\($0.name) \($0.numberOfObjects)" } == expected(objects, keyPath),
              "seed \(seed) \(keyPath) \(offset) \(limit)")
          }
        }
      }
    }
  }

  private func filled(_ count: Int) throws -> NSManagedObjectContext {
    let coordinator = try TestModel.coordinator(Catalog.model())
    let writer = TestModel.context(coordinator)
    try writer.performAndWait {
      for serial in 0..<count {
        writer.insert("Item", ["serial": serial, "rank": serial / 100, "title": "t\(serial)"])
      }
      try writer.save()
    }
    for store in coordinator.sqlStores { store.rows.removeAll() }
    return TestModel.context(coordinator)
  }

  @Test func unsavedChangesDoNotMakeItReadThePages() throws {
    let context = try filled(2000)
    try context.performAndWait {
      context.insert("Item", ["serial": 5000, "rank": 7])
      context.insert("Shelf", ["label": "other"])
      let moved = try #require(
        try context.fetch(
          { () -> NSFetchRequest<Catalog.Item> in
            let request = Catalog.request("serial")
            (request.predicate, request.fetchLimit) = (NSPredicate(format: "serial == 1050"), 1)
            return request
          }()
        ).first)
      moved.setValue(3, forKey: "rank")
      context.processPendingChanges()
      for store in context.persistentStoreCoordinator?.sqlStores ?? [] { store.rows.removeAll() }
      let request = Catalog.request("rank", "serial")
      request.fetchBatchSize = 20
      let controller = Catalog.controller(request, context, sections: "rank")
      try controller.performFetch()
      #expect(
        controller.sections?.map(\.numberOfObjects)[..<11] == [100, 100, 100, 101, 100, 100, 100, 101, 100, 100, 99])
      // Those that are pending find their places by a binary search; each object that it meets brings its page.
      let awake = controller.fetchedObjects?.count { !$0.isFault } ?? 0
      #expect(awake <= 2 + 2 * 12)
    }
  }

  @Test func aPageReadsNoMoreThanItself() throws {
    let context = try filled(1000)
    try context.performAndWait {
      let request = Catalog.request("rank", "serial")
      (request.fetchOffset, request.fetchLimit, request.fetchBatchSize) = (150, 100, 25)
      let controller = Catalog.controller(request, context, sections: "rank")
      let statements = try StatementLog.collect(thisThread: true) { try controller.performFetch() }.statements
        .filter { $0.contains("ZITEM") }
      #expect(controller.sections?.map(\.numberOfObjects) == [50, 50])
      // Keys, then the page's own objects for their names.
      #expect(statements.count <= 1 + 100 / 25)
      #expect(controller.fetchedObjects?.count == 100 && controller.fetchedObjects?.first?.number("serial") == 150)
    }
  }
}
