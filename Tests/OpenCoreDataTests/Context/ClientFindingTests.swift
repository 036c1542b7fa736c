import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What tests of public libraries expect of contexts and objects.
@Suite struct ClientFindingTests {
  @Test(arguments: TestStore.all) func aRefreshedInsertionIsAFaultAndLosesNothing(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      let person = context.make("Person", ["name": "a"])
      context.refresh(person, mergeChanges: true)
      #expect(!person.isFault)
      context.refresh(person, mergeChanges: false)
      #expect(person.isFault && person.isInserted)
      #expect(person.text("name") == "a" && !person.isFault)
      context.refresh(person, mergeChanges: false)
      try context.save()
      #expect(!person.isFault && !person.isInserted)
      #expect(try context.names("Person") == ["a"])
    }
  }

  @Test(arguments: TestStore.all) func aRefreshedInsertionIsUsedAsBefore(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      context.undoManager = UndoManager()
      let person = context.make("Person", ["name": "a"])
      context.processPendingChanges()
      context.refresh(person, mergeChanges: false)
      #expect(try context.existingObject(with: person.objectID) === person)
      context.refresh(person, mergeChanges: false)
      person.setValue("b", forKey: "name")
      context.processPendingChanges()
      context.refresh(person, mergeChanges: false)
      context.undo()
      #expect(person.text("name") == "a")
      context.refresh(person, mergeChanges: false)
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = context
      try child.performAndWait {
        child.object(with: person.objectID).setValue("c", forKey: "name")
        try child.save()
      }
      #expect(person.text("name") == "c")
    }
  }

  @Test(arguments: TestStore.all) func allObjectsAreReportedAsRefreshed(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      let boss = context.make("Person", ["name": "boss"])
      for number in 0..<100 {
        _ = context.make("Person", ["number": number, "boss": boss, "clubs": [context.make("Club")]])
      }
      try context.save()
    }
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      let boss = try context.named("boss")
      // Nobody has them but relationships.
      for person in boss.many("reports") { _ = person.many("clubs").first?.text("name") }
      let registered = context.registeredObjects.count
      nonisolated(unsafe) var refreshed = 0
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
      ) { refreshed += ($0.userInfo?[NSRefreshedObjectsKey] as? Set<NSManagedObject>)?.count ?? 0 }
      context.refreshAllObjects()
      NotificationCenter.default.removeObserver(token)
      #expect(registered == 201 && refreshed == registered)
    }
  }

  @Test func aSaveTellsItsHistoryToken() throws {
    let url = try TestModel.temporaryFile()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Society.model())
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url,
      options: [NSPersistentHistoryTrackingKey: true as NSNumber])
    try coordinator.inContext { context in
      nonisolated(unsafe) var tokens: [NSPersistentHistoryToken?] = []
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave, object: context, queue: nil
      ) { tokens.append($0.userInfo?["newChangeToken"] as? NSPersistentHistoryToken) }
      defer { NotificationCenter.default.removeObserver(token) }
      for name in ["a", "b"] {
        _ = context.make("Person", ["name": name])
        try context.save()
      }
      try context.save()
      #expect(tokens.count == 3 && tokens[0] != nil && tokens[1] != nil && tokens[2] == nil)
      #expect(tokens[1] == coordinator.currentPersistentHistoryToken(fromStores: nil))
      let after = NSPersistentHistoryChangeRequest.fetchHistory(after: tokens[0])
      let result = try context.execute(after) as? NSPersistentHistoryResult
      #expect((result?.result as? [NSPersistentHistoryTransaction])?.count == 1)
    }
    try Society.coordinator().inContext { context in
      nonisolated(unsafe) var hasToken = false
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave, object: context, queue: nil
      ) { hasToken = $0.userInfo?["newChangeToken"] != nil }
      defer { NotificationCenter.default.removeObserver(token) }
      _ = context.make("Person")
      try context.save()
      #expect(!hasToken)
    }
  }

  @Test func aBatchThroughAChildIsTheRoots() throws {
    let url = try TestModel.temporaryFile()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Society.model())
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url,
      options: [NSPersistentHistoryTrackingKey: true as NSNumber])
    let root = TestModel.context(coordinator)
    (root.name, root.transactionAuthor) = ("root", "root's")
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = root
    (child.name, child.transactionAuthor) = ("child", "child's")
    try child.performAndWait {
      try child.execute(NSBatchInsertRequest(entityName: "Person", objects: [["name": "a"]]))
      let update = NSBatchUpdateRequest(entityName: "Person")
      update.propertiesToUpdate = ["name": "b"]
      try child.execute(update)
      try child.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Person")))
    }
    try root.performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
      let result = try root.execute(request) as? NSPersistentHistoryResult
      let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
      #expect(transactions.map(\.author) == ["root's", "root's", "root's"])
      #expect(transactions.map(\.contextName) == ["root", "root", "root"])
    }
  }

  @Test(arguments: TestStore.all) func anOrderedRelationshipGivesAnOrderedSet(_ store: TestStore) throws {
    try Music.coordinator(store).inContext { context in
      let album = context.make("Album", ["tracks": Music.tracks(3, context)])
      let names = album.value(forKeyPath: "tracks.name") as? NSOrderedSet
      #expect(names?.array as? [String] == ["t0", "t1", "t2"])
    }
  }

  @Test(arguments: TestStore.all) func readingRelationshipsFires(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      _ = context.make("Person", ["name": "a", "clubs": [context.make("Club")]])
      try context.save()
    }
    for read in [{ $0.value(forKey: "clubs") }, { $0.primitiveValue(forKey: "clubs") }] as [(NSManagedObject) -> Any?] {
      try coordinator.inContext { context in
        let person = try context.named("a")
        context.refresh(person, mergeChanges: false)
        #expect(person.isFault)
        #expect((read(person) as? NSSet)?.count == 1 && !person.isFault)
      }
    }
  }

  @Test func anArrayIsNoValueOfAToMany() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Society.coordinator().inContext { context in
        context.make("Person").setValue([context.make("Club")], forKey: "clubs")
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      text.contains("Unacceptable type of value for to-many relationship: property = \"clubs\"; desired type = NSSet"))
  }

  @Test func aFaultOfARemovedStoreIsNotReadFromTheCache() async throws {
    await #expect(processExitsWith: .failure) {
      let coordinator = try Society.coordinator()
      try coordinator.inContext { context in
        let person = context.make("Person", ["name": "a"])
        try context.save()
        context.refresh(person, mergeChanges: false)
        try coordinator.remove(coordinator.persistentStores[0])
        // Stops the program: the store is gone.
        if person.text("name") == "a" { exit(0) }
      }
    }
  }

  @Test func aClassThatNoModelHas() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      guard NobodysObject.entity().name?.isEmpty ?? true else { fatalError("an entity") }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("No NSEntityDescriptions in any model claim the NSManagedObject subclass"))
  }

  @Test func aStoresOwnConfigurationNameIsTaken() throws {
    let url = try TestModel.temporaryFile()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Society.model())
    let store = try TestStore.sqlite.add(to: coordinator, url: url)
    #expect(store.configurationName == "PF_DEFAULT_CONFIGURATION_NAME")
    try coordinator.remove(store)
    let again = try coordinator.addPersistentStore(
      ofType: store.type, configurationName: store.configurationName, at: url)
    try coordinator.remove(again)
    let description = NSPersistentStoreDescription(url: url)
    description.configuration = store.configurationName
    nonisolated(unsafe) var failure: (any Error)?
    coordinator.addPersistentStore(with: description) { failure = $1 }
    #expect(failure == nil && coordinator.persistentStores.count == 1)
    try coordinator.inContext { context in
      _ = context.make("Manager", ["name": "m"])
      try context.save()
    }
  }

  @Test func aConfigurationHasSubentities() throws {
    let model = Society.model()
    model.setEntities([model.entitiesByName["Person"]!], forConfigurationName: "People")
    #expect(model.entities(forConfigurationName: "People")?.compactMap(\.name) == ["Person", "Employee", "Manager"])
    let url = try TestModel.temporaryFile()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: "People", at: url)
    try coordinator.inContext { context in
      _ = context.make("Manager", ["name": "m"])
      try context.save()
      #expect(try context.names("Person") == ["m"])
    }
    #expect(
      (store.metadata[NSStoreModelVersionHashesKey] as? [String: Data])?.keys.sorted() == [
        "Employee", "Manager", "Person",
      ])
  }

  @Test(arguments: TestStore.all) func aChildIsNotToldOfItsOwnInsertions(_ store: TestStore) async throws {
    let coordinator = try Society.coordinator(store)
    let root = TestModel.context(coordinator)
    let child = NSManagedObjectContext(.privateQueue), sibling = NSManagedObjectContext(.privateQueue)
    for context in [child, sibling] {
      context.parent = root
      context.automaticallyMergesChangesFromParent = true
    }
    nonisolated(unsafe) var told: [ObjectIdentifier: Int] = [:]
    nonisolated(unsafe) var kept: [NSManagedObject] = []
    let tokens = [child, sibling].map { context in
      let id = ObjectIdentifier(context)
      return NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
      ) { told[id, default: 0] += ($0.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>)?.count ?? 0 }
    }
    defer { tokens.forEach(NotificationCenter.default.removeObserver) }
    try child.performAndWait {
      kept.append(child.make("Person", ["name": "a"]))
      try child.save()
    }
    try root.performAndWait { try root.save() }
    await child.perform {}
    await sibling.perform {}
    #expect(told[ObjectIdentifier(child)] == 1 && told[ObjectIdentifier(sibling)] == 1)
    child.performAndWait { kept = [] }
  }

  @Test(arguments: TestStore.all) func anObjectThatIsInsertedAgain(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      nonisolated(unsafe) var inserted: [Int] = []
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
      ) { inserted.append(($0.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>)?.count ?? 0) }
      defer { NotificationCenter.default.removeObserver(token) }
      let person = context.make("Person", ["name": "a"])
      context.processPendingChanges()
      context.insert(person)
      context.processPendingChanges()
      #expect(inserted == [1, 1])
      try context.save()
      context.insert(person)
      #expect(person.isInserted && !person.isUpdated && context.insertedObjects == [person] && context.hasChanges)
      context.processPendingChanges()
      #expect(inserted == [1, 1, 1])
      try context.save()
      #expect(!person.isInserted && !context.hasChanges)
      context.insert(person)
      context.rollback()
      #expect(!person.isInserted && !context.hasChanges)
    }
    try coordinator.inContext { context throws in #expect(try context.names("Person") == ["a"]) }
  }
}

final class NobodysObject: NSManagedObject {}
