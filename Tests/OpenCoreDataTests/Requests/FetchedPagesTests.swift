import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite("Objects of a fetch in pages")
struct FetchedPagesTests {
  private func world(_ store: TestStore, _ count: Int) throws -> NSManagedObjectContext {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      for number in 0..<count {
        _ = context.make(number % 3 == 0 ? "Employee" : "Person", ["name": "P", "number": number])
      }
      try context.save()
    }
    coordinator.emptyRowCache()
    return TestModel.context(coordinator)
  }

  private func request(_ batch: Int) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    request.fetchBatchSize = batch
    return request
  }

  private func statements(_ body: () throws -> Void) rethrows -> Int {
    try StatementLog.collect(thisThread: true, body).statements.count { $0.hasPrefix("SELECT") }
  }

  @Test("Only the pages asked for last are there, each read with one statement")
  func pages() throws {
    let context = try world(.sqlite, 10_000)
    try context.performAndWait { () throws in
      let people = try context.fetchPages(request(30), keeping: 4)
      #expect(people.count == 10_000 && people.pageSize == 30 && context.registeredObjects.isEmpty)
      for place in [0, 9_999, 5_000, 29, 7_777, 5_001] {
        let isNew = ![29, 5_001].contains(place)
        var number: Int?
        let count = statements { number = people[place].number("number") }
        #expect(number == place && count == (isNew ? 1 : 0))
      }
      #expect(context.registeredObjects.count <= 4 * 30)
      var sum = 0
      let count = statements { for person in people { sum += person.number("number") ?? 0 } }
      #expect(count <= 334)
      #expect(sum == 49_995_000)
      #expect(context.registeredObjects.count <= 4 * 30)
      #expect(people[2_000].entity.name == "Person" && people[2_001].entity.name == "Employee")
      #expect(people.objectID(at: 2_001) == people[2_001].objectID && people[2_001] === people[2_001])
    }
  }

  @Test("Unsaved changes are in their places, and changed objects stay", arguments: TestStore.all)
  func pending(_ store: TestStore) throws {
    let context = try world(store, 100)
    try context.performAndWait { () throws in
      let all = try context.all("Person", sortedBy: "number")
      all[10].setValue(50, forKey: "number")
      context.delete(all[20])
      _ = context.make("Person", ["number": -1])
      let expected = try context.fetch(request(0)).map { $0.number("number") }
      let people = try context.fetchPages(request(7))
      #expect(people.map { $0.number("number") } == expected && people.count == 100)
      #expect(people[0].objectID.isTemporaryID)
      try context.save()
      #expect(people.map { $0.number("number") } == expected)
      for (place, person) in people.enumerated() { #expect(people.objectID(at: place) == person.objectID) }
    }
  }
}
