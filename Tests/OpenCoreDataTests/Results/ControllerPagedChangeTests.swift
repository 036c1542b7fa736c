import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// A controller with a batch size stays in pages while objects change: after each step it is what a fetch gives, though
/// only the objects of a few pages are there.
@Suite(.serialized) struct ControllerPagedChangeTests {
  /// A list of IDs in sections that follows the delegate's calls, and reads the controller by paths only.
  private final class PathMirror: NSFetchedResultsControllerDelegate {
    var names: [String] = []
    var lists: [[NSManagedObject]] = []
    private(set) var kinds: Set<UInt> = []
    private(set) var problems: [String] = []
    private var removed: [IndexPath] = []
    private var added: [(path: IndexPath, object: NSManagedObject)] = []
    private var updated: [(path: IndexPath, object: NSManagedObject)] = []
    private var deletedSections: [Int] = []
    private var insertedSections: [(Int, String)] = []

    func begin(with controller: NSFetchedResultsController<Catalog.Item>) {
      names = controller.sections?.map(\.name) ?? []
      lists = ControllerPagedChangeTests.lists(controller)
    }

    func controller(
      _ controller: NSFetchedResultsController<NSFetchRequestResult>,
      didChange sectionInfo: NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
      for type: NSFetchedResultsChangeType
    ) {
      if type == .insert {
        insertedSections.append((sectionIndex, sectionInfo.name))
        if sectionInfo.numberOfObjects != controller.sections?[sectionIndex].numberOfObjects {
          problems.append("another number of objects")
        }
      } else {
        deletedSections.append(sectionIndex)
        if names[sectionIndex] != sectionInfo.name { problems.append("another section has gone") }
      }
    }

    func controller(
      _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?,
      for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
      guard let object = anObject as? NSManagedObject else { return problems.append("no object") }
      kinds.insert(type.rawValue)
      if let indexPath, lists[indexPath.section][indexPath.item] !== object { problems.append("another old path") }
      if let newIndexPath {
        if controller.object(at: newIndexPath) as? NSManagedObject !== object { problems.append("another new path") }
        if controller.indexPath(forObject: object) != newIndexPath { problems.append("the object is elsewhere") }
      }
      if type == .update {
        if let newIndexPath { updated.append((newIndexPath, object)) }
        return
      }
      if let indexPath { removed.append(indexPath) }
      if let newIndexPath { added.append((newIndexPath, object)) }
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
      for path in removed.sorted(by: >) { lists[path.section].remove(at: path.item) }
      for section in deletedSections.sorted(by: >) {
        lists.remove(at: section)
        names.remove(at: section)
      }
      for (section, name) in insertedSections.sorted(by: { $0.0 < $1.0 }) {
        lists.insert([], at: section)
        names.insert(name, at: section)
      }
      for (path, object) in added.sorted(by: { $0.path < $1.path }) {
        lists[path.section].insert(object, at: path.item)
      }
      for update in updated where lists[update.path.section][update.path.item] !== update.object {
        problems.append("an updated object is elsewhere")
      }
      (removed, added, updated, deletedSections, insertedSections) = ([], [], [], [], [])
    }
  }

  /// All objects by their paths, in sections.
  private static func lists(_ controller: NSFetchedResultsController<Catalog.Item>) -> [[NSManagedObject]] {
    (controller.sections ?? []).enumerated().map { section, information in
      (0..<information.numberOfObjects).map { controller.object(at: [section, $0]) }
    }
  }

  private struct Setup {
    var sections: String?
    var batchSize = 0
    var predicate: String?
  }

  /// A kept section, and the objects that it had.
  private typealias Kept = (section: any NSFetchedResultsSectionInfo, objects: [NSManagedObject])

  private func walk(_ store: TestStore, _ setup: Setup, steps: Int, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let url = try store.place()
    defer { store.remove(url) }
    let coordinator = try store.coordinator(Catalog.model(), url: url)
    let context = TestModel.context(coordinator), other = TestModel.context(coordinator)
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = context
    var serial = 0
    func act(_ context: NSManagedObjectContext, _ items: [NSManagedObject]) {
      let item = items.filter { !$0.isDeleted && !$0.isDetached }.randomElement(using: &random)
      let kind = "k\(Int.random(in: 0...12, using: &random))"
      switch Int.random(in: items.count > 160 ? 3...9 : 0...9, using: &random) {
      case 0...2:
        serial += 1
        context.insert(
          Bool.random(using: &random) ? "Item" : "Special",
          ["serial": serial, "rank": Int.random(in: 0...40, using: &random), "title": "t\(serial)", "kind": kind])
      case 3: item?.setValue("n\(serial)", forKey: "note")
      case 4, 5: item?.setValue(Int.random(in: 0...40, using: &random), forKey: "rank")
      case 6: item?.setValue(kind, forKey: "kind")
      case 7: item?.setValue(Bool.random(using: &random), forKey: "isActive")
      default: if items.count > 90 { item.map(context.delete) }
      }
    }
    func items(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
      try context.fetch(Catalog.request("serial"))
    }
    try other.performAndWait {
      for _ in 0..<120 { act(other, []) }
      try other.save()
    }
    try context.performAndWait {
      let request = Catalog.request()
      request.sortDescriptors = ((setup.sections.map { [$0] } ?? []) + ["rank", "serial"]).map {
        NSSortDescriptor(key: $0, ascending: true)
      }
      request.predicate = setup.predicate.map { NSPredicate(format: $0) }
      request.fetchBatchSize = setup.batchSize
      let controller = Catalog.controller(request, context, sections: setup.sections)
      let mirror = PathMirror()
      controller.delegate = mirror
      try controller.performFetch()
      mirror.begin(with: controller)
      var kept: Kept?
      for step in 0..<steps {
        let source = Int.random(in: 0...4, using: &random)
        let count = Int.random(in: 1...5, using: &random)
        switch source {
        case 0, 1:
          let known = try items(context)
          for _ in 0..<count { act(context, known) }
          context.processPendingChanges()
          // Unsaved objects stay in the list for some steps.
          if source == 1 { try context.save() }
          if Int.random(in: 0...15, using: &random) == 0 { context.rollback() }
        case 2:
          try child.performAndWait {
            child.reset()
            let known = try items(child)
            for _ in 0..<count { act(child, known) }
            try child.save()
          }
        default:
          if context.hasChanges { try context.save() }
          let holder = Holder()
          let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: other, queue: nil
          ) { holder.notification = $0 }
          try other.performAndWait {
            other.reset()
            let known = try items(other)
            for _ in 0..<count { act(other, known) }
            try other.save()
          }
          NotificationCenter.default.removeObserver(token)
          if let saved = holder.notification { context.mergeChanges(fromContextDidSave: saved) }
        }
        let note: Comment = "seed \(seed), \(setup), step \(step), source \(source)"
        #expect(mirror.problems.isEmpty, note)
        let lists = Self.lists(controller)
        #expect(lists == mirror.lists, note)
        #expect(controller.sections?.map(\.name) == mirror.names, note)
        let fresh = try context.fetch(Catalog.copy(request))
        #expect(lists.flatMap { $0 } == fresh, note)
        if let keyPath = setup.sections {
          var runs: [String] = []
          for object in fresh where runs.last != object.text(keyPath) { runs.append(object.text(keyPath) ?? "") }
          #expect(mirror.names == runs, note)
        }
        for object in fresh.shuffled(using: &random).prefix(5) {
          let path = controller.indexPath(forObject: object)
          #expect(path != nil && path.map { controller.object(at: $0) } === object, note)
        }
        if let kept {
          let objects = (kept.section.objects ?? []).compactMap { $0 as? NSManagedObject }
          #expect(objects.count == kept.objects.count && kept.section.numberOfObjects == kept.objects.count, note)
          // In pages, an object that was deleted is a fault without a row.
          let isSame = zip(objects, kept.objects).allSatisfy { $0 == $1 || setup.batchSize > 0 && $1.isDetached }
          #expect(isSame, note)
        }
        if step % 4 == 0 {
          kept = controller.sections?.enumerated().randomElement(using: &random).map { ($0.element, lists[$0.offset]) }
        }
        if !mirror.problems.isEmpty || lists != mirror.lists { return }
      }
      #expect(mirror.kinds == [1, 2, 3, 4])
      #expect(setup.batchSize == 0 || controller.results.contents?.isPaged == true, "the pages are lost")
    }
  }

  @Test(arguments: TestStore.all) func inPages(_ store: TestStore) throws {
    let seed = SeededGenerator.makeSeed(for: "paged changes")
    for sections in [nil, "kind"] {
      try walk(
        store, Setup(sections: sections, batchSize: 7, predicate: "isActive == YES"), steps: 70 * Soak.factor,
        seed: seed)
    }
  }

  @Test(arguments: TestStore.all) func heldAndReadByPaths(_ store: TestStore) throws {
    let seed = SeededGenerator.makeSeed(for: "changes by paths")
    for sections in [nil, "kind"] {
      try walk(store, Setup(sections: sections, predicate: "isActive == YES"), steps: 70 * Soak.factor, seed: seed)
    }
  }

  @Test(arguments: TestStore.all) func manyChangesAtOnceStayInPages(_ store: TestStore) throws {
    let context = try Catalog.context(store)
    try context.performAndWait {
      for serial in 0..<300 { context.insert("Item", ["serial": serial, "rank": serial * 2, "title": "t\(serial)"]) }
      try context.save()
      context.reset()
      let request = Catalog.request("rank", "serial")
      request.fetchBatchSize = 20
      let controller = Catalog.controller(request, context)
      let mirror = PathMirror()
      controller.delegate = mirror
      try controller.performFetch()
      mirror.begin(with: controller)
      for (serial, object) in try context.fetch(Catalog.copy(request)).enumerated() where serial % 3 == 0 {
        if serial % 2 == 0 { context.delete(object) } else { object.setValue(7, forKey: "rank") }
      }
      for serial in 0..<100 { context.insert("Item", ["serial": 1000 + serial, "rank": serial * 5, "title": "n"]) }
      context.processPendingChanges()
      let lists = Self.lists(controller)
      let fresh = try context.fetch(Catalog.copy(request))
      #expect(mirror.problems.isEmpty && lists == mirror.lists && lists == [fresh.map { $0 as NSManagedObject }])
      try context.save()
      #expect(Self.lists(controller) == lists && controller.results.contents?.isPaged == true)
    }
  }

  @Test(arguments: TestStore.all) func onlySectionsThatChangeAreMadeAnew(_ store: TestStore) throws {
    let context = try Catalog.context(store)
    try context.performAndWait {
      try Catalog.fill(context, "a1", "a2", "b1", "c1", "c2")
      let controller = Catalog.controller(Catalog.request("kind", "title"), context, sections: "kind")
      let delegate = RecordingDelegate()
      controller.delegate = delegate
      try controller.performFetch()
      func sections() -> [FetchedSection] { (controller.sections ?? []).compactMap { $0 as? FetchedSection } }
      let before = sections()
      context.insert("Item", ["title": "b2", "kind": "b"])
      context.insert("Item", ["title": "ab", "kind": "ab"])
      context.processPendingChanges()
      let after = sections()
      #expect(after.map(\.name) == ["a", "ab", "b", "c"] && after.map(\.numberOfObjects) == [2, 1, 2, 2])
      #expect(after[0] === before[0] && after[3] === before[2] && after[2] !== before[1])
      #expect(before.map { $0.objects?.count } == [2, 1, 2] && after.map { $0.objects?.count } == [2, 1, 2, 2])
      controller.object(at: [0, 1]).setValue("c", forKey: "kind")
      context.processPendingChanges()
      #expect(before.map { $0.objects?.count } == [2, 1, 2] && after.map { $0.objects?.count } == [2, 1, 2, 2])
      #expect(sections().map { $0.objects?.count } == [1, 1, 2, 3])
    }
  }

  @Test func anInsertedObjectIsPlacedByFewSmallReads() throws {
    let coordinator = try TestModel.coordinator(Catalog.model())
    let writer = TestModel.context(coordinator)
    try writer.performAndWait {
      for serial in 0..<4000 { writer.insert("Item", ["serial": serial, "rank": serial * 2, "title": "t\(serial)"]) }
      try writer.save()
      writer.reset()
    }
    for store in coordinator.sqlStores { store.rows.removeAll() }
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      let request = Catalog.request("rank", "serial")
      request.fetchBatchSize = 20
      let controller = Catalog.controller(request, context)
      let listener = Listener()
      controller.delegate = listener
      try controller.performFetch()
      let first = controller.object(at: [0, 0])
      #expect(first.number("serial") == 0)
      /// The statements and the rows that they ask for.
      func cost(_ body: () throws -> Void) rethrows -> (statements: Int, rows: Int) {
        let statements = try StatementLog.collect(thisThread: true, body).statements.filter { $0.contains("ZITEM") }
        return (statements.count, statements.reduce(0) { $0 + $1.filter { $0 == "?" }.count })
      }
      func new(_ rank: Int) throws -> Catalog.Item {
        let object = context.insert("Item", ["serial": 10_000 + rank, "rank": rank, "title": "new"])
        return try #require(object as? Catalog.Item)
      }
      let one = try new(5001)
      let insertion = cost { context.processPendingChanges() }
      // 4,000 rows are halved 12 or 13 times; a statement reads the 15 rows of four steps.
      #expect(insertion.statements <= 4 && insertion.rows <= 4 * 16, "\(insertion)")
      #expect(controller.indexPath(forObject: one) == [0, 2501])
      // The rows at which a search begins are known, and are read only once.
      let again = try new(5003)
      let second = cost { context.processPendingChanges() }
      #expect(second.statements <= 3, "\(second)")
      #expect(controller.indexPath(forObject: again) == [0, 2503])
      try context.save()
      #expect(controller.indexPath(forObject: one) == [0, 2501])
      // A deletion by another context reads no rows but that of the deleted object.
      let saved = Holder()
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave, object: writer, queue: nil
      ) { saved.notification = $0 }
      defer { NotificationCenter.default.removeObserver(token) }
      try writer.performAndWait {
        let request = Catalog.request("serial")
        request.predicate = NSPredicate(format: "serial == 3000")
        try writer.fetch(request).forEach(writer.delete)
        try writer.save()
      }
      let notification = try #require(saved.notification)
      let deletion = cost { context.mergeChanges(fromContextDidSave: notification) }
      #expect(deletion.statements <= 1, "\(deletion)")
      #expect(controller.sections?[0].numberOfObjects == 4001)
      #expect(controller.results.contents?.isPaged == true)
      // The first page, the new objects, and those that the searches have met.
      #expect(context.registeredObjects.count <= 20 + 2 + 64)
      withExtendedLifetime((first, listener)) {}
    }
  }
}

/// A delegate that makes its controller follow changes, and reads nothing.
private final class Listener: NSFetchedResultsControllerDelegate {}

private final class Holder: @unchecked Sendable {  // used by one thread at a time
  var notification: Notification?
}

extension Catalog {
  /// The same request without batches.
  fileprivate static func copy(_ request: NSFetchRequest<Item>) -> NSFetchRequest<Item> {
    let copy = Catalog.request()
    (copy.sortDescriptors, copy.predicate) = (request.sortDescriptors, request.predicate)
    return copy
  }
}
