import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What a controller reads and compares, and what it leaves alone.
@Suite(.serialized) struct ControllerScaleTests {
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

  @Test func aBatchSizeReadsOnlyThePagesThatAreLookedAt() throws {
    let context = try filled(2000)
    try context.performAndWait {
      let request = Catalog.request("rank", "serial")
      request.fetchBatchSize = 20
      let controller = Catalog.controller(request, context, sections: "rank")
      // The first read of a connection says more than the fetch itself.
      let fetch = try StatementLog.collect(thisThread: true) { try controller.performFetch() }.statements
        .filter { $0.contains("ZITEM") }
      #expect(controller.sections?.count == 20)
      #expect(controller.sections?[7].numberOfObjects == 100)
      // Keys, and the number of objects by section.
      #expect(fetch.map { $0.contains("GROUP BY") } == [false, true])
      #expect(fetch[0].hasPrefix("SELECT t0.Z_PK, t0.Z_ENT FROM"))
      #expect(controller.fetchedObjects?.allSatisfy(\.isFault) == true)
      let looked = StatementLog.collect(thisThread: true) {
        #expect(controller.object(at: IndexPath(item: 30, section: 7)).number("serial") == 730)
        #expect(controller.fetchedObjects?[731].number("serial") == 731)
        #expect(controller.sections?[7].objects?.count == 100)
        #expect(controller.indexPath(forObject: controller.object(at: [19, 99])) == [19, 99])
      }.statements
      #expect(looked.count == 1 && rowsAsked(looked) <= 64)
      #expect(controller.fetchedObjects?.filter { !$0.isFault }.count == 2)
    }
  }

  /// How many rows statements ask for by key; a batch is read with 1, 16, 64 or 256 variables.
  private func rowsAsked(_ statements: [String]) -> Int {
    statements.reduce(0) { $0 + $1.filter { $0 == "?" }.count }
  }

  @Test func theFetchFiresNoFaults() throws {
    let context = try filled(500)
    try context.performAndWait {
      for sections in [nil, "rank"] {
        let controller = Catalog.controller(Catalog.request("rank", "serial"), context, sections: sections)
        try controller.performFetch()
        #expect(controller.fetchedObjects?.count == 500)
        #expect(controller.fetchedObjects?.allSatisfy(\.isFault) == true)
      }
    }
  }

  @Test func anUpdateReadsOnlyItsNeighbours() throws {
    let context = try filled(2000)
    try context.performAndWait {
      let request = Catalog.request("rank", "serial")
      request.fetchBatchSize = 10
      let controller = Catalog.controller(request, context, sections: "rank")
      let delegate = MirroringDelegate()
      controller.delegate = delegate
      try controller.performFetch()
      delegate.begin(with: controller)
      let item = controller.object(at: [10, 55])
      item.setValue("x", forKey: "note")
      let update = StatementLog.collect(thisThread: true) { context.processPendingChanges() }.statements
      #expect(delegate.counts.updates == 1)
      #expect(update.count <= 1 && rowsAsked(update) <= 16)
      // Elsewhere: the pages that a binary search meets.
      item.setValue(3, forKey: "rank")
      let move = StatementLog.collect(thisThread: true) { context.processPendingChanges() }.statements
      #expect(delegate.counts.moves == 1)
      #expect(move.count <= 12 && rowsAsked(move) <= 12 * 16)
      #expect(controller.indexPath(forObject: item)?.section == 3)
    }
  }

  /// Counts what is compared.
  private final class Counter { var count = 0 }

  @Test(arguments: TestStore.all) func aChangeComparesALogarithmOfTheList(_ store: TestStore) throws {
    let context = try Catalog.context(store)
    context.performAndWait {
      let objects = (0..<20_000).map { context.insert("Item", ["rank": $0 * 2]) }
      let counter = Counter()
      let order = NSSortDescriptor(key: "rank", ascending: true) { left, right in
        counter.count += 1
        return (left as! NSNumber).compare(right as! NSNumber)
      }
      let contents = FetchedContents(objects: objects, sections: SectionTable(count: objects.count))
      let planner = ResultsPlanner(contents: contents, order: [order]) { _ in SectionName("") }
      // An update.
      _ = planner.plan([.init(object: objects[777], place: 777, remains: true)], new: [])
      #expect(counter.count <= 2)
      // A move.
      counter.count = 0
      objects[777].setValue(20_001, forKey: "rank")
      let edit = planner.plan([.init(object: objects[777], place: 777, remains: true)], new: [])
      #expect(edit.removed == [777] && edit.coming.map(\.base) == [10_000])
      #expect(counter.count <= 20)
      // A hundred new ones.
      counter.count = 0
      let new = (0..<100).map { context.insert("Item", ["rank": $0 * 371 + 1]) }
      #expect(planner.plan([], new: new).coming.count == 100)
      #expect(counter.count <= 100 * 30)
    }
  }

  @Test(arguments: TestStore.all) func placesAreFoundAfterManyEdits(_ store: TestStore) throws {
    var random = SeededGenerator(for: "positions")
    let context = try Catalog.context(store)
    context.performAndWait {
      var objects = (0..<3000).map { _ in context.insert("Item") }
      var held = HeldObjects(objects)
      for round in 0..<(400 * Soak.factor) {
        let most = round % 40 == 39 ? 400 : 3
        let removed = Set(
          (0..<Int.random(in: 0...most, using: &random)).map { _ in Int.random(in: 0..<objects.count, using: &random) })
        var edit = ResultsEdit()
        edit.removed = removed.sorted()
        let left = objects.count - removed.count
        let count = objects.count < 2950 ? most : Int.random(in: 0...most, using: &random)
        edit.coming = (0..<count).map { _ in
          ResultsEdit.Coming(
            object: context.insert("Item"), base: Int.random(in: 0...left, using: &random), oldPlace: nil)
        }.sorted { $0.base < $1.base }
        let leaving = edit.removed.map { objects[$0] }
        edit.apply(to: &objects) { $0 }
        held.apply(edit)
        #expect(held.count == objects.count)
        for _ in 0..<5 {
          let place = Int.random(in: 0..<objects.count, using: &random)
          #expect(held.place(of: objects[place]) == place && held[place] === objects[place])
        }
        for object in leaving { #expect(held.place(of: object) == nil) }
        // The array is read at times only, so it is changed along, and made anew.
        if round % 3 == 0 { #expect(held.all() == objects) }
      }
    }
  }

  /// Few changes are made in place, many by putting the list together anew: both give the same list.
  @Test func bothWaysOfEditingAgree() {
    var random = SeededGenerator(for: "edits")
    let model = Catalog.model()
    for _ in 0..<(300 * Soak.factor) {
      let list = Array(0..<Int.random(in: 0...40, using: &random))
      let removed = list.filter { _ in Int.random(in: 0...2, using: &random) == 0 }
      let left = list.filter { !removed.contains($0) }
      var edit = ResultsEdit()
      edit.removed = removed
      let object = NSManagedObject(entity: model.entitiesByName["Item"]!, insertInto: nil)
      let bases = (0..<Int.random(in: 0...30, using: &random)).map { _ in Int.random(in: 0...left.count, using: &random)
      }
      edit.coming = bases.sorted().map { ResultsEdit.Coming(object: object, base: $0, oldPlace: nil) }
      var expected = left
      for base in bases.sorted().reversed() { expected.insert(-1, at: base) }
      var found = list
      edit.apply(to: &found) { _ in -1 }
      #expect(found == expected)
      for place in left { #expect(found[edit.newPlace(ofStaying: place)] == place) }
      for number in edit.coming.indices { #expect(found[edit.newPlace(ofComing: number)] == -1) }
    }
  }
}
