import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What is read to find the places of objects that come into a paged list together.
@Suite(.serialized) struct ControllerSearchTests {
  private final class Listener: NSFetchedResultsControllerDelegate {}

  /// The statements that read items, and the rows that they ask for by keys.
  private struct Cost {
    let statements: Int
    let rows: Int

    init(_ body: () throws -> Void) rethrows {
      let texts = try StatementLog.collect(thisThread: true, body).statements.filter { $0.contains("ZITEM") }
      statements = texts.count
      rows = texts.reduce(0) { $0 + $1.filter { $0 == "?" }.count }
    }
  }

  /// Changes that a stack of its own saves, as another program would, and the IDs that a merge is told.
  private final class OtherStack {
    private let context: NSManagedObjectContext

    init(_ url: URL) throws { context = TestModel.context(try TestStore.sqlite.coordinator(Catalog.model(), url: url)) }

    /// Inserts items with these ranks.
    func insert(_ ranks: [Int], serial: Int = 0) throws -> [String: [URL]] {
      try save(NSInsertedObjectsKey) {
        ranks.enumerated().map {
          context.insert(
            "Item",
            [
              "serial": serial + $0.offset, "rank": $0.element, "title": "t\($0.element)",
              "kind": "k\($0.element / 10 % 20)",
            ])
        }
      }
    }

    /// Gives the items with these serials other ranks.
    func move(_ serials: [Int], by difference: Int) throws -> [String: [URL]] {
      try save(NSUpdatedObjectsKey) {
        let items = try items(serials)
        for item in items { item.setValue((item.number("rank") ?? 0) + difference, forKey: "rank") }
        return items
      }
    }

    func delete(_ serials: [Int]) throws -> [String: [URL]] {
      try save(NSDeletedObjectsKey) {
        let items = try items(serials)
        items.forEach(context.delete)
        return items
      }
    }

    private func items(_ serials: [Int]) throws -> [NSManagedObject] {
      let request = Catalog.request("serial")
      request.predicate = NSPredicate(format: "serial IN %@", serials)
      return try context.fetch(request)
    }

    private func save(_ key: String, _ change: () throws -> [NSManagedObject]) throws -> [String: [URL]] {
      try context.performAndWait {
        let objects = try change()
        try context.save()
        defer { context.reset() }
        return [key: objects.map { $0.objectID.uriRepresentation() }]
      }
    }
  }

  /// The IDs of the list; no objects are made for them.
  private static func places(_ controller: NSFetchedResultsController<Catalog.Item>) -> [NSManagedObjectID]? {
    controller.results.contents?.snapshotItems.ids.array
  }

  private static func isPaged(_ controller: NSFetchedResultsController<Catalog.Item>) -> Bool {
    controller.results.contents?.isPaged == true
  }

  /// The IDs that a new context fetches.
  private static func fetched(
    _ order: [NSSortDescriptor], _ context: NSManagedObjectContext
  ) throws -> [NSManagedObjectID] {
    let coordinator = try #require(context.persistentStoreCoordinator)
    let other = TestModel.context(coordinator)
    return try other.performAndWait {
      let request = Catalog.request()
      request.sortDescriptors = order
      return try other.fetch(request).map(\.objectID)
    }
  }

  /// Merges what another stack saves into a paged list of 2,000 rows.
  private func follow(
    sections: String? = nil,
    _ body: (OtherStack, NSFetchedResultsController<Catalog.Item>, ([String: [URL]]) throws -> Cost) throws -> Void
  ) throws {
    let url = try #require(try TestStore.sqlite.place())
    defer { TestStore.sqlite.remove(url) }
    let other = try OtherStack(url)
    _ = try other.insert((0..<2000).map { $0 * 10 })
    let context = TestModel.context(try TestStore.sqlite.coordinator(Catalog.model(), url: url))
    try context.performAndWait {
      let request = sections.map { Catalog.request($0, "rank", "serial") } ?? Catalog.request("rank", "serial")
      request.fetchBatchSize = 20
      let order = request.sortDescriptors ?? []
      let controller = Catalog.controller(request, context, sections: sections)
      let listener = Listener()
      controller.delegate = listener
      try controller.performFetch()
      #expect(controller.object(at: [0, 0]).number("serial") == 0)
      try body(other, controller) { changes in
        let cost = Cost { NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context]) }
        let fresh = try Self.fetched(order, context)
        #expect(Self.places(controller) == fresh && Self.isPaged(controller))
        // The next merge reads again what no object has.
        for store in context.persistentStoreCoordinator?.sqlStores ?? [] { store.rows.removeAll() }
        return cost
      }
      withExtendedLifetime(listener) {}
    }
  }

  /// 2,000 rows are halved 11 times. The first four steps of all searches are the same 15 rows, the next four 15 rows in
  /// each of 16 parts, and the last three are up to one row a step for each of 100 objects: five statements. The new rows
  /// are two more. A statement has 16, 32, 64 or 256 keys, so that these 560 rows are fewer than 1,200 keys.
  @Test func objectsThatComeTogetherAreFoundByFewStatements() throws {
    try follow { other, _, merge in
      let first = try merge(try other.insert((0..<100).map { $0 * 199 + 5 }, serial: 5000))
      #expect(first.statements <= 8 && first.rows <= 1200, "\(first)")
      let second = try merge(try other.insert((0..<100).map { $0 * 199 + 6 }, serial: 6000))
      #expect(second.statements < first.statements && second.rows < first.rows, "\(first) \(second)")
    }
  }

  @Test func objectsThatMoveOrGoTogetherReadTheirNeighboursTogether() throws {
    try follow { other, controller, merge in
      let move = try merge(try other.move((0..<100).map { $0 * 20 + 7 }, by: 4003))
      #expect(move.statements <= 12, "\(move)")
      let deletion = try merge(try other.delete((0..<100).map { $0 * 20 + 3 }))
      #expect(deletion.statements <= 4, "\(deletion)")
      #expect(controller.sections?[0].numberOfObjects == 1900)
    }
  }

  /// Each of 20 sections has 100 rows, which are halved 7 times: three steps in all sections, two times two steps, and the
  /// new rows.
  @Test func objectsOfAllSectionsAreFoundTogether() throws {
    try follow(sections: "kind") { other, controller, merge in
      let cost = try merge(try other.insert((0..<100).map { $0 * 199 + 5 }, serial: 5000))
      #expect(cost.statements <= 10 && cost.rows <= 1100, "\(cost)")
      let new = try merge(try other.insert([7 * 10 + 3, 50_000 * 10 + 7], serial: 6000))
      #expect(new.statements <= 8, "\(new)")
      #expect(controller.sections?.count == 20)
    }
  }

  /// One object reads the rows of four steps in a statement.
  @Test func oneObjectReadsFourStepsInAStatement() throws {
    try follow { other, controller, merge in
      let first = try merge(try other.insert([10_005], serial: 5000))
      #expect(first.statements <= 4 && first.rows <= 64, "\(first)")
      #expect(controller.object(at: [0, 1001]).number("serial") == 5000)
    }
  }
}
