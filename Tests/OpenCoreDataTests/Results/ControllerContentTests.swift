import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What a fetched results controller has after its fetch.
@Suite struct ControllerContentTests {
  @Test(arguments: TestStore.all) func nothingBeforeTheFetch(_ store: TestStore) throws {
    let context = try Catalog.context(store)
    try context.performAndWait {
      let controller = Catalog.controller(Catalog.request("title"), context)
      #expect(controller.fetchedObjects == nil && controller.sections == nil)
      #expect(controller.sectionIndexTitles.isEmpty)
      try controller.performFetch()
      #expect(controller.fetchedObjects == [])
      #expect(controller.sections?.count == 1 && controller.sections?[0].numberOfObjects == 0)
    }
  }

  @Test(arguments: TestStore.all) func oneSectionWithoutKeyPath(_ store: TestStore) throws {
    let context = try Catalog.context(store)
    try context.performAndWait {
      let items = try Catalog.fill(context, "pear", "apple", "fig")
      let controller = Catalog.controller(Catalog.request("title"), context)
      try controller.performFetch()
      #expect(controller.titles == ["apple", "fig", "pear"])
      #expect(controller.lists == [["apple", "fig", "pear"]])
      #expect(controller.object(at: IndexPath(item: 2, section: 0)) === items[0])
      let fig = try #require(items[2] as? Catalog.Item)
      #expect(controller.indexPath(forObject: fig) == IndexPath(row: 1, section: 0))
      let other = try #require(context.insert("Item", ["title": "new"]) as? Catalog.Item)
      #expect(controller.indexPath(forObject: other) == nil)
    }
  }

  @Test(arguments: TestStore.all) func sectionsAreRunsOfEqualNames(_ store: TestStore) throws {
    let context = try Catalog.context(store)
    try context.performAndWait {
      try Catalog.fill(context, "apple", "avocado", "banana", "cherry", "cranberry")
      let controller = Catalog.controller(Catalog.request("kind", "title"), context, sections: "kind")
      try controller.performFetch()
      #expect(controller.sectionNames == ["a", "b", "c"])
      #expect(controller.lists == [["apple", "avocado"], ["banana"], ["cherry", "cranberry"]])
      #expect(controller.sections?.map(\.indexTitle) == ["A", "B", "C"])
      #expect(controller.sectionIndexTitles == ["A", "B", "C"])
      #expect(controller.section(forSectionIndexTitle: "C", at: 2) == 2)
      for (section, info) in (controller.sections ?? []).enumerated() {
        for item in 0..<info.numberOfObjects {
          let path = IndexPath(item: item, section: section)
          #expect(controller.indexPath(forObject: controller.object(at: path)) == path)
        }
      }
    }
  }

  @Test(arguments: TestStore.all) func aComputedKeyPathMakesSections(_ store: TestStore) throws {
    let context = try Catalog.context(store)
    try context.performAndWait {
      try Catalog.fill(context, "apple", "banana", "avocado")
      let controller = Catalog.controller(Catalog.request("title"), context, sections: "initial")
      try controller.performFetch()
      #expect(controller.sectionNames == ["a", "b"])
      #expect(controller.lists == [["apple", "avocado"], ["banana"]])
    }
  }

  @Test(arguments: TestStore.all) func numbersTruthValuesAndDatesMakeNames(_ store: TestStore) throws {
    let context = try Catalog.context(store)
    try context.performAndWait {
      let day = Date(timeIntervalSinceReferenceDate: 86400)
      context.insert("Item", ["title": "x", "rank": 7, "isActive": true, "weight": 2.5, "added": day])
      context.insert("Item", ["title": "y", "rank": -3, "isActive": false])
      for isSaved in [false, true] {
        if isSaved { try context.save() }
        for (key, names) in [
          ("rank", ["-3", "7"]), ("isActive", ["0", "1"]), ("weight", ["", "2.5"]), ("added", ["", day.description]),
        ] {
          let controller = Catalog.controller(Catalog.request(key), context, sections: key)
          try controller.performFetch()
          #expect(controller.sectionNames == names, "\(key)")
        }
      }
    }
  }

  /// Grouping in the store and reading each object give the same sections.
  @Test(arguments: TestStore.ofTables) func groupsOfTheStoreAreThoseOfTheObjects(_ store: TestStore) throws {
    for seed in RandomSeeds.seeds(20) {
      var random = SeededGenerator(seed: seed)
      let context = try Catalog.context(store)
      try context.performAndWait {
        let shelves = ["low", "high", "é", "e\u{301}", ""].map { context.insert("Shelf", ["label": $0]) }
        for serial in 0..<40 {
          let item = context.insert(
            Bool.random(using: &random) ? "Item" : "Special",
            ["serial": serial, "rank": Int.random(in: 0...3, using: &random)])
          item.setValue(["a", "A", "", nil].randomElement(using: &random)!, forKey: "kind")
          if Bool.random(using: &random) { item.setValue(shelves.randomElement(using: &random), forKey: "shelf") }
        }
        try context.save()
        for key in ["kind", "rank", "isActive", "shelf.label"] {
          for ascending in [true, false] {
            let request = Catalog.request()
            request.predicate = NSPredicate(format: "rank < 3")
            request.includesSubentities = Bool.random(using: &random)
            request.sortDescriptors = [
              NSSortDescriptor(key: key, ascending: ascending), NSSortDescriptor(key: "serial", ascending: true),
            ]
            let controller = Catalog.controller(request, context, sections: key)
            try controller.performFetch()
            #expect(try FetchRun(in: context).sectionGroups(TrackedFetch(request, in: context), key) != nil)
            var names: [SectionName] = [], counts: [Int] = []
            for object in try context.fetch(request) {
              let name = SectionName(value: object.value(forKeyPath: key))
              if names.last != name {
                names.append(name)
                counts.append(0)
              }
              counts[counts.count - 1] += 1
            }
            #expect(controller.sections?.map { SectionName($0.name) } == names, "seed \(seed) \(key)")
            #expect(controller.sections?.map(\.numberOfObjects) == counts, "seed \(seed) \(key)")
          }
        }
      }
    }
  }

  @Test(arguments: TestStore.all) func limitAndOffsetCountAtTheFetchAlone(_ store: TestStore) throws {
    let context = try Catalog.context(store)
    try context.performAndWait {
      try Catalog.fill(context, "a", "b", "c", "d")
      let request = Catalog.request("title")
      (request.fetchOffset, request.fetchLimit) = (1, 2)
      let controller = Catalog.controller(request, context)
      let delegate = RecordingDelegate()
      controller.delegate = delegate
      try controller.performFetch()
      #expect(controller.titles == ["b", "c"])
      context.insert("Item", ["title": "bb"])
      context.processPendingChanges()
      #expect(controller.titles == ["b", "bb", "c"])
    }
  }

  @Test(arguments: TestStore.all) func pendingChangesAreInTheSections(_ store: TestStore) throws {
    let context = try Catalog.context(store)
    try context.performAndWait {
      let items = try Catalog.fill(context, "a1", "b1", "c1")
      items[1].setValue("c", forKey: "kind")
      context.delete(items[0])
      context.insert("Item", ["title": "d1", "kind": "d"])
      let controller = Catalog.controller(Catalog.request("kind", "title"), context, sections: "kind")
      try controller.performFetch()
      #expect(controller.sectionNames == ["c", "d"])
      #expect(controller.lists == [["b1", "c1"], ["d1"]])
    }
  }

  @Test(arguments: TestStore.all) func identifiersAreResultsToo(_ store: TestStore) throws {
    let context = try Catalog.context(store)
    try context.performAndWait {
      let items = try Catalog.fill(context, "b", "a")
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Item")
      request.resultType = .managedObjectIDResultType
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
      let delegate = RecordingDelegate()
      controller.delegate = delegate
      try controller.performFetch()
      #expect(controller.fetchedObjects == [items[1].objectID, items[0].objectID])
      #expect(controller.indexPath(forObject: items[0].objectID) == IndexPath(item: 1, section: 0))
      items[1].setValue("c", forKey: "title")
      context.processPendingChanges()
      #expect(controller.fetchedObjects == [items[0].objectID, items[1].objectID])
    }
  }

  @Test(arguments: TestStore.all) func aFetchMayBeRepeatedAndChanged(_ store: TestStore) throws {
    let context = try Catalog.context(store)
    try context.performAndWait {
      try Catalog.fill(context, "a", "b")
      let controller = Catalog.controller(Catalog.request("title"), context)
      let delegate = RecordingDelegate()
      controller.delegate = delegate
      try controller.performFetch()
      controller.fetchRequest.predicate = NSPredicate(format: "title == 'b'")
      #expect(controller.titles == ["a", "b"])
      try controller.performFetch()
      #expect(controller.titles == ["b"])
      #expect(delegate.calls == [])
    }
  }

  @Test(arguments: TestStore.all) func objectsThatAreNotInSectionOrderAreAnError(_ store: TestStore) throws {
    let context = try Catalog.context(store)
    try context.performAndWait {
      try Catalog.fill(context, "a1", "b1", "a2")
      let controller = Catalog.controller(Catalog.request("rank"), context, sections: "kind")
      let error = #expect(throws: NSError.self) { try controller.performFetch() }
      #expect(error?.domain == NSCocoaErrorDomain && error?.code == 134060)
      #expect(
        error?.userInfo["reason"] as? String
          == "The fetched object at index 2 has an out of order section name 'a. Objects must be sorted by section name'"
      )
      #expect(error?.userInfo["entity"] as? String == "Item")
      #expect(error?.userInfo["sectionNameKeyPath"] as? String == "kind")
      #expect(error?.localizedDescription.contains("'Item'") == true)
      #expect(error?.localizedDescription.contains("'kind'") == true)
      #expect(controller.fetchedObjects == nil && controller.sections == nil)
    }
  }

  @Test(arguments: TestStore.all) func anErrorLeavesWhatWasThere(_ store: TestStore) throws {
    let context = try Catalog.context(store)
    try context.performAndWait {
      let items = try Catalog.fill(context, "a1", "b1", "c1")
      let controller = Catalog.controller(Catalog.request("rank"), context, sections: "kind")
      let delegate = MirroringDelegate()
      controller.delegate = delegate
      try controller.performFetch()
      delegate.begin(with: controller)
      context.insert("Item", ["title": "a2", "kind": "a", "rank": 9])
      // The failing fetch ends the event first, and sees the object where it does not belong.
      #expect(throws: NSError.self) { try controller.performFetch() }
      #expect(controller.titles == ["a1", "a2", "b1", "c1"])
      context.rollback()
      items[0].setValue("other", forKey: "note")
      try context.save()
      try delegate.check(controller, "after an error")
    }
  }
}
