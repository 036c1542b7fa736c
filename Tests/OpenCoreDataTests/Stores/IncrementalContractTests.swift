import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// The calls that an incremental store gets, one by one.
@Suite struct IncrementalContractTests {
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
    let url = URL(string: "recording://here")
    store = try #require(
      try coordinator.addPersistentStore(ofType: RecordingStore.type, configurationName: nil, at: url)
        as? RecordingStore)
  }

  /// A club of two members, saved by a context that is gone.
  private func saveClub() throws {
    try coordinator.inContext { context in
      let club = context.make("Club", ["name": "Chess"])
      for name in ["a", "b"] { _ = context.make("Member", ["name": name, "club": club]) }
      try context.save()
    }
    coordinator.emptyRowCache()
    _ = store.calls()
  }

  @Test func theClassIsRegistered() throws {
    #expect(NSPersistentStoreCoordinator.registeredStoreTypes[RecordingStore.type] == RecordingStore.self)
    #expect(store.metadata[NSStoreTypeKey] as? String == RecordingStore.type && store.identifier == "recording")
    let type = "gone \(UUID())"
    NSPersistentStoreCoordinator.registerStoreClass(RecordingStore.self, forStoreType: type)
    NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: type)
    #expect(
      FileStore.code {
        _ = try coordinator.addPersistentStore(
          ofType: type, configurationName: nil, at: URL(string: "recording://there"))
      } == NSPersistentStoreInvalidTypeError)
  }

  @Test func insertingCallsNothingAndASaveObtainsIDsThenSaves() throws {
    try coordinator.inContext { context in
      let club = context.make("Club", ["name": "Chess"])
      _ = context.make("Member", ["name": "a", "club": club])
      context.processPendingChanges()
      #expect(store.calls() == [] && store.registered == [:])
      try context.save()
      #expect(store.calls() == ["obtain 2", "save 2 0 0"])
      #expect(store.registered.values.sorted() == [1, 1])
      try context.save()
      #expect(store.calls() == [], "nothing to save")
    }
    #expect(store.registered == [:])
  }

  @Test func idsThatWereObtainedAheadAreNotObtainedAgain() throws {
    try coordinator.inContext { context in
      let club = context.make("Club")
      try context.obtainPermanentIDs(for: [club])
      #expect(store.calls() == ["obtain 1"] && !club.objectID.isTemporaryID && club.isInserted)
      try context.save()
      #expect(store.calls() == ["save 1 0 0"])
    }
  }

  @Test(arguments: [false, true]) func insertedAndDeletedIsNothing(processing: Bool) throws {
    try coordinator.inContext { context in
      let club = context.make("Club", ["name": "Chess"])
      let member = context.make("Member", ["club": club])
      if processing { context.processPendingChanges() }
      context.delete(club)
      context.delete(member)
      if processing { context.processPendingChanges() }
      #expect(processing ? !context.hasChanges : true)
      try context.save()
      #expect(store.calls() == [] && !context.hasChanges && context.registeredObjects.isEmpty)
      // Also with an ID of its own.
      let other = context.make("Club")
      try context.obtainPermanentIDs(for: [other])
      context.delete(other)
      try context.save()
      #expect(store.calls() == ["obtain 1"] && store.registered == [:])
      // The rest of a save goes on without them.
      context.delete(context.make("Member"))
      _ = context.make("Member", ["name": "stays"])
      try context.save()
      #expect(store.calls() == ["obtain 1", "save 1 0 0"])
    }
  }

  /// A fetch is one call; a fault that fires is one for its values, and one for a to-many when it is first used.
  @Test func firingFaults() throws {
    try saveClub()
    try coordinator.inContext { (context) throws in
      let club = try context.all("Club")[0]
      #expect(store.calls() == ["fetch Club"] && club.isFault && store.registered == [1: 1])
      #expect(club.text("name") == "Chess")
      #expect(store.calls() == ["values 1"])
      #expect(club.many("members").count == 2 && club.many("members").count == 2)
      #expect(store.calls() == ["members 1"])
      #expect(store.registered == [1: 1, 2: 1, 3: 1])
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Member")) == 2)
      #expect(store.calls() == ["fetch Member"])
      #expect(try context.existingObject(with: club.objectID) === club && store.calls() == [])
    }
  }

  /// A store that knows what a program will read next can bring it along, and one that knows the size of a page need not read
  /// more.
  @Test func aFetchTellsWhatTheProgramWillRead() throws {
    try saveClub()
    try coordinator.inContext { (context) throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Club")
      request.relationshipKeyPathsForPrefetching = ["members"]
      request.fetchBatchSize = 20
      request.includesPropertyValues = false
      _ = try context.fetch(request)
      let told = try #require(store.withState { $0.lastFetch })
      #expect(told.relationshipKeyPathsForPrefetching == ["members"])
      #expect(told.fetchBatchSize == 20 && !told.includesPropertyValues)
      _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Club"))
      let plain = try #require(store.withState { $0.lastFetch })
      #expect(plain.relationshipKeyPathsForPrefetching == nil)
      #expect(plain.fetchBatchSize == 0 && plain.includesPropertyValues)
    }
  }

  /// Rows that a store has heard of newer versions of are asked for again, and those alone.
  @Test func whatIsForgottenIsAskedForAgain() throws {
    try saveClub()
    let held = TestModel.context(coordinator)
    try held.performAndWait {
      let club = try held.all("Club")[0]
      #expect(club.text("name") == "Chess" && club.many("members").count == 2)
      for member in try held.all("Member") { _ = member.text("name") }
      store.withState { state in
        state.nodes[1]?["name"] = "Go"
        state.versions[1] = 2
        state.members[1] = []
      }
      _ = store.calls()
      try coordinator.inContext { context in
        let same = try context.existingObject(with: club.objectID)
        #expect(same.text("name") == "Chess" && same.many("members").count == 2 && store.calls() == [])
      }
      store.forgetRows(of: [club.objectID])
      try coordinator.inContext { context in
        let same = try context.existingObject(with: club.objectID)
        #expect(same.text("name") == "Go" && same.many("members").count == 0)
        #expect(store.calls() == ["values 1", "members 1"])
        for member in try context.all("Member") { _ = member.text("name") }
        #expect(store.calls() == ["fetch Member"])
      }
      // What the context has read stays, and its save is told.
      #expect(club.text("name") == "Chess")
      club.setValue("Bridge", forKey: "name")
      #expect(FileStore.code { try held.save() } == NSManagedObjectMergeError)
    }
  }

  /// What a node lacks: an attribute is nil, a to-one is asked for, once.
  @Test func valuesThatANodeLacks() throws {
    try saveClub()
    store.withState { $0.nodes[2] = ["entity": "Member"] }
    try coordinator.inContext { (context) throws in
      let member = try #require(try context.all("Member").first { store.number($0.objectID) == 2 })
      _ = store.calls()
      #expect(member.text("name") == nil && member.one("club") == nil && member.one("club") == nil)
      #expect(store.calls() == ["values 2", "club 2"])
    }
  }

  @Test func anUpdateAsksForTheValuesAndSaves() throws {
    try saveClub()
    try coordinator.inContext { (context) throws in
      let club = try context.all("Club")[0]
      #expect(club.text("name") == "Chess")
      club.setValue("Go", forKey: "name")
      _ = store.calls()
      try context.save()
      // The members are what the store itself asks its object for.
      #expect(store.calls() == ["values 1", "save 0 1 0", "members 1"])
      #expect(store.withState { $0.versions[1] } == 2)
      context.delete(club)
      for member in try context.all("Member") { context.delete(member) }
      try context.save()
      #expect(store.calls().last == "save 0 0 3")
      #expect(store.registered == [:])
      #expect(try context.all("Club").isEmpty)
    }
  }

  @Test func theStoresErrorsFailTheCallAndNothingElse() throws {
    try saveClub()
    try coordinator.inContext { (context) throws in
      let club = try context.all("Club")[0], gone = context.make("Member", ["name": "c", "club": club])
      club.setValue("Go", forKey: "name")
      store.withState { $0.failure = NSError(domain: "service", code: 7) }
      #expect(throws: NSError.self) { try context.all("Club") }
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.domain == "service" && club.isUpdated && gone.isInserted && context.hasChanges)
      store.withState { $0.failure = nil }
      try context.save()
      #expect(!context.hasChanges && !store.calls().contains("temporary"))
      let request = NSBatchUpdateRequest(entityName: "Club")
      request.propertiesToUpdate = ["name": "all"]
      #expect(
        FileStore.code { _ = try context.execute(request) } == NSPersistentStoreUnsupportedRequestTypeError)
    }
  }

  /// One for each context that has the object; nothing is left when they are gone.
  @Test func registrationsAreCounted() throws {
    try saveClub()
    let (first, second) = (TestModel.context(coordinator), TestModel.context(coordinator))
    try first.performAndWait {
      let club = try first.all("Club")[0]
      let again = try first.all("Club")[0]
      #expect(store.registered == [1: 1] && again === club)
      try second.performAndWait {
        let other = try second.all("Club")[0]
        #expect(store.registered == [1: 2])
        _ = other.many("members").map { $0.text("name") }
        first.reset()
        #expect(store.registered[1] == 1)
        second.delete(other)
        #expect(store.registered[1] == 1)
        second.rollback()
        #expect(store.registered[1] == 1)
        second.delete(other)
        try second.save()
        #expect(store.registered[1] == nil)
      }
      _ = club
    }
    second.performAndWait { second.reset() }
    #expect(store.registered == [:])
    var third: NSManagedObjectContext? = TestModel.context(coordinator)
    var kept: [NSManagedObject] = []
    third?.performAndWait { kept = (try? third?.all("Member")) ?? [] }
    #expect(store.registered == [2: 1, 3: 1] && kept.count == 2)
    third = nil
    #expect(store.registered == [:])
    kept = []
    #expect(store.registered == [:])
    #expect(!store.calls().contains("temporary"))
  }

  /// Contexts that end while their objects are let go elsewhere.
  @Test func registrationsAreCountedAcrossThreads() throws {
    try coordinator.inContext { context in
      for _ in 0..<50 { _ = context.make("Member") }
      try context.save()
    }
    for _ in 0..<20 * Soak.factor {
      nonisolated(unsafe) var objects: [NSManagedObject] = []
      nonisolated(unsafe) var context: NSManagedObjectContext? = TestModel.context(coordinator)
      try context?.performAndWait { objects = try context?.all("Member") ?? [] }
      Soak.threads(2) { number in
        if number == 0 { context = nil } else { while !objects.isEmpty { objects.removeLast() } }
      }
    }
    #expect(store.registered == [:])
  }

  /// Four nils write the metadata alone.
  @Test func metadataAreSavedByTheNextSave() throws {
    coordinator.setMetadata(["mine": 1], for: store)
    try coordinator.inContext { context in
      try context.save()
      #expect(store.calls() == ["save nil nil nil"])
      try context.save()
      #expect(store.calls() == [])
      store.metadata["mine"] = 2
      _ = context.make("Club")
      try context.save()
      #expect(store.calls().filter { $0.hasPrefix("save") } == ["save 1 0 0", "save nil nil nil"])
    }
    #expect(store.withState { $0.savedMetadata.map { $0["mine"] as? Int } } == [1, 2])
  }

  @Test func objectsThatAreNotThere() throws {
    let club = try #require(coordinator.managedObjectModel.entitiesByName["Club"])
    let gone = store.newObjectID(for: club, referenceObject: 99)
    try coordinator.inContext { context in
      let code = FileStore.code { _ = try context.existingObject(with: gone) }
      #expect(code == NSManagedObjectReferentialIntegrityError)
      let object = context.object(with: gone)
      #expect(object.text("name") == nil && object.isDeleted && object.objectID == gone)
      try context.save()
    }
    #expect(store.calls().allSatisfy { $0 == "values 99" } && store.registered == [:])
  }

  /// Beside a store of another kind, each is asked for its own objects alone.
  @Test func severalStores() throws {
    let club = TestModel.entity("Club", [TestModel.attribute("name", .stringAttributeType)])
    let note = TestModel.entity("Note", [TestModel.attribute("name", .stringAttributeType)])
    let model = NSManagedObjectModel()
    model.entities = [club, note]
    model.setEntities([club], forConfigurationName: "web")
    model.setEntities([note], forConfigurationName: "file")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let url = try TestModel.temporaryFile()
    try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: "file", at: url)
    let added = try coordinator.addPersistentStore(
      ofType: RecordingStore.type, configurationName: "web", at: URL(string: "recording://both"))
    let store = try #require(added as? RecordingStore)
    try coordinator.inContext { context in
      let note = context.make("Note", ["name": "n"])
      try context.save()
      #expect(note.objectID.persistentStore !== store && store.calls() == [])
      let club = context.make("Club", ["name": "c"])
      note.setValue("m", forKey: "name")
      try context.save()
      #expect(club.objectID.persistentStore === store && store.calls() == ["obtain 1", "save 1 0 0"])
      #expect(try context.all("Note").count == 1 && store.calls() == [])
      #expect(try context.all("Club") == [club] && store.calls() == ["fetch Club"])
      context.delete(note)
      try context.save()
      #expect(store.calls() == [])
    }
  }

  @Test(arguments: [
    (NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, "Bridge"),
    (.mergeByPropertyObjectTrumpMergePolicyType, "Go"), (.overwriteMergePolicyType, "Go"),
    (.rollbackMergePolicyType, "Bridge"),
  ])
  func aMergePolicyResolvesANewerVersion(_ type: NSMergePolicyType, _ name: String) throws {
    try saveClub()
    try coordinator.inContext { (context) throws in
      context.mergePolicy = NSMergePolicy(merge: type)
      let club = try context.all("Club")[0]
      #expect(club.text("name") == "Chess")
      club.setValue("Go", forKey: "name")
      store.withState { state in
        state.nodes[1]?["name"] = "Bridge"
        state.versions[1] = 5
      }
      try context.save()
      #expect(club.text("name") == name && !context.hasChanges)
      #expect(store.withState { $0.nodes[1]?["name"] as? String } == name)
      club.setValue("Halma", forKey: "name")
      store.withState { $0.nodes[1] = nil }
      try context.save()
      #expect((club.managedObjectContext != nil) == (type == .overwriteMergePolicyType))
      #expect(store.withState { $0.nodes[1] != nil } == (type == .overwriteMergePolicyType))
    }
  }

  /// The store finds a conflict by itself.
  @Test func aMergePolicyResolvesWhatTheStoreFinds() throws {
    try saveClub()
    try coordinator.inContext { (context) throws in
      let club = try context.all("Club")[0]
      club.setValue("Go", forKey: "name")
      store.withState { state in
        state.refuse = { [store] request in
          store.withState { state in
            state.refuse = nil
            state.nodes[1]?["name"] = "Bridge"
            state.versions[1] = 7
          }
          let conflicts = (request.updatedObjects ?? []).map {
            NSMergeConflict(source: $0, newVersion: 7, oldVersion: 1, cachedSnapshot: nil, persistedSnapshot: nil)
          }
          return NSError(
            domain: NSCocoaErrorDomain, code: NSManagedObjectMergeError,
            userInfo: [NSPersistentStoreSaveConflictsErrorKey: conflicts])
        }
      }
      let refuse = store.withState { $0.refuse }
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectMergeError && club.isUpdated)
      context.refresh(club, mergeChanges: true)
      store.withState { $0.refuse = refuse }
      context.mergePolicy = NSMergeByPropertyStoreTrumpMergePolicy
      club.setValue("Go", forKey: "name")
      store.withState { $0.versions[1] = 1 }
      try context.save()
      #expect(!context.hasChanges)
    }
  }

  /// Somebody else has written the object since this context read it.
  @Test func aNewerVersionIsAConflict() throws {
    try saveClub()
    try coordinator.inContext { (context) throws in
      let club = try context.all("Club")[0]
      #expect(club.text("name") == "Chess")
      club.setValue("Go", forKey: "name")
      store.withState { state in
        state.nodes[1]?["name"] = "Bridge"
        state.versions[1] = 5
      }
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectMergeError && club.isUpdated)
      context.refresh(club, mergeChanges: true)
      #expect(club.text("name") == "Go")
      try context.save()
      context.delete(club)
      store.withState { $0.nodes[1] = nil }
      #expect(throws: NSError.self) { try context.save() }
    }
  }
}
