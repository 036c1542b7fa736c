import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// How old rows may be that faults take from the cache.
@Suite struct StalenessTests {
  private let coordinator: NSPersistentStoreCoordinator
  private let store: RecordingStore

  init() throws {
    NSPersistentStoreCoordinator.registerStoreClass(RecordingStore.self, forStoreType: RecordingStore.type)
    let club = TestModel.entity("Club", [TestModel.attribute("name", .stringAttributeType)])
    let member = TestModel.entity("Member", [TestModel.attribute("name", .stringAttributeType)])
    TestModel.relate(club, "members", max: 0, member, "club", max: 1)
    let model = NSManagedObjectModel()
    model.entities = [club, member]
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    store = try #require(
      try coordinator.addPersistentStore(
        ofType: RecordingStore.type, configurationName: nil, at: URL(string: "recording://staleness"))
        as? RecordingStore)
    try coordinator.inContext { context in
      let club = context.make("Club", ["name": "old"])
      for name in ["a", "b"] { _ = context.make("Member", ["name": name, "club": club]) }
      try context.save()
    }
  }

  /// What is behind the store changes, and nobody says so.
  private func rename(_ name: String) {
    store.withState { state in
      for (number, node) in state.nodes where node["entity"] as? String == "Club" {
        state.nodes[number]?["name"] = name
      }
    }
  }

  @Test func rowsOfAnyAgeByDefault() throws {
    try coordinator.inContext { context in
      #expect(context.stalenessInterval == -1)
      rename("new")
      let club = try context.all("Club")[0]
      #expect(club.text("name") == "old")
      context.refresh(club, mergeChanges: true)
      #expect(club.text("name") == "old")
      context.refreshAllObjects()
      #expect(club.text("name") == "old")
    }
  }

  @Test(arguments: [0, 1e-9]) func rowsFromTheStoreAlways(_ interval: TimeInterval) throws {
    try coordinator.inContext { context in
      context.stalenessInterval = interval
      let club = try context.all("Club")[0]
      for (round, name) in ["1", "2", "3", "4"].enumerated() {
        rename(name)
        if round == 3 { context.refreshAllObjects() } else { context.refresh(club, mergeChanges: round == 1) }
        #expect(club.text("name") == name)
      }
      rename("5")
      #expect(club.text("name") == "4")
      try coordinator.inContext { other throws in
        other.stalenessInterval = interval
        #expect(try other.existingObject(with: club.objectID).text("name") == "5")
      }
    }
  }

  @Test func recentRowsFromTheCache() throws {
    try coordinator.inContext { context in
      context.stalenessInterval = 36_000
      rename("1")
      let club = try context.all("Club")[0]
      // How old the row is was not noted before.
      #expect(club.text("name") == "1")
      rename("2")
      context.refresh(club, mergeChanges: false)
      #expect(club.text("name") == "1")
      context.stalenessInterval = 1e-9
      context.refresh(club, mergeChanges: false)
      #expect(club.text("name") == "2")
      rename("3")
      context.stalenessInterval = 36_000
      context.refresh(club, mergeChanges: false)
      #expect(club.text("name") == "2")
      // What a save writes is recent.
      club.setValue("4", forKey: "name")
      try context.save()
      rename("5")
      context.refresh(club, mergeChanges: false)
      #expect(club.text("name") == "4")
    }
  }

  @Test func relationshipsToo() throws {
    try coordinator.inContext { context in
      let club = try context.all("Club")[0]
      #expect(club.many("members").count == 2)
      store.withState { _ = $0.members[store.number(club.objectID)]?.removeLast() }
      for (interval, count) in [(-1, 2), (0, 1)] as [(TimeInterval, Int)] {
        context.stalenessInterval = interval
        context.refresh(club, mergeChanges: true)
        #expect(club.many("members").count == count)
      }
      context.stalenessInterval = 36_000
      store.withState { $0.members[store.number(club.objectID)] = [] }
      context.refresh(club, mergeChanges: true)
      #expect(club.many("members").isEmpty)
    }
  }

  @Test func statementsOfASQLiteStore() throws {
    let coordinator = try Society.coordinator()
    try coordinator.inContext { context in
      for number in 0..<3 { _ = context.make("Person", ["number": number]) }
      try context.save()
    }
    func reads(_ interval: TimeInterval) throws -> Int {
      try coordinator.inContext { context in
        context.stalenessInterval = interval
        let all = try context.all("Person")
        return StatementLog.collect(thisThread: true) { for person in all { _ = person.number("number") } }
          .statements.count { $0.hasPrefix("SELECT") }
      }
    }
    #expect(try reads(-1) == 0)
    #expect(try reads(0) == 3)
    #expect(try reads(36_000) <= 3)
    #expect(try reads(36_000) == 0)
    #expect(try reads(-1) == 0)
  }
}
