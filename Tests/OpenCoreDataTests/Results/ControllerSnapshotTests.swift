import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Snapshots and differences: for delegates, and as a sequence.
@Suite struct ControllerSnapshotTests {
  private final class SnapshotDelegate: NSFetchedResultsControllerDelegate {
    var snapshots: [NSDiffableDataSourceSnapshot<String, NSManagedObjectID>] = []
    var otherCalls = 0

    func controller(
      _ controller: NSFetchedResultsController<NSFetchRequestResult>,
      didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    ) { snapshots.append(snapshot as NSDiffableDataSourceSnapshot<String, NSManagedObjectID>) }

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) { otherCalls += 1 }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) { otherCalls += 1 }

    func controller(
      _ controller: NSFetchedResultsController<NSFetchRequestResult>,
      didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) { otherCalls += 1 }

    func controller(
      _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?,
      for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) { otherCalls += 1 }
  }

  private final class DifferenceDelegate: NSFetchedResultsControllerDelegate {
    var differences: [CollectionDifference<NSManagedObjectID>] = []
    var ids: [NSManagedObjectID] = []
    var endings = 0

    func controller(
      _ controller: NSFetchedResultsController<NSFetchRequestResult>,
      didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
      differences.append(diff)
      ids = ids.applying(diff) ?? []
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) { endings += 1 }
  }

  @Test(arguments: TestStore.all) func aSnapshotOfPagesMakesNoObjects(_ store: TestStore) throws {
    let context = try Catalog.context(store)
    try context.performAndWait {
      let ids = try Catalog.fill(context, "a1", "a2", "b1", "c1").map(\.objectID)
      try context.save()
      context.reset()
      let request = Catalog.request("title")
      request.fetchBatchSize = 2
      let controller = Catalog.controller(request, context)
      let delegate = SnapshotDelegate()
      controller.delegate = delegate
      try controller.performFetch()
      #expect(delegate.snapshots.map(\.itemIdentifiers) == [ids] && context.registeredObjects.isEmpty)
      context.delete(controller.object(at: [0, 1]))
      context.processPendingChanges()
      #expect(delegate.snapshots.last?.itemIdentifiers == [ids[0], ids[2], ids[3]] && delegate.otherCalls == 0)
    }
  }

  @Test(arguments: TestStore.all) func aSnapshotFollowsTheFetchAndEveryChange(_ store: TestStore) throws {
    let context = try Catalog.context(store)
    try context.performAndWait {
      let items = try Catalog.fill(context, "a1", "a2", "b1")
      let controller = Catalog.controller(Catalog.request("kind", "title"), context, sections: "kind")
      let delegate = SnapshotDelegate()
      controller.delegate = delegate
      try controller.performFetch()
      let first = try #require(delegate.snapshots.first)
      #expect(first.sectionIdentifiers == ["a", "b"] && first.numberOfSections == 2)
      #expect(first.itemIdentifiers == items.map(\.objectID) && first.numberOfItems == 3)
      #expect(first.itemIdentifiers(inSection: "a") == items[..<2].map(\.objectID))
      #expect(first.numberOfItems(inSection: "b") == 1)
      #expect(first.indexOfItem(items[2].objectID) == 2 && first.indexOfSection("b") == 1)
      #expect(first.sectionIdentifier(containingItem: items[2].objectID) == "b")
      #expect(first.reloadedItemIdentifiers.isEmpty)
      items[0].setValue("x", forKey: "note")
      items[1].setValue("b", forKey: "kind")
      context.processPendingChanges()
      #expect(delegate.snapshots.count == 2)
      let second = delegate.snapshots[1]
      #expect(second.itemIdentifiers(inSection: "b") == items[1...].map(\.objectID))
      #expect(Set(second.reloadedItemIdentifiers) == Set(items[..<2].map(\.objectID)))
      #expect(delegate.otherCalls == 0)
    }
  }

  @Test(arguments: TestStore.all) func aSaveGivesASnapshotWithPermanentIDs(_ store: TestStore) throws {
    let context = try Catalog.context(store)
    try context.performAndWait {
      let controller = Catalog.controller(Catalog.request("title"), context)
      let delegate = SnapshotDelegate()
      controller.delegate = delegate
      try controller.performFetch()
      let item = context.insert("Item", ["title": "x"])
      context.processPendingChanges()
      #expect(delegate.snapshots.last?.itemIdentifiers.first?.isTemporaryID == true)
      try context.save()
      #expect(delegate.snapshots.last?.itemIdentifiers == [item.objectID])
      #expect(delegate.snapshots.count == 3)
      // The one section has the same made-up name in all.
      #expect(Set(delegate.snapshots.map(\.sectionIdentifiers)).count == 1)
      #expect(delegate.snapshots.allSatisfy { $0.sectionIdentifiers.count == 1 })
    }
  }

  @Test(arguments: TestStore.all) func aDelegateThatIsSetLateIsAskedAtTheFirstChange(_ store: TestStore) throws {
    let context = try Catalog.context(store)
    try context.performAndWait {
      try Catalog.fill(context, "a")
      final class Late: NSFetchedResultsControllerDelegate {
        var before: Int?, after: Int?
        func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
          before = controller.fetchedObjects?.count
        }
        func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
          after = controller.fetchedObjects?.count
        }
      }
      let controller = Catalog.controller(Catalog.request("title"), context)
      try controller.performFetch()
      let late = Late(), snapshots = SnapshotDelegate()
      controller.delegate = late
      context.insert("Item", ["title": "b"])
      context.processPendingChanges()
      #expect(late.before == 1 && late.after == 2)
      controller.delegate = snapshots
      context.insert("Item", ["title": "c"])
      context.processPendingChanges()
      #expect(snapshots.snapshots.map(\.numberOfItems) == [3] && snapshots.otherCalls == 0)
    }
  }

  @Test(arguments: TestStore.all) func differencesMakeTheOldListTheNewOne(_ store: TestStore) throws {
    var random = SeededGenerator(for: "differences")
    let context = try Catalog.context(store)
    try context.performAndWait {
      let controller = Catalog.controller(Catalog.request("rank", "serial"), context)
      let delegate = DifferenceDelegate()
      controller.delegate = delegate
      try controller.performFetch()
      var items: [NSManagedObject] = []
      for serial in 0..<60 {
        items.append(context.insert("Item", ["serial": serial, "rank": Int.random(in: 0...9, using: &random)]))
      }
      try context.obtainPermanentIDs(for: items)
      for _ in 0..<50 {
        for _ in 0..<3 {
          items.randomElement(using: &random)?.setValue(Int.random(in: 0...9, using: &random), forKey: "rank")
        }
        if Bool.random(using: &random), items.count > 20 {
          context.delete(items.remove(at: Int.random(in: 0..<items.count, using: &random)))
        }
        context.processPendingChanges()
        #expect(delegate.ids == controller.fetchedObjects?.map(\.objectID))
      }
      #expect(delegate.differences.count == delegate.endings && delegate.endings > 20)
    }
  }

  @Test(arguments: TestStore.all) func differencesAreForListsWithoutSections(_ store: TestStore) throws {
    let context = try Catalog.context(store)
    try context.performAndWait {
      let controller = Catalog.controller(Catalog.request("kind"), context, sections: "kind")
      let delegate = DifferenceDelegate()
      controller.delegate = delegate
      try controller.performFetch()
      try Catalog.fill(context, "a")
      #expect(delegate.differences.isEmpty && delegate.endings == 1)
    }
  }

  @Test(arguments: TestStore.all)
  func theSequenceBeginsWithWhatIsThereAndEndsWithTheController(_ store: TestStore) async throws {
    let context = try Catalog.context(store)
    nonisolated(unsafe) var controller: NSFetchedResultsController<Catalog.Item>?
    let stream = try context.performAndWait {
      try Catalog.fill(context, "a", "b")
      let made = Catalog.controller(Catalog.request("title"), context)
      try made.performFetch()
      controller = made
      return made.snapshots
    }
    #expect(controller != nil)
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next()?.numberOfItems == 2)
    try context.performAndWait {
      context.insert("Item", ["title": "c"])
      context.processPendingChanges()
      // Nobody has read the one before: it is not kept.
      try context.save()
    }
    let latest = await iterator.next()
    #expect(latest?.numberOfItems == 3 && latest?.itemIdentifiers.contains { $0.isTemporaryID } == false)
    context.performAndWait { controller = nil }
    #expect(await iterator.next() == nil)
  }

  @Test(arguments: TestStore.all)
  func aSequenceFollowsWithoutADelegateAndStartsWithTheFetch(_ store: TestStore) async throws {
    let context = try Catalog.context(store)
    nonisolated(unsafe) var controller: NSFetchedResultsController<Catalog.Item>?
    let stream = context.performAndWait {
      let made = Catalog.controller(Catalog.request("title"), context)
      controller = made
      return made.snapshots
    }
    try context.performAndWait {
      try controller?.performFetch()
      try Catalog.fill(context, "a")
      #expect(controller?.titles == ["a"])
    }
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next()?.numberOfItems == 1)
    context.performAndWait { controller = nil }
  }

  @Test func snapshotsAreBuiltFromTheEnd() {
    var snapshot = NSDiffableDataSourceSnapshot<String, Int>()
    snapshot.appendSections(["a", "b"])
    snapshot.appendItems([3])
    snapshot.appendItems([1, 2], toSection: "a")
    #expect(snapshot.itemIdentifiers == [1, 2, 3] && snapshot.itemIdentifiers(inSection: "b") == [3])
    #expect(
      snapshot.sectionIdentifier(containingItem: 2) == "a" && snapshot.sectionIdentifier(containingItem: 9) == nil)
  }
}
