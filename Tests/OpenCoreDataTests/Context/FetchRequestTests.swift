import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What a fetch request can ask for, as a context answers it.
@Suite struct FetchRequestTests {
  private let names = ["item 10", "Item 9", "item 1", "Émile", "emil", "zoe"]

  /// People of those names, numbered, each with the one before for a boss.
  private func context(_ store: TestStore) throws -> NSManagedObjectContext {
    let context = TestModel.context(try Society.coordinator(store))
    try context.performAndWait { () throws in
      var last: NSManagedObject?
      for (number, name) in names.enumerated() {
        let person = context.make("Person", ["name": name, "number": number])
        person.setValue(last, forKey: "boss")
        last = person
      }
      try context.save()
    }
    return context
  }

  private func request(_ descriptors: NSSortDescriptor...) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
    request.sortDescriptors = descriptors
    return request
  }

  private func statements(_ body: () throws -> Void) rethrows -> [String] {
    try StatementLog.collect(thisThread: true, body).statements.filter { $0.hasPrefix("SELECT") }
  }

  @Test(
    arguments: [
      ("compare:", ["Item 9", "emil", "item 1", "item 10", "zoe", "Émile"]),
      ("caseInsensitiveCompare:", ["emil", "item 1", "item 10", "Item 9", "zoe", "Émile"]),
      ("localizedStandardCompare:", ["emil", "Émile", "item 1", "Item 9", "item 10", "zoe"]),
    ], TestStore.all)
  func orderBySelector(_ row: (selector: String, expected: [String]), _ store: TestStore) throws {
    let (selector, expected) = row
    let context = try context(store)
    try context.performAndWait { () throws in
      let request = request(NSSortDescriptor(key: "name", ascending: true, selector: Selector(selector)))
      #expect(try context.fetch(request).map { $0.text("name") } == expected)
      // With something unsaved, memory does the same.
      let new = context.make("Person", ["name": "zoe"])
      new.setValue("zoé", forKey: "name")
      #expect(try context.fetch(request).filter { $0 !== new }.map { $0.text("name") } == expected)
    }
  }

  @Test(arguments: TestStore.all) func orderByARelationshipsKeyAndASecondKey(_ store: TestStore) throws {
    let context = try context(store)
    try context.performAndWait { () throws in
      let all = try context.all("Person", sortedBy: "number")
      for person in all.dropFirst() { person.setValue(all[0], forKey: "boss") }
      let request = request(
        NSSortDescriptor(key: "boss.name", ascending: false), NSSortDescriptor(key: "number", ascending: false))
      for _ in 0..<2 {
        #expect(try context.fetch(request).map { $0.number("number") } == [5, 4, 3, 2, 1, 0])
        try context.save()
      }
    }
  }

  @Test(arguments: TestStore.all) func pages(_ store: TestStore) throws {
    let context = try context(store)
    try context.performAndWait { () throws in
      let request = request(NSSortDescriptor(key: "number", ascending: true))
      request.fetchLimit = 2
      for offset in 0..<8 {
        request.fetchOffset = offset
        let expected = Array((0..<6).dropFirst(offset).prefix(2))
        #expect(try context.fetch(request).map { $0.number("number") } == expected)
        #expect(try context.count(for: request) == expected.count)
      }
      request.fetchLimit = 0
      request.fetchOffset = 4
      #expect(try context.fetch(request).map { $0.number("number") } == [4, 5])
    }
  }

  @Test(arguments: TestStore.all) func pagesWithPendingChanges(_ store: TestStore) throws {
    let context = try context(store)
    try context.performAndWait { () throws in
      let all = try context.all("Person", sortedBy: "number")
      _ = context.make("Person", ["number": -1])
      context.delete(all[1])
      all[4].setValue(100, forKey: "number")
      let expected = [-1, 0, 2, 3, 5, 100]
      let request = request(NSSortDescriptor(key: "number", ascending: true))
      for (offset, limit) in [(0, 2), (1, 2), (2, 3), (4, 9), (5, 0), (7, 2), (1, .max), (.max, .max), (.max, 0)] {
        request.fetchOffset = offset
        request.fetchLimit = limit
        let page = Array(expected.dropFirst(offset).prefix(limit > 0 ? limit : .max))
        #expect(try context.fetch(request).map { $0.number("number") } == page)
        #expect(try context.count(for: request) == page.count)
      }
    }
  }

  @Test(arguments: TestStore.all) func executeUsesTheContextThatIsEntered(_ store: TestStore) throws {
    let context = try context(store)
    let request = request(NSSortDescriptor(key: "number", ascending: true))
    context.performAndWait {
      #expect((try? request.execute())?.first?.managedObjectContext === context)
    }
    let error = #expect(throws: NSError.self) { try request.execute() }
    #expect(error?.localizedDescription.contains("perform") == true)
  }

  @Test func tenThousandObjectsInBatches() throws {
    let coordinator = try Society.coordinator()
    try coordinator.inContext { context in
      for number in 0..<10_000 { _ = context.make("Person", ["name": "P", "number": number]) }
      try context.save()
    }
    coordinator.emptyRowCache()
    try coordinator.inContext { context throws in
      let request = request(NSSortDescriptor(key: "number", ascending: true))
      request.fetchBatchSize = 100
      var all: [NSManagedObject] = []
      #expect(try statements { all = try context.fetch(request) }.count == 1)
      #expect(all.count == 10_000 && all.allSatisfy { $0.isFault })
      // The first screen, the last one from its end, one in the middle, then everything.
      #expect(statements { for person in all[..<50] { _ = person.number("number") } }.count == 1)
      #expect(statements { for person in all[9_920...].reversed() { _ = person.number("number") } }.count == 1)
      #expect(statements { for person in all[5_550..<5_650] { _ = person.number("number") } }.count == 2)
      var sum = 0
      #expect(statements { for person in all { sum += person.number("number") ?? 0 } }.count == 96)
      #expect(sum == 49_995_000)
      #expect(statements { for person in all { sum -= person.number("number") ?? 0 } }.isEmpty && sum == 0)
    }
  }
}
