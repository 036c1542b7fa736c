import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What a delegate is told, call by call.
@Suite struct ControllerChangeTests {
  /// A context with items of these titles, and a controller by kind and title.
  private func run(
    _ store: TestStore, _ titles: [String], sections: String? = "kind", predicate: String? = nil,
    _ body: (
      NSManagedObjectContext, [String: NSManagedObject], NSFetchedResultsController<Catalog.Item>, RecordingDelegate
    )
      throws -> Void
  ) throws {
    let context = try Catalog.context(store)
    try context.performAndWait {
      var items: [String: NSManagedObject] = [:]
      for title in titles { items[title] = context.insert("Item", ["title": title, "kind": String(title.prefix(1))]) }
      try context.save()
      let request = Catalog.request("kind", "title")
      request.predicate = predicate.map { NSPredicate(format: $0) }
      let controller = Catalog.controller(request, context, sections: sections)
      let delegate = RecordingDelegate()
      controller.delegate = delegate
      try controller.performFetch()
      try body(context, items, controller, delegate)
    }
  }

  @Test(arguments: TestStore.all) func anInsertion(_ store: TestStore) throws {
    try run(store, ["a1", "a3"]) { context, _, controller, delegate in
      context.insert("Item", ["title": "a2", "kind": "a"])
      #expect(delegate.calls == [])
      context.processPendingChanges()
      #expect(delegate.take() == ["will", "insert a2 - 0.1", "did"])
      #expect(delegate.before == ["a1", "a3"])
      #expect(controller.titles == ["a1", "a2", "a3"])
      try context.save()
      #expect(delegate.take() == [])
    }
  }

  @Test(arguments: TestStore.all) func sectionsComeBeforeObjects(_ store: TestStore) throws {
    try run(store, ["a1", "c1"]) { context, items, controller, delegate in
      context.insert("Item", ["title": "b1", "kind": "b"])
      context.delete(items["c1"]!)
      try context.save()
      #expect(
        delegate.take() == [
          "will", "section delete 1 c", "section insert 1 b", "delete c1 1.0 -", "insert b1 - 1.0", "did",
        ])
      #expect(controller.sectionNames == ["a", "b"])
    }
  }

  @Test(arguments: TestStore.all) func aDeletedSectionHasNoObjects(_ store: TestStore) throws {
    let context = try Catalog.context(store)
    try context.performAndWait {
      _ = try Catalog.fill(context, "a1", "c1")
      let controller = Catalog.controller(Catalog.request("kind"), context, sections: "kind")
      let delegate = SectionLog()
      controller.delegate = delegate
      try controller.performFetch()
      context.delete(try #require(controller.fetchedObjects?.last))
      context.processPendingChanges()
      #expect(delegate.told == ["delete c 0 0"])
    }
  }

  @Test(arguments: TestStore.all) func aMoveToANewSectionIsOneMove(_ store: TestStore) throws {
    try run(store, ["a1", "a2", "c1"]) { context, items, _, delegate in
      items["a2"]!.setValue("b", forKey: "kind")
      context.processPendingChanges()
      #expect(delegate.take() == ["will", "section insert 1 b", "move a2 0.1 1.0", "did"])
      items["a2"]!.setValue("c", forKey: "kind")
      context.processPendingChanges()
      #expect(delegate.take() == ["will", "section delete 1 b", "move a2 1.0 1.0", "did"])
    }
  }

  @Test(arguments: TestStore.all) func anUpdateKeepsItsPlace(_ store: TestStore) throws {
    try run(store, ["a1", "a2", "b1"]) { context, items, _, delegate in
      items["b1"]!.setValue("x", forKey: "note")
      context.delete(items["a1"]!)
      context.processPendingChanges()
      #expect(delegate.take() == ["will", "delete a1 0.0 -", "update b1 1.0 1.0", "did"])
      items["b1"]!.setValue("b9", forKey: "title")
      context.insert("Item", ["title": "a0", "kind": "A"])
      context.processPendingChanges()
      // Its key has changed, but not its neighbours.
      #expect(delegate.take() == ["will", "section insert 0 A", "insert a0 - 0.0", "update b9 1.0 2.0", "did"])
    }
  }

  @Test(arguments: TestStore.all) func aSwapIsAMoveAndAnUpdate(_ store: TestStore) throws {
    try run(store, ["a1", "a2"], sections: nil) { context, items, _, delegate in
      items["a1"]!.setValue("a3", forKey: "title")
      items["a2"]!.setValue("a0", forKey: "title")
      context.processPendingChanges()
      #expect(delegate.take() == ["will", "move a0 0.1 0.0", "update a3 0.0 0.1", "did"])
    }
  }

  @Test(arguments: TestStore.all) func onlyWhatHasChangedIsReportedAsMoved(_ store: TestStore) throws {
    try run(store, ["a1", "a2", "a3", "a4"], sections: nil) { context, items, _, delegate in
      items["a1"]!.setValue("a9", forKey: "title")
      context.processPendingChanges()
      #expect(delegate.take() == ["will", "move a9 0.0 0.3", "did"])
    }
  }

  @Test(arguments: TestStore.all) func thePredicateDecidesWhatComesAndGoes(_ store: TestStore) throws {
    try run(store, ["a1", "a2"], sections: nil, predicate: "isActive == YES") { context, items, _, delegate in
      items["a1"]!.setValue(false, forKey: "isActive")
      context.processPendingChanges()
      #expect(delegate.take() == ["will", "delete a1 0.0 -", "did"])
      items["a1"]!.setValue(true, forKey: "isActive")
      items["a1"]!.setValue("a3", forKey: "title")
      context.processPendingChanges()
      #expect(delegate.take() == ["will", "insert a3 - 0.1", "did"])
      context.insert("Item", ["title": "no", "isActive": false])
      context.insert("Shelf", ["label": "no item"])
      try context.save()
      #expect(delegate.take() == [])
    }
  }

  @Test(arguments: TestStore.all) func whatCameAndWentIsNotTold(_ store: TestStore) throws {
    try run(store, ["a1"]) { context, _, _, delegate in
      let item = context.insert("Item", ["title": "x", "kind": "x"])
      context.delete(item)
      try context.save()
      #expect(delegate.take() == [])
    }
  }

  @Test(arguments: TestStore.all) func rollbackUndoAndRefreshAreChanges(_ store: TestStore) throws {
    try run(store, ["a1", "a2"], sections: nil) { context, items, controller, delegate in
      items["a1"]!.setValue("a9", forKey: "title")
      context.insert("Item", ["title": "b", "kind": "b"])
      context.delete(items["a2"]!)
      context.processPendingChanges()
      #expect(controller.titles == ["a9", "b"])
      _ = delegate.take()
      context.rollback()
      #expect(controller.titles == ["a1", "a2"])
      #expect(delegate.take().filter { $0.hasPrefix("insert") || $0.hasPrefix("delete") }.count == 2)
      context.refresh(items["a1"]!, mergeChanges: false)
      context.processPendingChanges()
      #expect(delegate.take() == ["will", "update a1 0.0 0.0", "did"])
      context.refreshAllObjects()
      #expect(delegate.take() == ["will", "update a1 0.0 0.0", "update a2 0.1 0.1", "did"])
    }
  }

  @Test(arguments: TestStore.all) func nothingIsFollowedWithoutADelegate(_ store: TestStore) throws {
    try run(store, ["a1"], sections: nil) { context, _, controller, delegate in
      controller.delegate = nil
      context.insert("Item", ["title": "a2", "kind": "a"])
      context.processPendingChanges()
      #expect(controller.titles == ["a1"])
      try controller.performFetch()
      #expect(controller.titles == ["a1", "a2"])
      #expect(delegate.calls == [])
    }
  }

  @Test(arguments: TestStore.all) func aDelegateIsNotKeptAlive(_ store: TestStore) throws {
    let context = try Catalog.context(store)
    context.performAndWait {
      let controller = Catalog.controller(Catalog.request("title"), context)
      do {
        let delegate = RecordingDelegate()
        controller.delegate = delegate
        #expect(controller.delegate === delegate)
      }
      #expect(controller.delegate == nil)
    }
  }

  @Test(arguments: TestStore.all) func resetEndsFollowingUntilTheNextFetch(_ store: TestStore) throws {
    try run(store, ["a1"], sections: nil) { context, _, controller, delegate in
      context.reset()
      context.insert("Item", ["title": "a2", "kind": "a"])
      try context.save()
      #expect(delegate.take() == [])
      try controller.performFetch()
      #expect(controller.titles == ["a1", "a2"])
      context.insert("Item", ["title": "a3", "kind": "a"])
      try context.save()
      #expect(delegate.take() == ["will", "insert a3 - 0.2", "did"])
    }
  }

  @Test(arguments: TestStore.all) func whatADelegateChangesIsToldAfterwards(_ store: TestStore) throws {
    try run(store, ["a1"], sections: nil) { context, _, controller, delegate in
      delegate.onWillChange = {
        delegate.onWillChange = {}
        context.insert("Item", ["title": "a3", "kind": "a"])
        context.processPendingChanges()
      }
      context.insert("Item", ["title": "a2", "kind": "a"])
      context.processPendingChanges()
      #expect(
        delegate.take() == ["will", "insert a2 - 0.1", "did", "will", "insert a3 - 0.2", "did"])
      #expect(controller.titles == ["a1", "a2", "a3"])
    }
  }

  @Test(arguments: TestStore.all) func aDelegateMayFetchAnew(_ store: TestStore) throws {
    try run(store, ["a1"], sections: nil) { context, _, controller, delegate in
      delegate.onWillChange = { try? controller.performFetch() }
      context.insert("Item", ["title": "a2", "kind": "a"])
      context.processPendingChanges()
      #expect(delegate.take() == ["will"])
      #expect(controller.titles == ["a1", "a2"])
    }
  }

  @Test(arguments: TestStore.all) func theControllerOfACallIsTheOneThatWasMade(_ store: TestStore) throws {
    try run(store, ["a1"], sections: nil) { context, items, controller, delegate in
      let other = Catalog.controller(Catalog.request("title"), context)
      items["a1"]!.setValue("a2", forKey: "title")
      context.processPendingChanges()
      let told = try #require(delegate.controllers.first)
      let optional: NSFetchedResultsController<Catalog.Item>? = controller
      let isSame = [told === controller, controller === told, told === optional, optional === told, told == controller]
      #expect(isSame == [true, true, true, true, true])
      let differs = [told !== other, told != other, other !== told, controller !== other]
      #expect(differs == [true, true, true, true])
      let isDifferent = [told !== controller, told !== optional, optional !== told]
      #expect(isDifferent == [false, false, false])
      #expect(Set<NSObject>([told, controller, other]).count == 2)
      #expect(told.fetchRequest.entityName == "Item")
      told.fetchRequest.fetchLimit = 5
      #expect(controller.fetchRequest.fetchLimit == 5)
      #expect(told.fetchedObjects?.first as? NSManagedObject === items["a1"])
      #expect(told.object(at: [0, 0]) as? NSManagedObject === items["a1"])
      #expect(told.indexPath(forObject: items["a1"]!) == IndexPath(item: 0, section: 0))
      #expect(told.sections?.count == 1 && told.managedObjectContext === context)
    }
  }

  @Test(arguments: TestStore.all) func anErasedControllerTellsOfItself(_ store: TestStore) throws {
    let context = try Catalog.context(store)
    try context.performAndWait {
      let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Item")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
      let delegate = RecordingDelegate()
      controller.delegate = delegate
      try controller.performFetch()
      let item = context.insert("Item", ["title": "x"])
      context.processPendingChanges()
      #expect(ObjectIdentifier(try #require(delegate.controllers.first)) == ObjectIdentifier(controller))
      #expect(controller.fetchedObjects?.first as? NSManagedObject === item)
    }
  }

  @Test(arguments: TestStore.ofTables) func derivedAttributesMoveObjectsWhenTheyAreSaved(_ store: TestStore)
    throws
  {
    let context = try Catalog.context(store)
    try context.performAndWait {
      try Catalog.fill(context, "Apple", "banana")
      let controller = Catalog.controller(Catalog.request("folded"), context)
      let delegate = RecordingDelegate()
      controller.delegate = delegate
      try controller.performFetch()
      context.insert("Item", ["title": "Avocado"])
      context.processPendingChanges()
      #expect(delegate.take() == ["will", "insert Avocado - 0.0", "did"])
      try context.save()
      #expect(controller.titles == ["Apple", "Avocado", "banana"])
      #expect(delegate.take() == ["will", "move Avocado 0.0 0.1", "did"])
      let shelves = ["low", "high"].map { context.insert("Shelf", ["label": $0]) }
      try context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Shelf")
      request.sortDescriptors = ["size", "label"].map { NSSortDescriptor(key: $0, ascending: false) }
      let bySize = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
      let quiet = Titles()
      bySize.delegate = quiet
      try bySize.performFetch()
      #expect(bySize.fetchedObjects == shelves)
      // The shelf is not changed itself where only the item's end is written.
      controller.fetchedObjects?[0].setValue(shelves[1], forKey: "shelf")
      try context.save()
      #expect(bySize.fetchedObjects == shelves.reversed())
    }
  }

  private final class Titles: NSFetchedResultsControllerDelegate {
    func controller(
      _ controller: NSFetchedResultsController<NSFetchRequestResult>,
      sectionIndexTitleForSectionName sectionName: String
    ) -> String? { sectionName == "b" ? nil : "<\(sectionName)>" }
  }

  private final class Shouting: NSFetchedResultsController<Catalog.Item> {
    override func sectionIndexTitle(forSectionName sectionName: String) -> String? { sectionName + "!" }
  }

  @Test func indexTitlesComeFromDelegateOrSubclass() throws {
    try run(.sqlite, ["a1", "b1", "c1"]) { context, items, controller, delegate in
      let titles = Titles()
      controller.delegate = titles
      #expect(controller.sectionIndexTitles == ["<a>", "<c>"])
      #expect(controller.section(forSectionIndexTitle: "<c>", at: 1) == 2)
      #expect(controller.sections?.map(\.indexTitle) == ["<a>", nil, "<c>"])
      let shouting = Shouting(
        fetchRequest: Catalog.request("kind"), managedObjectContext: context, sectionNameKeyPath: "kind", cacheName: nil
      )
      shouting.delegate = delegate
      try shouting.performFetch()
      #expect(shouting.sectionIndexTitles == ["a!", "b!", "c!"])
      #expect(shouting.sections?[0].indexTitle == "a!")
      items["a1"]!.setValue("x", forKey: "note")
      context.processPendingChanges()
      #expect(delegate.controllers.last?.sectionIndexTitles == ["a!", "b!", "c!"])
    }
  }
}

private final class SectionLog: NSObject, NSFetchedResultsControllerDelegate {
  var told: [String] = []

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    let kind = type == .delete ? "delete" : "insert"
    told.append("\(kind) \(sectionInfo.name) \(sectionInfo.numberOfObjects) \(sectionInfo.objects?.count ?? -1)")
  }
}
