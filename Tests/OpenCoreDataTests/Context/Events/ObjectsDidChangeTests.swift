import CoreData
import Testing

/// `NSManagedObjectContextObjectsDidChange`: which objects, when.
@Suite struct ObjectsDidChangeTests {
  @Test(arguments: TestStore.all) func insertionsUpdatesAndDeletions(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      let ada = try context.named("Ada", "Owner"), bob = try context.named("Bob", "Owner")
      #expect(recorder.events() == [])
      _ = context.owner(["name": "Cy"])
      ada.setValue(8, forKey: "age")
      context.delete(bob)
      #expect(recorder.events() == [])
      context.processPendingChanges()
      #expect(recorder.events() == ["inserted Cy; updated Ada; deleted Bob"])
      context.processPendingChanges()
      try context.save()
      #expect(recorder.events() == [])
    }
  }

  @Test(arguments: TestStore.all) func editsOfAnUnsavedInsertionAreUpdates(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      let cy = context.owner(["name": "Cy"])
      context.processPendingChanges()
      #expect(recorder.events() == ["inserted Cy"])
      cy.setValue("Cyd", forKey: "name")
      context.processPendingChanges()
      #expect(recorder.events() == ["updated Cyd"])
      cy.setValue("CC", forKey: "alias")
      context.processPendingChanges()
      #expect(recorder.events() == ["updated Cyd"])
      #expect(context.insertedObjects == [cy] && context.updatedObjects.isEmpty)
      try context.save()
      let saved = recorder.take().filter { $0.name == .NSManagedObjectContextDidSave }
      #expect(saved.map(\.text) == ["inserted Cyd"])
    }
  }

  @Test(arguments: TestStore.all) func insertedAndDeletedInOneEventIsNothing(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      let cy = context.owner(["name": "Cy"])
      context.delete(cy)
      context.processPendingChanges()
      #expect(recorder.events() == [] && !context.hasChanges && !context.registeredObjects.contains(cy))
      // Its deletion is told of if its insertion was.
      let dee = context.owner(["name": "Dee"])
      context.processPendingChanges()
      context.delete(dee)
      context.processPendingChanges()
      #expect(recorder.events() == ["inserted Dee", "deleted Dee"])
      #expect(dee.managedObjectContext == nil && context.deletedObjects.isEmpty && !context.hasChanges)
      try context.save()
      let saved = recorder.take().first { $0.name == .NSManagedObjectContextDidSave }
      #expect(saved?.text == "")
    }
  }

  @Test(arguments: TestStore.all) func bothEndsOfARelationship(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      let ada = try context.named("Ada", "Owner"), bob = try context.named("Bob", "Owner")
      let rex = try context.named("Rex", "Pet")
      rex.setValue(bob, forKey: "owner")
      context.processPendingChanges()
      #expect(recorder.events() == ["updated Ada, Bob, Rex"])
      ada.mutableSetValue(forKey: "friends").add(bob)
      context.processPendingChanges()
      #expect(recorder.events() == ["updated Ada, Bob"])
      ada.mutableSetValue(forKey: "friends").add(bob)
      context.processPendingChanges()
      #expect(recorder.events() == [])
    }
  }

  @Test(arguments: TestStore.all) func cascadesAndNullifiedObjects(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      let ada = try context.named("Ada", "Owner"), bob = try context.named("Bob", "Owner")
      ada.mutableSetValue(forKey: "friends").add(bob)
      try context.save()
      _ = recorder.take()
      context.delete(ada)
      context.processPendingChanges()
      #expect(recorder.events() == ["updated Bob; deleted Ada, Rex"])
      #expect(context.deletedObjects.count == 2 && context.updatedObjects == [bob])
    }
  }

  @Test(arguments: TestStore.all) func anEqualValueIsToldOfWithoutChangedValues(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      let ada = try context.named("Ada", "Owner")
      ada.setValue("Ada", forKey: "name")
      context.processPendingChanges()
      #expect(recorder.events() == ["updated Ada"] && ada.changedValues().isEmpty && context.updatedObjects == [ada])
    }
  }

  @Test(arguments: TestStore.all(that: .batchUpdates)) func whatIsNoChangeIsNotToldOf(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      let ada = try context.named("Ada", "Owner")
      ada.setPrimitiveValue("Eve", forKey: "name")
      ada.setPrimitiveValue("E", forKey: "alias")
      context.processPendingChanges()
      let hooks = EventHooks(context)
      hooks.awakeFromFetch = { $0.setValue("from fetch", forKey: "name") }
      let request = NSFetchRequest<NSManagedObject>(entityName: "Owner")
      request.returnsObjectsAsFaults = false
      let all = try context.fetch(request)
      context.processPendingChanges()
      #expect(recorder.events() == [] && !context.hasChanges)
      let bob = try #require(all.first { $0 !== ada })
      #expect(bob.text("name") == "from fetch" && bob.changedValues().isEmpty && !bob.hasPersistentChangedValues)
      let update = NSBatchUpdateRequest(entityName: "Pet")
      update.propertiesToUpdate = ["age": 3]
      try context.execute(update)
      context.processPendingChanges()
      #expect(recorder.take().isEmpty)
    }
  }

  @Test(arguments: TestStore.all) func transientAttributesCount(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      let ada = try context.named("Ada", "Owner")
      ada.setValue("A", forKey: "alias")
      context.processPendingChanges()
      #expect(recorder.events() == ["updated Ada"] && ada.hasChanges && !ada.hasPersistentChangedValues)
    }
  }

  @Test(arguments: TestStore.all) func refreshedObjects(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      let ada = try context.named("Ada", "Owner"), bob = try context.named("Bob", "Owner")
      context.refresh(ada, mergeChanges: false)
      context.refresh(bob, mergeChanges: true)
      #expect(recorder.take().isEmpty)
      context.processPendingChanges()
      #expect(recorder.events() == ["refreshed Ada, Bob"])
      // One that the event has changed besides is updated.
      ada.setValue(9, forKey: "age")
      context.refresh(ada, mergeChanges: true)
      context.refresh(bob, mergeChanges: true)
      context.processPendingChanges()
      #expect(recorder.events() == ["updated Ada; refreshed Bob"])
      // Its change was told of before: this time it is refreshed.
      context.refresh(ada, mergeChanges: true)
      context.processPendingChanges()
      #expect(recorder.events() == ["refreshed Ada"] && ada.isUpdated)
      ada.setValue(10, forKey: "age")
      context.refresh(ada, mergeChanges: false)
      context.processPendingChanges()
      #expect(recorder.events() == ["refreshed Ada"] && !ada.isUpdated && ada.number("age") == 7)
    }
  }

  @Test(arguments: TestStore.all) func aChangeAfterARefreshInTheSameEventIsSaved(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      let ada = try context.named("Ada", "Owner")
      ada.setValue(9, forKey: "age")
      context.refresh(ada, mergeChanges: false)
      ada.setValue(11, forKey: "age")
      #expect(context.updatedObjects == [ada])
      try context.save()
      #expect(recorder.events() == ["updated Ada"])
      context.refresh(ada, mergeChanges: false)
      #expect(ada.number("age") == 11)
    }
  }

  @Test(arguments: TestStore.all) func refreshAllObjectsTellsOfAllRegistered(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      let all = try context.all("Owner") + context.all("Pet")
      for object in all { _ = object.text("name") }
      context.refreshAllObjects()
      context.processPendingChanges()
      let told = recorder.take()
      #expect(told.count == 1 && told[0].keys == ["refreshed"] && told[0].objects(.refreshedObjects) == Set(all))
    }
  }

  @Test(arguments: TestStore.all) func resetTellsTheIDs(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      let ada = try context.named("Ada", "Owner"), id = ada.objectID
      ada.setValue(1, forKey: "age")
      let cy = context.owner(["name": "Cy"]), temporary = cy.objectID
      context.reset()
      context.processPendingChanges()
      let told = recorder.take()
      #expect(told.count == 1 && told[0].keys == ["invalidatedAll"])
      let ids = told[0].notification.userInfo?[NSInvalidatedAllObjectsKey] as? [NSManagedObjectID]
      #expect(Set(ids ?? []) == [id, temporary] && !context.hasChanges)
    }
  }

  @Test(arguments: TestStore.all) func rollback(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      let ada = try context.named("Ada", "Owner"), bob = try context.named("Bob", "Owner")
      let cy = context.owner(["name": "Cy"])
      ada.setValue("Eve", forKey: "name")
      context.processPendingChanges()
      context.delete(bob)
      let dee = context.owner(["name": "Dee"])
      _ = recorder.take()
      context.rollback()
      context.processPendingChanges()
      let told = recorder.take()
      #expect(told.count == 1 && told[0].objects(.deletedObjects) == [cy])
      #expect(told[0].objects(.refreshedObjects) == [ada, bob] && told[0].keys == ["deleted", "refreshed"])
      #expect(ada.text("name") == "Ada" && !bob.isDeleted && dee.managedObjectContext == nil)
      context.rollback()
      #expect(recorder.take().isEmpty)
    }
  }

  @Test(arguments: TestStore.all) func deletionsThatAreTakenBack(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      let bob = try context.named("Bob", "Owner")
      context.delete(bob)
      context.insert(bob)
      context.processPendingChanges()
      #expect(recorder.events() == [] && !context.hasChanges)
      context.delete(bob)
      context.processPendingChanges()
      context.insert(bob)
      context.processPendingChanges()
      #expect(recorder.events() == ["deleted Bob", "inserted Bob"] && !context.hasChanges)
    }
  }

  @Test(arguments: TestStore.all) func whatObserversChangeBelongsToTheNextEvent(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      let ada = try context.named("Ada", "Owner"), bob = try context.named("Bob", "Owner")
      recorder.react = { told in
        guard told.name == .NSManagedObjectContextObjectsDidChange, told.objects(.updatedObjects).contains(ada) else {
          return
        }
        bob.setValue(told.objects(.updatedObjects).count, forKey: "age")
      }
      ada.setValue(1, forKey: "age")
      context.processPendingChanges()
      #expect(recorder.events() == ["updated Ada"] && context.updatedObjects == [ada, bob])
      context.processPendingChanges()
      #expect(recorder.events() == ["updated Bob"])
      ada.setValue(2, forKey: "age")
      try context.save()
      #expect(recorder.events() == ["updated Ada", "updated Bob"] && !context.hasChanges)
    }
  }

  @Test(arguments: TestStore.all) func performEndsAnEventAndPerformAndWaitDoesNot(_ store: TestStore) async throws {
    let context = TestModel.context(try EventWorld.coordinator(store))
    nonisolated(unsafe) let recorder = EventRecorder(context)
    nonisolated(unsafe) var threads: [Thread] = []
    recorder.react = { _ in threads.append(Thread.current) }
    context.performAndWait { _ = context.owner(["name": "Ada"]) }
    #expect(recorder.told.isEmpty)
    nonisolated(unsafe) var thread: Thread?
    await context.perform { thread = Thread.current }
    #expect(recorder.events() == ["inserted Ada"] && threads == [thread].compactMap { $0 })
    await context.perform(schedule: .enqueued) { _ = context.owner(["name": "Bob"]) }
    #expect(recorder.events() == ["inserted Bob"])
  }

  @Test(arguments: TestStore.all) func anInaccessibleFaultIsToldOfAsDeleted(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      let bob = try context.named("Bob", "Owner")
      try context.persistentStoreCoordinator?.inContext { other in
        other.delete(try other.named("Bob", "Owner"))
        try other.save()
      }
      context.refresh(bob, mergeChanges: false)
      context.processPendingChanges()
      _ = recorder.take()
      #expect(bob.text("name") == nil && bob.isDeleted)
      context.processPendingChanges()
      #expect(recorder.events() == ["deleted nil"] && context.deletedObjects == [bob])
      try context.save()
      #expect(bob.managedObjectContext == nil && !context.hasChanges)
    }
  }

  @Test func namesAndKeys() {
    typealias Key = NSManagedObjectContext.NotificationKey
    let keys: [(Key, String)] = [
      (.insertedObjects, NSInsertedObjectsKey), (.updatedObjects, NSUpdatedObjectsKey),
      (.deletedObjects, NSDeletedObjectsKey), (.refreshedObjects, NSRefreshedObjectsKey),
      (.invalidatedObjects, NSInvalidatedObjectsKey), (.invalidatedAllObjects, NSInvalidatedAllObjectsKey),
      (.insertedObjectIDs, NSInsertedObjectIDsKey), (.updatedObjectIDs, NSUpdatedObjectIDsKey),
      (.deletedObjectIDs, NSDeletedObjectIDsKey), (.refreshedObjectIDs, NSRefreshedObjectIDsKey),
      (.invalidatedObjectIDs, NSInvalidatedObjectIDsKey), (.queryGeneration, NSManagedObjectContextQueryGenerationKey),
    ]
    #expect(keys.allSatisfy { $0.rawValue == $1 && Key(rawValue: $1) == $0 } && Set(keys.map(\.1)).count == 12)
    #expect([NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey] == ["inserted", "updated", "deleted"])
    #expect(NSManagedObjectContext.didChangeObjectsNotification == .NSManagedObjectContextObjectsDidChange)
    #expect(NSManagedObjectContext.willSaveObjectsNotification == .NSManagedObjectContextWillSave)
    #expect(NSManagedObjectContext.didSaveObjectsNotification == .NSManagedObjectContextDidSave)
    #expect(NSManagedObjectContext.didSaveObjectIDsNotification == .NSManagedObjectContextDidSaveObjectIDs)
    #expect(
      NSManagedObjectContext.didMergeChangesObjectIDsNotification == .NSManagedObjectContextDidMergeChangesObjectIDs)
  }
}
