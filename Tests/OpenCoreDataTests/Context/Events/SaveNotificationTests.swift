import CoreData
import Testing

/// What a save tells and calls, in which order.
@Suite struct SaveNotificationTests {
  private static let order: [Notification.Name] = [
    .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave,
    .NSManagedObjectContextDidSaveObjectIDs,
  ]

  @Test(arguments: TestStore.all) func orderAndContents(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      let hooks = EventHooks(context)
      let ada = try context.named("Ada", "Owner"), bob = try context.named("Bob", "Owner")
      let rex = try context.named("Rex", "Pet")
      let gone = bob.objectID
      let cy = context.owner(["name": "Cy"])
      ada.setValue(8, forKey: "age")
      context.delete(bob)
      context.delete(context.owner(["name": "came and went"]))
      recorder.react = { told in hooks.calls.append(told.name.rawValue) }
      hooks.calls = []
      try context.save()
      let told = recorder.take()
      #expect(told.map(\.name) == Self.order)
      #expect(told[0].text == "inserted Cy; updated Ada; deleted Bob" && told[1].notification.userInfo == nil)
      #expect(told[2].text == "inserted Cy; updated Ada; deleted Bob")
      #expect(told[3].identifiers(.insertedObjectIDs) == [cy.objectID] && !cy.objectID.isTemporaryID)
      #expect(told[3].identifiers(.updatedObjectIDs) == [ada.objectID])
      #expect(told[3].identifiers(.deletedObjectIDs) == [gone])
      #expect(told[3].keys == ["inserted_objectIDs", "updated_objectIDs", "deleted_objectIDs"])
      let names = Self.order.map(\.rawValue)
      #expect(
        Array(hooks.calls.prefix(2)) == Array(names[0...1]) && Array(hooks.calls.suffix(2)) == Array(names[2...3]))
      #expect(Set(hooks.calls[2..<5]) == ["willSave Cy", "willSave Ada", "willSave Bob"])
      #expect(Set(hooks.calls[5..<8]) == ["didSave Cy", "didSave Ada", "didSave Bob"] && hooks.calls.count == 10)
      #expect(told.allSatisfy { $0.notification.object as? NSManagedObjectContext === context } && !rex.hasChanges)
      // Without changes, too.
      try context.save()
      #expect(recorder.take().map(\.name) == Array(Self.order.dropFirst()))
    }
  }

  @Test(arguments: TestStore.all) func changesOfHooksAreSavedAndTold(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      let ada = try context.named("Ada", "Owner"), bob = try context.named("Bob", "Owner")
      let hooks = EventHooks(context)
      hooks.willSave = { owner in
        if owner.number("age") == 1 { owner.setValue(2, forKey: "age") }
        if owner === ada, !bob.isDeleted { context.delete(bob) }
        owner.setPrimitiveValue("primitive", forKey: "name")
      }
      ada.setValue(1, forKey: "age")
      try context.save()
      #expect(hooks.calls.filter { $0.hasPrefix("willSave") }.count == 3 && !context.hasChanges)
      let told = recorder.take()
      #expect(told.map(\.name) == [Self.order[0], Self.order[1], Self.order[0]] + Self.order[2...])
      #expect(told[2].objects(.updatedObjects) == [ada] && told[2].objects(.deletedObjects) == [bob])
      #expect(told[3].objects(.updatedObjects) == [ada] && told[3].objects(.deletedObjects) == [bob])
      context.refresh(ada, mergeChanges: false)
      #expect(ada.number("age") == 2 && ada.text("name") == "primitive")
    }
  }

  @Test(arguments: TestStore.all) func setValuesInDidSaveAreTheNextChange(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      let ada = try context.named("Ada", "Owner")
      let hooks = EventHooks(context)
      hooks.didSave = { owner in if owner.number("age") == 1 { owner.setValue(2, forKey: "age") } }
      ada.setValue(1, forKey: "age")
      try context.save()
      #expect(context.updatedObjects == [ada] && ada.changedValues()["age"] as? NSNumber == 2)
      #expect(recorder.events() == ["updated Ada"])
      context.processPendingChanges()
      #expect(recorder.events() == ["updated Ada"])
      try context.save()
      #expect(!context.hasChanges)
      context.refresh(ada, mergeChanges: false)
      #expect(ada.number("age") == 2)
    }
  }

  @Test(arguments: TestStore.all) func anObserverOfWillSaveMayChangeAndInsert(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      let ada = try context.named("Ada", "Owner")
      let hooks = EventHooks(context)
      recorder.react = { told in
        guard told.name == .NSManagedObjectContextWillSave else { return }
        ada.setValue(3, forKey: "age")
        _ = context.owner(["name": "Cy"])
        context.delete(try! context.named("Rex", "Pet"))
      }
      try context.save()
      let told = recorder.take()
      #expect(told.map(\.name) == [Self.order[1], Self.order[0]] + Self.order[2...])
      #expect(told[1].text == "inserted Cy; updated Ada; deleted Rex" && told[1].text == told[2].text)
      // Ada loses Rex after her hook was called.
      #expect(
        hooks.calls.filter { $0.hasPrefix("willSave") }.sorted() == ["willSave Ada", "willSave Ada", "willSave Cy"])
      #expect(try context.names("Owner") == ["Ada", "Bob", "Cy"] && context.all("Pet").isEmpty)
    }
  }

  @Test(arguments: TestStore.all) func anObserverThatDeletesWhileHooksAreCalled(_ kind: TestStore) throws {
    try EventWorld.inContext(kind) { context, recorder in
      let ada = try context.named("Ada", "Owner")
      let hooks = EventHooks(context)
      var count = 0
      hooks.willSave = { owner in
        count += 1
        if count == 1 { owner.setValue(5, forKey: "age") }
      }
      // The last event before the store is written: Ada's deletion takes Rex with it.
      recorder.react = { told in
        if told.name == .NSManagedObjectContextObjectsDidChange, count == 1, !ada.isDeleted { context.delete(ada) }
      }
      ada.setValue(4, forKey: "age")
      try context.save()
      #expect(try context.names("Owner") == ["Bob"] && context.all("Pet").isEmpty && !context.hasChanges)
      let saved = recorder.take().first { $0.name == .NSManagedObjectContextDidSave }
      #expect(saved?.objects(.deletedObjects).count == 2)
    }
  }

  @Test(arguments: TestStore.all) func anObserverOfDidSaveMaySaveAnotherContext(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      let other = TestModel.context(try #require(context.persistentStoreCoordinator))
      var failure: NSError?
      recorder.react = { told in
        guard told.name == .NSManagedObjectContextDidSave else { return }
        #expect(!context.hasChanges)
        do { try context.save() } catch { failure = error as NSError }
        other.performAndWait {
          _ = other.owner(["name": "Cy"])
          #expect(throws: Never.self) { try other.save() }
        }
      }
      try context.named("Ada", "Owner").setValue(1, forKey: "age")
      try context.save()
      #expect(failure?.code == 132001)
      #expect(try context.names("Owner") == ["Ada", "Bob", "Cy"])
    }
  }

  @Test(arguments: TestStore.all) func aFailedSaveTellsOfNoSave(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      let hooks = EventHooks(context)
      let ada = try context.named("Ada", "Owner")
      try context.persistentStoreCoordinator?.inContext { other in
        try other.named("Ada", "Owner").setValue(9, forKey: "age")
        try other.save()
      }
      hooks.calls = []
      ada.setValue(1, forKey: "age")
      #expect(throws: NSError.self) { try context.save() }
      #expect(recorder.take().map(\.name) == Array(Self.order[0...1]) && context.updatedObjects == [ada])
      #expect(hooks.calls == ["willSave Ada"])
      context.refresh(ada, mergeChanges: true)
      try context.save()
      #expect(hooks.calls == ["willSave Ada", "willSave Ada", "didSave Ada"])
      #expect(recorder.take().map(\.name) == Self.order)
    }
  }

  @Test func aHookThatNeverEndsStopsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try EventWorld.inContext(.sqlite) { context, _ in
        let hooks = EventHooks(context)
        hooks.willSave = { $0.setValue(($0.number("age") ?? 0) % 100 + 1, forKey: "age") }
        try context.named("Ada", "Owner").setValue(1, forKey: "age")
        try context.save()
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("The context is still dirty after 1000 attempts."))
  }

  @Test func anObserverThatNeverEndsStopsTheProgram() async {
    await #expect(processExitsWith: .failure) {
      try EventWorld.inContext(.sqlite) { context, recorder in
        let ada = try context.named("Ada", "Owner")
        recorder.react = { if $0.name == .NSManagedObjectContextObjectsDidChange { ada.setValue(1, forKey: "age") } }
        ada.setValue(1, forKey: "age")
        try context.save()
      }
    }
  }
}
