import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What a fetch gives with unsaved changes is what it gives once they are saved: objects, IDs, counts, in pages, here and in
/// a child context.
@Suite("Unsaved changes are in what fetches give")
struct PendingFetchTests {
  private static let formats = [
    "age > 1", "age == nil OR age < 3", "name CONTAINS[cd] 'a'", "NOT (name BEGINSWITH 'b')", "price >= 2.5",
    "born != nil",
    "boss == nil", "boss == %@", "boss IN %@", "ANY tags == %@", "tags.@count > 1", "reports.@count == 0",
    "SUBQUERY(tags, $t, $t == %@).@count == 0", "TRUEPREDICATE", "active == YES", "big BETWEEN {3, 20}",
    "age + big > 12", "length:(name) > 2", "self.entity.name == 'Employee'",
  ]

  struct World {
    let context: NSManagedObjectContext
    let people: RandomPeople

    func predicates(_ random: inout SeededGenerator) -> [NSPredicate?] {
      let boss = people.people[3], tag = people.tags[1]
      return [nil]
        + PendingFetchTests.formats.map { format in
          let argument: Any = format.contains("IN") ? Array(people.people[2..<9]) : format.contains("tags") ? tag : boss
          return format.contains("%@")
            ? NSPredicate(format: format, argumentArray: [argument]) : NSPredicate(format: format)
        }
    }

    /// Changes, inserts and deletes some people.
    func change(in context: NSManagedObjectContext, _ random: inout SeededGenerator) {
      for person in people.people.dropFirst(10) where Int.random(in: 0..<3, using: &random) == 0 {
        guard !person.isDeleted else { continue }
        let own = context.object(with: person.objectID)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: context.delete(own)
        case 1: own.setValue(context.object(with: people.people[3].objectID), forKey: "boss")
        default:
          own.setValue(Bool.random(using: &random) ? Int.random(in: 0...6, using: &random) : nil, forKey: "age")
          own.setValue(["Anna", "bob", "", "Straße"].randomElement(using: &random), forKey: "name")
        }
      }
      for number in 0..<3 {
        let new = context.make(number == 1 ? "Employee" : "Person", ["name": "Hanna", "age": number])
        new.setValue(100 + number + Int.random(in: 0..<50, using: &random) * 3, forKey: "big")
      }
      // Delete rules are applied at the end of the event.
      context.processPendingChanges()
    }
  }

  private func world(_ kind: TestStore, _ seed: UInt64) throws -> World {
    let coordinator = try kind.coordinator(PeopleFixture.model())
    let context = TestModel.context(coordinator)
    var random = SeededGenerator(seed: seed)
    let people = try context.performAndWait { () throws -> RandomPeople in
      let people = RandomPeople(in: context, &random)
      for (number, person) in people.people.enumerated() { person.setValue(number, forKey: "big") }
      try context.save()
      return people
    }
    return World(context: context, people: people)
  }

  /// What all requests give: of each the places of objects in the order of `big`, which is every object's own number.
  private func answers(
    _ predicates: [NSPredicate?], _ context: NSManagedObjectContext, _ random: SeededGenerator
  ) throws -> [String] {
    var random = random
    var answers: [String] = []
    for (number, predicate) in predicates.enumerated() {
      let request = NSFetchRequest<NSManagedObject>(entityName: Bool.random(using: &random) ? "Person" : "Employee")
      request.predicate = predicate
      request.includesSubentities = Bool.random(using: &random)
      request.sortDescriptors = [
        NSSortDescriptor(
          key: ["age", "name", "boss.name", "tags.@count", "big"].randomElement(using: &random),
          ascending: .random(using: &random)),
        NSSortDescriptor(key: "big", ascending: true),
      ]
      for (offset, limit) in [(0, 0), (0, 3), (Int.random(in: 1..<9, using: &random), 4), (12, 0), (40, 2)] {
        (request.fetchOffset, request.fetchLimit) = (offset, limit)
        request.fetchBatchSize = Bool.random(using: &random) ? 5 : 0
        let found = try context.fetch(request).compactMap { $0.number("big") }
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: request.entityName ?? "")
        (ids.predicate, ids.sortDescriptors, ids.includesSubentities) = (
          predicate, request.sortDescriptors, request.includesSubentities
        )
        (ids.fetchOffset, ids.fetchLimit, ids.resultType) = (offset, limit, .managedObjectIDResultType)
        let byID = try context.fetch(ids).compactMap { context.object(with: $0).number("big") }
        #expect(byID == found)
        #expect(try context.count(for: request) == found.count)
        answers.append("\(number == 0 ? "all" : Self.formats[number - 1]) \(offset) \(limit): \(found)")
      }
    }
    return answers
  }

  @Test("Random edits, predicates, orders and pages", arguments: RandomSeeds.seeds(2), TestStore.all)
  func random(seed: UInt64, _ kind: TestStore) throws {
    let world = try world(kind, seed)
    try world.context.performAndWait { () throws in
      var random = SeededGenerator(seed: seed &+ 7)
      for _ in 0..<2 {
        world.change(in: world.context, &random)
        let predicates = world.predicates(&random)
        let before = try answers(predicates, world.context, random)
        try world.context.save()
        let after = try answers(predicates, world.context, random)
        for (first, second) in zip(before, after) { #expect(first == second, "seed \(seed)") }
      }
    }
  }

  @Test("In a child context, with changes there and above", arguments: RandomSeeds.seeds(2))
  func children(seed: UInt64) throws {
    let world = try world(.sqlite, seed)
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = world.context
    try world.context.performAndWait { () throws in
      var random = SeededGenerator(seed: seed &+ 70)
      world.change(in: world.context, &random)
      let predicates = world.predicates(&random)
      try child.performAndWait { () throws in
        world.change(in: child, &random)
        let before = try answers(predicates, child, random)
        try child.save()
        let between = try answers(predicates, world.context, random)
        try world.context.save()
        let after = try answers(predicates, world.context, random)
        for (index, answer) in after.enumerated() {
          #expect(before[index] == answer && between[index] == answer, "seed \(seed)")
        }
      }
    }
  }

  @Test("Only changed objects of the entity make a limit larger, and a count reads no objects")
  func limits() throws {
    let world = try world(.sqlite, 4)
    try world.context.performAndWait { () throws in
      for tag in world.people.tags { tag.setValue(tag.number("rank") ?? 0 + 1, forKey: "rank") }
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.sortDescriptors = [NSSortDescriptor(key: "big", ascending: true)]
      request.fetchLimit = 3
      let target = try FetchTarget(request, in: world.context)
      func limit() throws -> Int {
        let run = FetchRun(in: world.context)
        return try run.withPendingChanges(request, target, asksAll: false) { pending in
          run.storeQuery(target, pending, try run.stores(for: request, target)).limit
        }
      }
      #expect(try limit() == 3)
      world.people.people[0].setValue("x", forKey: "name")
      _ = world.context.make("Person")
      #expect(try limit() == 3)
      world.people.people[0].setValue(-1, forKey: "big")
      #expect(try limit() == 4)
      var count = 0
      let log = try StatementLog.collect(thisThread: true) { count = try world.context.count(for: request) }
      #expect(count == 3)
      let selects = log.statements.filter { $0.hasPrefix("SELECT") }
      #expect(selects.count == 2 && selects.allSatisfy { $0.hasPrefix("SELECT COUNT(*)") })
    }
  }

  @Test("A page behind an offset is read without what comes before")
  func offsets() throws {
    let world = try world(.sqlite, 4)
    try world.context.performAndWait { () throws in
      world.people.people[0].setValue(90, forKey: "big")
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.sortDescriptors = [NSSortDescriptor(key: "big", ascending: true)]
      (request.fetchOffset, request.fetchLimit) = (20, 3)
      let target = try FetchTarget(request, in: world.context)
      let run = FetchRun(in: world.context)
      let query = try run.withPendingChanges(request, target, asksAll: false) { pending in
        run.storeQuery(target, pending, try run.stores(for: request, target))
      }
      #expect(query.offset == 19 && query.limit == 5)
      #expect(try world.context.fetch(request).map { $0.number("big") } == [21, 22, 23])
    }
  }
}
