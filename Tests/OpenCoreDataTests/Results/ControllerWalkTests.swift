import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Random walks: after every save a list that follows the delegate's calls is what the controller has.
@Suite struct ControllerWalkTests {
  private enum Source: CaseIterable { case own, child, merge, undo }

  private struct Setup {
    var sections: String?
    var batchSize = 0
    var predicate: String?
    var descending = false
    var sources: [Source] = [.own]
    /// Whether the controller's context is a child of the one that saves.
    var isNested = false
  }

  private func walk(_ store: TestStore, _ setup: Setup, steps: Int, seed: UInt64) throws -> MirroringDelegate {
    var random = SeededGenerator(seed: seed)
    let url = try store.place()
    defer { store.remove(url) }
    let coordinator = try store.coordinator(Catalog.model(), url: url)
    let root = TestModel.context(coordinator), other = TestModel.context(coordinator)
    var context = root
    if setup.isNested {
      context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.parent = root
    }
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = context
    var serial = 0
    /// Does something to the items of a context.
    func act(in context: NSManagedObjectContext, _ items: [NSManagedObject]) {
      let choice = items.isEmpty ? 0 : Int.random(in: items.count > 150 ? 2...9 : 0...9, using: &random)
      let item = items.randomElement(using: &random)
      let kind = (["", nil] + (0..<40).map { "k\($0)" }).randomElement(using: &random)!
      switch choice {
      case 0, 1:
        serial += 1
        let made = context.insert(
          Bool.random(using: &random) ? "Item" : "Special",
          ["serial": serial, "rank": Int.random(in: 0...20, using: &random), "title": "t\(serial)"])
        made.setValue(kind, forKey: "kind")
      case 2: item?.setValue("n\(Int.random(in: 0...9, using: &random))", forKey: "note")
      case 3, 4: item?.setValue(Int.random(in: 0...20, using: &random), forKey: "rank")
      case 5: item?.setValue(kind, forKey: "kind")
      case 6: item?.setValue(Bool.random(using: &random), forKey: "isActive")
      case 7 where items.count > 60: item.map(context.delete)
      case 8:
        for item in items.shuffled(using: &random).prefix(5) { item.setValue(kind, forKey: "kind") }
      default: item?.setValue(item?.value(forKey: "rank"), forKey: "rank")
      }
    }
    func items(in context: NSManagedObjectContext) throws -> [NSManagedObject] {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.sortDescriptors = [NSSortDescriptor(key: "serial", ascending: true)]
      return try context.fetch(request)
    }
    return try context.performAndWait {
      for _ in 0..<80 { act(in: context, []) }
      try context.save()
      let request = Catalog.request()
      request.sortDescriptors =
        (setup.sections.map { [NSSortDescriptor(key: $0, ascending: !setup.descending)] } ?? []) + [
          NSSortDescriptor(key: "rank", ascending: true), NSSortDescriptor(key: "serial", ascending: true),
        ]
      request.predicate = setup.predicate.map { NSPredicate(format: $0) }
      request.fetchBatchSize = setup.batchSize
      let controller = Catalog.controller(request, context, sections: setup.sections)
      let mirror = MirroringDelegate()
      controller.delegate = mirror
      try controller.performFetch()
      mirror.begin(with: controller)
      var done = 0
      var undone = (undone: 0, redone: 0)
      if setup.sources.contains(.undo) { context.undoManager = UndoManager() }
      while done < steps {
        let count = Int.random(in: 1...6, using: &random)
        done += count
        switch setup.sources.randomElement(using: &random)! {
        case .own:
          let items = try items(in: context)
          for _ in 0..<count {
            act(in: context, items.filter { !$0.isDeleted && !$0.isDetached })
            if Int.random(in: 0...4, using: &random) == 0 { context.processPendingChanges() }
          }
          if Int.random(in: 0...9, using: &random) == 0 { context.rollback() }
        case .child:
          try child.performAndWait {
            child.reset()
            let items = try items(in: child)
            for _ in 0..<count { act(in: child, items.filter { !$0.isDeleted && !$0.isDetached }) }
            try child.save()
          }
        case .merge:
          nonisolated(unsafe) var saved: Notification?
          let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: other, queue: nil
          ) { saved = $0 }
          try other.performAndWait {
            other.reset()
            let items = try items(in: other)
            for _ in 0..<count { act(in: other, items.filter { !$0.isDeleted && !$0.isDetached }) }
            try other.save()
          }
          NotificationCenter.default.removeObserver(token)
          if let saved { context.mergeChanges(fromContextDidSave: saved) }
        case .undo:
          for _ in 0..<count {
            if Int.random(in: 0...2, using: &random) == 0 {
              context.redo()
              undone.redone += 1
            } else {
              context.undo()
              undone.undone += 1
            }
            context.processPendingChanges()
            try mirror.check(controller, "seed \(seed), \(setup), \(undone) after \(done)")
          }
        }
        if setup.sources.contains(.undo), Bool.random(using: &random) {
          context.processPendingChanges()
        } else {
          try context.save()
        }
        try mirror.check(controller, "seed \(seed), \(setup), after \(done)")
        if !mirror.problems.isEmpty { break }
      }
      let counts = mirror.counts
      #expect(counts.inserts > 0 && counts.deletes > 0 && counts.moves > 0 && counts.updates > 0, "\(counts)")
      if setup.sections != nil { #expect(counts.sections > 0) }
      return mirror
    }
  }

  /// Not on every kind of store, because of its time; the shorter walks are.
  @Test(arguments: TestStore.ofTables) func aLongWalk(_ store: TestStore) throws {
    let seed = SeededGenerator.makeSeed(for: "controller walk")
    _ = try walk(store, Setup(sections: "kind", predicate: "isActive == YES"), steps: 1500 * Soak.factor, seed: seed)
  }

  @Test(arguments: TestStore.all) func withoutSections(_ store: TestStore) throws {
    let seed = SeededGenerator.makeSeed(for: "controller walk without sections")
    _ = try walk(store, Setup(predicate: "isActive == YES AND rank < 15"), steps: 300 * Soak.factor, seed: seed)
  }

  @Test(arguments: TestStore.all) func manySmallSectionsDownwards(_ store: TestStore) throws {
    let seed = SeededGenerator.makeSeed(for: "controller walk by rank")
    _ = try walk(store, Setup(sections: "kind", descending: true), steps: 300 * Soak.factor, seed: seed)
  }

  @Test(arguments: TestStore.all) func withBatchSize(_ store: TestStore) throws {
    let seed = SeededGenerator.makeSeed(for: "controller walk with batch size")
    _ = try walk(
      store,
      Setup(sections: "kind", batchSize: 7, predicate: "isActive == YES"), steps: 300 * Soak.factor, seed: seed)
  }

  @Test(arguments: TestStore.all) func withChildrenThatSave(_ store: TestStore) throws {
    let seed = SeededGenerator.makeSeed(for: "controller walk with children")
    _ = try walk(
      store,
      Setup(sections: "kind", predicate: "isActive == YES", sources: [.own, .child]), steps: 300 * Soak.factor,
      seed: seed)
  }

  @Test(arguments: TestStore.all) func withMerges(_ store: TestStore) throws {
    let seed = SeededGenerator.makeSeed(for: "controller walk with merges")
    for batchSize in [0, 5] {
      _ = try walk(
        store,
        Setup(sections: "kind", batchSize: batchSize, predicate: "isActive == YES", sources: [.own, .merge]),
        steps: 300 * Soak.factor, seed: seed)
    }
  }

  @Test(arguments: TestStore.all) func withUndoAndRedo(_ store: TestStore) throws {
    let seed = SeededGenerator.makeSeed(for: "controller walk with undo")
    for sections in [nil, "kind"] {
      _ = try walk(
        store,
        Setup(sections: sections, predicate: "isActive == YES", sources: [.own, .own, .undo]),
        steps: 300 * Soak.factor, seed: seed)
    }
  }

  @Test(arguments: TestStore.all) func inAChildContext(_ store: TestStore) throws {
    let seed = SeededGenerator.makeSeed(for: "controller walk in a child")
    _ = try walk(
      store,
      Setup(sections: "kind", predicate: "isActive == YES", sources: [.own, .child], isNested: true),
      steps: 300 * Soak.factor, seed: seed)
  }
}
