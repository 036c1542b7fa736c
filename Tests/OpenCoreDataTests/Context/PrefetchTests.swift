import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite struct PrefetchTests {
  /// Ten bosses with ten reports each, each of whom has a passport and is in one of three clubs.
  private func coordinator() throws -> NSPersistentStoreCoordinator {
    let coordinator = try Society.coordinator()
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
    try coordinator().inContext { context throws in
      var bosses: [NSManagedObject] = []
      #expect(try statements { bosses = try fetch(["reports"], context) } == 3)
      #expect(bosses.allSatisfy { !$0.hasFault(forRelationshipNamed: "reports") })
      let count = statements {
        for boss in bosses { #expect(boss.many("reports").compactMap { $0.text("name") }.count == 10) }
      }
      #expect(count == 0)
    }
  }

  @Test func nestedKeyPaths() throws {
    try coordinator().inContext { context throws in
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

  @Test(arguments: ["nothing", "reports.nothing", "name", "reports.name.length"])
  func aKeyPathThatDoesNotExistIsReported(_ keyPath: String) throws {
    try coordinator().inContext { context in
      let error = #expect(throws: NSError.self) { try fetch([keyPath], context) }
      let text = error?.localizedDescription ?? ""
      #expect(text.contains(keyPath) && (text.contains("Manager") || text.contains("Person")))
    }
  }
}
