import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite struct PrefetchTests {
  /// Ten bosses with ten reports each, each of whom has a passport and is in one of three clubs.
  private func coordinator(_ store: TestStore) throws -> NSPersistentStoreCoordinator {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      let clubs = (0..<3).map { context.make("Club", ["name": "C\($0)"]) }
      for number in 0..<10 {
        let boss = context.make("Manager", ["name": "B\(number)"])
        for other in 0..<10 {
          let person = context.make("Person", ["name": "P\(number)\(other)", "boss": boss])
          person.setValue(context.make("Passport", ["number": other]), forKey: "passport")
          person.mutableSetValue(forKey: "clubs").add(clubs[other % 3])
        }
      }
      try context.save()
    }
    coordinator.emptyRowCache()
    return coordinator
  }

  private func fetch(_ keyPaths: [String], _ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Manager")
    request.relationshipKeyPathsForPrefetching = keyPaths
    return try context.fetch(request)
  }

  private func statements(_ body: () throws -> Void) rethrows -> Int {
    try StatementLog.collect(thisThread: true, body).statements.count { $0.hasPrefix("SELECT") }
  }

  @Test func membersAreThere() throws {
    try coordinator(.sqlite).inContext { context throws in
      var bosses: [NSManagedObject] = []
      #expect(try statements { bosses = try fetch(["reports"], context) } == 2)
      #expect(bosses.allSatisfy { !$0.hasFault(forRelationshipNamed: "reports") })
      let count = statements {
        for boss in bosses { #expect(boss.many("reports").compactMap { $0.text("name") }.count == 10) }
      }
      #expect(count == 0)
    }
  }

  /// The walk through all members ends early where most belong to nobody: then the members of each owner are looked up.
  @Test func manyMembersWithoutOwners() throws {
    let coordinator = try coordinator(.sqlite)
    try coordinator.inContext { context in
      for number in 0..<3000 { _ = context.make("Person", ["name": "\(number)"]) }
      try context.save()
    }
    coordinator.emptyRowCache()
    try coordinator.inContext { context throws in
      var bosses: [NSManagedObject] = []
      #expect(try statements { bosses = try fetch(["reports"], context) } == 3)
      #expect(bosses.flatMap { $0.many("reports") }.count == 100)
      #expect(statements { _ = bosses.flatMap { $0.many("reports") }.map { $0.text("name") } } == 0)
    }
  }

  /// Prefetched members are those that are found one owner after the other, whatever the fetch is restricted to and whatever
  /// is pending or cached.
  @Test(arguments: RandomSeeds.seeds(20), TestStore.all)
  func asWithoutPrefetching(_ seed: UInt64, _ store: TestStore) throws {
    var generator = SeededGenerator(seed: seed)
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      var people: [NSManagedObject] = []
      for number in 0..<Int.random(in: 2..<60, using: &generator) {
        let person = context.make(["Person", "Manager"].randomElement(using: &generator) ?? "", ["name": "\(number)"])
        let bosses = people.filter { $0.entity.name == "Manager" }
        if let boss = bosses.randomElement(using: &generator), Bool.random(using: &generator) {
          person.setValue(boss, forKey: "boss")
        }
        people.append(person)
      }
      try context.save()
      for person in people where Int.random(in: 0..<5, using: &generator) == 0 { context.delete(person) }
      try context.save()
    }
    func members(prefetching: Bool, _ generator: inout SeededGenerator) throws -> [String] {
      coordinator.emptyRowCache()
      return try coordinator.inContext { context throws in
        if Bool.random(using: &generator) {
          for person in try context.all("Person", sortedBy: "name").prefix(3) { _ = person.text("name") }
        }
        let person = try context.all("Person", sortedBy: "name").randomElement(using: &generator)
        if Bool.random(using: &generator) { person?.setValue(nil, forKey: "boss") }
        if Bool.random(using: &generator) { coordinator.emptyRowCache() }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Manager")
        if Bool.random(using: &generator) { request.predicate = NSPredicate(format: "name > '2'") }
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
        request.includesSubentities = Bool.random(using: &generator)
        request.relationshipKeyPathsForPrefetching = prefetching ? ["reports"] : []
        return try context.fetch(request).map { boss in
          let reports = boss.many("reports").map { "\($0.entity.name ?? "") \($0.text("name") ?? "")" }.sorted()
          return "\(boss.text("name") ?? ""): \(reports)"
        }
      }
    }
    var (first, second) = (generator, generator)
    #expect(try members(prefetching: true, &first) == members(prefetching: false, &second))
  }

  @Test func nestedKeyPaths() throws {
    try coordinator(.sqlite).inContext { context throws in
      var bosses: [NSManagedObject] = []
      #expect(try statements { bosses = try fetch(["reports.passport", "reports.clubs"], context) } < 10)
      let count = statements {
        for person in bosses.flatMap({ $0.many("reports") }) {
          #expect(person.one("passport")?.number("number") != nil)
          #expect(person.many("clubs").first?.text("name") != nil)
        }
      }
      #expect(count == 0)
    }
  }

  @Test(arguments: ["nothing", "reports.nothing", "name", "reports.name.length"], TestStore.all)
  func aKeyPathThatDoesNotExistIsReported(_ keyPath: String, _ store: TestStore) throws {
    try coordinator(store).inContext { context in
      let error = #expect(throws: NSError.self) { try fetch([keyPath], context) }
      let text = error?.localizedDescription ?? ""
      #expect(text.contains(keyPath) && (text.contains("Manager") || text.contains("Person")))
    }
  }
}
