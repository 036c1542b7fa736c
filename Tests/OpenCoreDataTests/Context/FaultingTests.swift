import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite struct FaultingTests {
  @Test(arguments: TestStore.all) func aValueThatWasSetToItselfDoesNotHideOthersChanges(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      let ada = context.make("Person", ["name": "Ada", "age": 1])
      try context.save()
      ada.setValue("Ada", forKey: "name")
      ada.setValue(2, forKey: "age")
      try coordinator.inContext { other in
        try other.named("Ada").setValue("A", forKey: "name")
        try other.save()
      }
      context.refresh(ada, mergeChanges: true)
      #expect(ada.text("name") == "A" && ada.number("age") == 2 && ada.changedValues().keys.sorted() == ["age"])
      try context.save()
      #expect(try coordinator.inContext { try $0.names("Person") } == ["A"])
    }
  }

  /// People P0, P1, ... of which P0 is the boss of all others.
  private func coordinator(_ store: TestStore, _ count: Int, url: URL? = nil) throws -> NSPersistentStoreCoordinator {
    let coordinator = try Society.coordinator(store, url: url)
    try coordinator.inContext { context in
      let all = (0..<count).map { context.make("Person", ["name": "P\($0)", "number": $0]) }
      for person in all.dropFirst() { person.setValue(all[0], forKey: "boss") }
      try context.save()
    }
    coordinator.emptyRowCache()
    return coordinator
  }

  private func statements(_ body: () throws -> Void) rethrows -> Int {
    let statements = try StatementLog.collect(thisThread: true, body).statements
    return statements.count { $0.hasPrefix("SELECT") }
  }

  private func scope(_ body: () throws -> Void) rethrows { try body() }

  /// A fetch of more than the row cache keeps for nobody: its faults fire without reading again.
  @Test func faultsOfALargeFetchFindTheirRows() throws {
    let coordinator = try Society.coordinator()
    // The transaction of the fetch keeps its rows; on a busy machine it would be taken back before the faults fire.
    try #require(coordinator.sqlStores.first).readers.idleNanoseconds = .max
    let long = String(repeating: "x", count: 4000), count = 5000
    #expect(count * long.utf8.count > RowCache.standardByteLimit)
    try coordinator.inContext { context in
      for number in 0..<count { _ = context.make("Person", ["name": long, "number": number]) }
      _ = context.make("House")
      try context.save()
    }
    coordinator.emptyRowCache()
    try coordinator.inContext { context in
      var people = try context.all("Person", sortedBy: "number")
      // While a checkpoint has the writer, it is not known which commit a transaction sees (0), and its rows are not cached. If
      // the pool has taken the connection back since the fetch (`.max`), the fetch may have been such a one, too.
      let store = coordinator.persistentStores[0]
      var attempts = 0
      while [0, .max].contains(context.reads.transaction(on: store).pinnedCommit), attempts < 1000 {
        attempts += 1
        context.reset()
        people = try context.all("Person", sortedBy: "number")
      }
      let areFaults = people.allSatisfy { $0.isFault }
      #expect(areFaults)
      let houses = try coordinator.inContext { try $0.all("House").count }
      #expect(houses == 1)
      var numbers: [Int?] = []
      let read = statements { numbers = people.map { $0.number("number") } }
      #expect(numbers == Array(0..<count))
      #expect(read == 0)
    }
  }

  @Test(arguments: TestStore.all) func oneObjectPerRowAndContext(_ store: TestStore) throws {
    let coordinator = try coordinator(store, 3)
    try coordinator.inContext { context in
      let first = try context.all("Person", sortedBy: "number")
      let second = try context.all("Person", sortedBy: "number")
      #expect(zip(first, second).allSatisfy { $0 === $1 })
      #expect(first[1].one("boss") === first[0] && first[0].many("reports") == [first[1], first[2]])
      try coordinator.inContext { other throws in
        #expect(try other.named("P0") !== first[0])
        #expect(try other.named("P0").objectID == first[0].objectID)
      }
    }
  }

  @Test(arguments: TestStore.all) func objectsAreReleasedWhenNobodyHoldsThem(_ store: TestStore) throws {
    let coordinator = try coordinator(store, 3)
    try coordinator.inContext { context in
      weak var person: NSManagedObject?
      try scope {
        let all = try context.all("Person")
        person = all.first
        #expect(context.registeredObjects.count == 3 && person?.text("name") != nil)
      }
      #expect(person == nil && context.registeredObjects.isEmpty)
      try scope { try context.all("Person").first?.setValue("X", forKey: "name") }
      #expect(context.registeredObjects.count == 1 && context.updatedObjects.count == 1)
      try context.save()
      #expect(context.registeredObjects.isEmpty)
      context.retainsRegisteredObjects = true
      _ = try context.all("Person")
      #expect(context.registeredObjects.count == 3)
      context.retainsRegisteredObjects = false
      #expect(context.registeredObjects.isEmpty)
    }
  }

  @Test func theRowCacheAnswersASecondContext() throws {
    let coordinator = try coordinator(.sqlite, 300)
    try coordinator.inContext { context throws in
      let all = try context.all("Person")
      #expect(all.allSatisfy { $0.isFault })
      #expect(statements { for person in all { _ = person.text("name") } } == 0)
      #expect(!all.contains { $0.isFault })
    }
    try coordinator.inContext { context in
      let ids = (1...300).map { key in
        NSManagedObjectID(
          entity: coordinator.managedObjectModel.entitiesByName["Person"]!, store: coordinator.persistentStores[0],
          key: Int64(key))
      }
      #expect(statements { for id in ids { _ = context.object(with: id).text("name") } } == 0)
    }
  }

  @Test(arguments: [1, 16, 100, 256]) func faultsFireInCompany(_ size: Int) throws {
    let coordinator = try coordinator(.sqlite, 301)
    try coordinator.inContext { context in
      context.faultBatchSize = size
      let batches = (300 + size - 1) / size
      let boss = try context.named("P0")
      let count = try statements {
        let reports = boss.many("reports")
        #expect(reports.count == 300)
        for person in reports { _ = person.text("name") }
        _ = try context.all("Club")
      }
      // One for the keys, one for the clubs.
      #expect(count == batches + 2, "size \(size)")
      context.refreshAllObjects()
      coordinator.emptyRowCache()
      let again = try context.all("Person")
      coordinator.emptyRowCache()
      #expect(statements { for person in again { _ = person.text("name") } } == (301 + size - 1) / size)
    }
  }

  @Test(arguments: [1, 16, 256], [0, 20]) func membersOfToOnesFireInCompany(_ size: Int, fetchBatch: Int) throws {
    let coordinator = try Society.coordinator()
    try coordinator.inContext { context in
      for number in 0..<300 {
        let person = context.make(number % 3 == 0 ? "Manager" : "Person", ["number": number])
        if number % 2 == 0 { person.setValue(context.make("Passport", ["number": number]), forKey: "passport") }
      }
      try context.save()
    }
    coordinator.emptyRowCache()
    try coordinator.inContext { context in
      context.faultBatchSize = size
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
      request.fetchBatchSize = fetchBatch
      let all = try context.fetch(request)
      var numbers: [Int] = []
      let count = statements { numbers = all.compactMap { $0.one("passport")?.number("number") } }
      #expect(numbers == Array(stride(from: 0, to: 300, by: 2)))
      let owners = fetchBatch == 0 ? 0 : 300 / fetchBatch
      let batches = (150 + size - 1) / size
      #expect(count <= owners + max(batches, fetchBatch == 0 || size == 1 ? batches : owners * 2), "\(count)")
    }
  }

  @Test func fetchBatchSizeReadsInBatches() throws {
    let coordinator = try coordinator(.sqlite, 100)
    try coordinator.inContext { context throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
      request.fetchBatchSize = 20
      var all: [NSManagedObject] = []
      #expect(try statements { all = try context.fetch(request) } == 1)
      #expect(all.count == 100 && all.allSatisfy { $0.isFault })
      var numbers: [Int?] = []
      #expect(statements { numbers = all.map { $0.number("number") } } == 5)
      #expect(numbers == Array(0..<100))
    }
  }

  @Test(arguments: TestStore.all) func returnsObjectsAsFaultsFalseRealisesAlsoKnownFaults(_ store: TestStore) throws {
    let coordinator = try coordinator(store, 3)
    try coordinator.inContext { context in
      let faults = try context.all("Person")
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.returnsObjectsAsFaults = false
      #expect(try context.fetch(request).allSatisfy { !$0.isFault } && faults.allSatisfy { !$0.isFault })
    }
  }

  @Test func keysOnlyFetchesReadRowsLater() throws {
    let coordinator = try coordinator(.sqlite, 3)
    try coordinator.inContext { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.includesPropertyValues = false
      let all = try context.fetch(request)
      #expect(statements { for person in all { _ = person.text("name") } } == 1)
    }
  }

  @Test(arguments: TestStore.all) func refreshBothWays(_ store: TestStore) throws {
    let coordinator = try coordinator(store, 2)
    try coordinator.inContext { context in
      let person = try context.named("P1")
      person.setValue("mine", forKey: "name")
      try coordinator.inContext { other in
        let same = try other.named("P1")
        same.setValue(99, forKey: "number")
        same.setValue("theirs", forKey: "name")
        try other.save()
      }
      context.refresh(person, mergeChanges: true)
      #expect(person.text("name") == "mine" && person.number("number") == 99)
      #expect(person.isUpdated && person.changedValues().keys.sorted() == ["name"] && !person.isFault)
      context.refresh(person, mergeChanges: false)
      #expect(person.isFault && !person.isUpdated && context.updatedObjects.isEmpty)
      #expect(person.text("name") == "theirs")
      person.setValue("again", forKey: "name")
      try context.save()
      #expect(try context.names("Person") == ["P0", "again"])
    }
  }

  @Test(arguments: TestStore.all) func refreshMergesRelationships(_ store: TestStore) throws {
    let coordinator = try coordinator(store, 4)
    try coordinator.inContext { context in
      let boss = try context.named("P0"), mine = try context.named("P1"), theirs = try context.named("P2")
      #expect(boss.many("reports").count == 3)
      mine.setValue(nil, forKey: "boss")
      try coordinator.inContext { other in
        try other.named("P2").setValue(nil, forKey: "boss")
        try other.save()
      }
      context.refresh(boss, mergeChanges: true)
      context.refresh(theirs, mergeChanges: true)
      #expect(boss.many("reports").map { $0.text("name") } == ["P3"])
      #expect(theirs.one("boss") == nil)
      try context.save()
    }
    try coordinator.inContext { context throws in
      #expect(try context.named("P0").many("reports").map { $0.text("name") } == ["P3"])
    }
  }

  @Test(arguments: TestStore.all) func refreshAllKeepsEdits(_ store: TestStore) throws {
    let coordinator = try coordinator(store, 3)
    try coordinator.inContext { context in
      let all = try context.all("Person", sortedBy: "number")
      for person in all { _ = person.text("name") }
      all[1].setValue("edited", forKey: "name")
      let new = context.make("Person", ["name": "new"])
      try coordinator.inContext { other in
        for person in try other.all("Person") { person.setValue(50, forKey: "age") }
        try other.save()
      }
      #expect(all[0].number("age") == 7)
      context.refreshAllObjects()
      #expect(all[0].isFault && !all[1].isFault && !new.isFault && new.isInserted)
      #expect(all.map { $0.number("age") } == [50, 50, 50] && all[1].text("name") == "edited")
      try context.save()
    }
  }

  @Test(arguments: TestStore.all) func resetLetsGoOfEverything(_ store: TestStore) throws {
    let coordinator = try coordinator(store, 3)
    try coordinator.inContext { context in
      let all = try context.all("Person", sortedBy: "number")
      _ = all[0].many("reports")
      all[1].setValue("edited", forKey: "name")
      let new = context.make("Person", ["name": "new"])
      context.delete(all[2])
      context.reset()
      #expect(context.registeredObjects.isEmpty && !context.hasChanges)
      #expect(all.allSatisfy { $0.managedObjectContext == nil && !$0.hasChanges } && new.managedObjectContext == nil)
      #expect(new.text("name") == nil)
      new.setValue("ignored", forKey: "name")
      try context.save()
      #expect(try context.names("Person") == ["P0", "P1", "P2"])
      #expect(try context.named("P0") !== all[0])
    }
  }

  @Test(arguments: TestStore.all) func objectsOutliveTheirContext(_ store: TestStore) throws {
    let coordinator = try coordinator(store, 3)
    var kept: [NSManagedObject] = []
    try coordinator.inContext { context in
      kept = try context.all("Person", sortedBy: "number")
      #expect(kept[0].text("name") == "P0" && kept[0].many("reports").count == 2)
      kept[1].setValue("edited", forKey: "name")
      kept.append(context.make("Person", ["name": "new"]))
      context.delete(kept[2])
    }
    #expect(kept.allSatisfy { $0.managedObjectContext == nil })
    #expect(kept[0].text("name") == "P0" && kept[1].text("name") == "edited" && kept[3].text("name") == "new")
    #expect(kept[0].description.contains("P0") && !kept[0].objectID.isTemporaryID)
    kept[0].setValue("after", forKey: "name")
    #expect(kept[0].text("name") == "after")
    kept = []
  }

  @Test(arguments: TestStore.all) func objectsMayBeReleasedOnAnyThread(_ store: TestStore) throws {
    let coordinator = try coordinator(store, 200)
    let context = TestModel.context(coordinator)
    for _ in 0..<20 {
      nonisolated(unsafe) var all = try context.performAndWait { try context.all("Person") }
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) { all.removeAll() }
      let count = try context.performAndWait { try context.all("Person").count { $0.text("name") != nil } }
      group.wait()
      #expect(count == 200)
    }
  }
}
