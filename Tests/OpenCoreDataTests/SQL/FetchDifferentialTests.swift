import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What a fetch finds is what the predicate says of each object: unsaved, saved, changed, and read again by another
/// context. `SOAK=20` tries more seeds, `SEED=7` one alone.
@Suite("A fetch finds what the predicate says of each object")
struct FetchDifferentialTests {
  static let seeds = RandomSeeds.seeds(3)

  @Test("Random objects and predicates", arguments: seeds, TestStore.ofTables)
  func randomPredicates(seed: UInt64, _ store: TestStore) throws {
    let coordinator = try store.coordinator(PeopleFixture.model())
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      var random = SeededGenerator(seed: seed)
      let objects = RandomPeople(in: context, &random)
      var predicates = objects.predicates(60, &random)
      let pending = check(predicates, objects.people, context, "unsaved, seed \(seed)")
      try context.save()
      let saved = check(predicates, objects.people, context, "saved, seed \(seed)")
      #expect(pending == saved)
      try checkOrders(objects.people, context, "seed \(seed)")
      try checkElsewhere(predicates, objects, coordinator, "other context, seed \(seed)")
      objects.change(&random)
      predicates += objects.predicates(20, &random)
      let changed = check(predicates, objects.people, context, "changed, seed \(seed)")
      try checkOrders(objects.people, context, "changed, seed \(seed)")
      try context.save()
      predicates += objects.identities(&random)
      let again = check(predicates, objects.people, context, "saved again, seed \(seed)")
      #expect(Array(again.prefix(changed.count)) == changed)
    }
  }

  @Test(
    "Some objects changed: what is asked of themselves is answered at once", arguments: seeds, TestStore.ofTables
  )
  func someChanged(seed: UInt64, _ store: TestStore) throws {
    let context = TestModel.context(try store.coordinator(PeopleFixture.model()))
    try context.performAndWait {
      var random = SeededGenerator(seed: seed &+ 1000)
      let objects = RandomPeople(in: context, &random)
      try context.save()
      for person in objects.people where Bool.random(using: &random) {
        objects.setValues(of: person, &random)
        objects.setRelations(of: person, &random)
      }
      context.delete(objects.people[0])
      let left = Array(objects.people.dropFirst())
      let formats = [
        "age > 1", "name CONTAINS[cd] 'a'", "price == 2.5", "born == nil", "photo != nil", "boss == nil",
        "boss == %@ OR ANY tags == %@", "%@ IN reports OR %@ IN tags", "tags.@count > 1", "reports.@count == 0",
      ]
      let predicates = formats.map {
        NSPredicate(format: $0, left.randomElement(using: &random), objects.tags.randomElement(using: &random))
      }
      check(predicates, left, context, "seed \(seed)")
      try checkOrders(left, context, "seed \(seed)")
    }
  }

  @Test("An entity without its subentities comes with its own values", arguments: TestStore.all(that: .reopening))
  func withoutSubentities(_ store: TestStore) throws {
    let url = try store.place()
    let context = TestModel.context(try store.coordinator(PeopleFixture.model(), url: url))
    let keys = ["name", "age", "price", "born", "uid", "link", "big", "photo"]
    let read = { (people: [NSManagedObject]) in
      Dictionary(
        people.map { ($0.objectID.uriRepresentation(), $0.dictionaryWithValues(forKeys: keys) as NSDictionary) },
        uniquingKeysWith: { first, _ in first })
    }
    var expected: [URL: NSDictionary] = [:]
    try context.performAndWait {
      var random = SeededGenerator(seed: 7)
      let objects = RandomPeople(in: context, &random)
      try context.save()
      expected = read(objects.people.filter { $0.entity.name == "Person" })
    }
    let other = TestModel.context(try store.coordinator(PeopleFixture.model(), url: url))
    try other.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.includesSubentities = false
      request.returnsObjectsAsFaults = false
      let found = read(try other.fetch(request))
      #expect(found == expected && !found.isEmpty)
    }
  }

  /// Compares fetch, count and identifiers with the predicate's own word, and gives the positions found.
  @discardableResult
  private func check(
    _ predicates: [NSPredicate], _ people: [NSManagedObject], _ context: NSManagedObjectContext, _ note: String
  ) -> [[Int]] {
    let isOnServer = context.persistentStoreCoordinator?.persistentStores.first?.type == "PostgreSQL"
    return predicates.map { predicate in
      let expected = Set(people.indices.filter { predicate.evaluate(with: people[$0]) })
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.predicate = predicate
      do {
        let objects = try context.fetch(request)
        let found = Set(people.indices.filter { index in objects.contains { $0 === people[index] } })
        if found != expected || objects.count != found.count {
          let difference = found.symmetricDifference(expected).sorted()
          let values = difference.prefix(2).map { people[$0].dictionaryWithValues(forKeys: ["name", "age", "boss"]) }
          Issue.record("\(note): \(predicate)\n\(difference) found: \(found.sorted()) \(values)")
        }
        #expect(try context.count(for: request) == expected.count, "\(note): \(predicate)")
      } catch {
        // D-PSQ-11: a server computes within the ranges of its types, and refuses the rest.
        if !(isOnServer && (error as NSError).code == NSCoreDataError) {
          Issue.record("\(note): \(predicate): \(error)")
        }
      }
      return expected.sorted()
    }
  }

  /// The same through faults of another context.
  private func checkElsewhere(
    _ predicates: [NSPredicate], _ objects: RandomPeople, _ coordinator: NSPersistentStoreCoordinator, _ note: String
  ) throws {
    let other = TestModel.context(coordinator)
    nonisolated(unsafe) let predicates = predicates
    let ids = objects.people.map(\.objectID)
    try other.performAndWait {
      let people = try ids.map { try other.existingObject(with: $0) }
      check(predicates, people, other, note)
    }
  }

  private func checkOrders(_ people: [NSManagedObject], _ context: NSManagedObjectContext, _ note: String) throws {
    for (key, ascending) in [
      ("name", true), ("age", false), ("weight", true), ("price", true), ("born", false), ("uid", true), ("link", true),
      ("big", true), ("photo", false), ("boss.name", true), ("tags.@count", false),
    ] {
      let isOnServer = context.persistentStoreCoordinator?.persistentStores.first?.type == "PostgreSQL"
      // D-PSQ-04: the order of a locale is the server's.
      for selector in key.hasSuffix("name") && !isOnServer ? ["compare:", "localizedStandardCompare:"] : ["compare:"] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        let descriptor = NSSortDescriptor(key: key, ascending: ascending, selector: Selector(selector))
        request.sortDescriptors = [descriptor]
        let found = try context.fetch(request)
        #expect(Set(found) == Set(people), "\(note)")
        for (first, second) in zip(found, found.dropFirst()) {
          #expect(descriptor.compare(first, to: second) != .orderedDescending, "\(note): \(key) \(selector)")
        }
      }
    }
  }
}
