import CoreData
import Testing

@Suite struct ObjectIDTests {
  @Test(arguments: TestStore.all) func temporaryThenPermanent(_ kind: TestStore) throws {
    let coordinator = try Society.coordinator(kind)
    try coordinator.inContext { context in
      let person = context.make("Manager", ["name": "Ada"])
      let temporary = person.objectID
      #expect(temporary.isTemporaryID && temporary == person.objectID && temporary.persistentStore == nil)
      #expect(temporary.uriRepresentation().absoluteString.hasPrefix("x-coredata:///Manager/t"))
      #expect(context.registeredObject(for: temporary) === person && context.object(with: temporary) === person)
      #expect(try context.existingObject(with: temporary) === person)
      try context.save()
      let permanent = person.objectID
      let store = try #require(coordinator.persistentStores.first)
      #expect(!permanent.isTemporaryID && permanent != temporary && permanent.persistentStore === store)
      #expect(permanent.uriRepresentation().absoluteString == "x-coredata://\(store.identifier!)/Manager/p1")
      #expect(coordinator.managedObjectID(forURIRepresentation: permanent.uriRepresentation()) == permanent)
      #expect(context.registeredObject(for: permanent) === person)
      #expect(permanent.entity.name == "Manager" && Set([permanent, person.objectID]).count == 1)
    }
  }

  @Test(arguments: TestStore.all) func idsWorkAcrossContexts(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    let id = try coordinator.inContext { context in
      let person = context.make("Manager", ["name": "Ada"])
      try context.save()
      return person.objectID
    }
    try coordinator.inContext { context throws in
      #expect(context.registeredObject(for: id) == nil)
      let person = context.object(with: id)
      #expect(person.isFault && person.objectID == id && context.object(with: id) === person)
      #expect(try context.existingObject(with: id) === person)
      #expect(!person.isFault && person.text("name") == "Ada")
      #expect(try context.all("Person").first === person)
    }
  }

  @Test(arguments: TestStore.all) func permanentIDsAheadOfASave(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context throws in
      let people = (0..<3).map { context.make("Person", ["name": "P\($0)"]) }
      try context.obtainPermanentIDs(for: people)
      let ids = people.map(\.objectID)
      #expect(ids.allSatisfy { !$0.isTemporaryID } && Set(ids).count == 3)
      #expect(people.allSatisfy { $0.isInserted && !$0.isFault } && context.object(with: ids[1]) === people[1])
      #expect(try coordinator.inContext { other in try other.all("Person").isEmpty })
      context.delete(people[2])
      try context.save()
      #expect(people[0].objectID == ids[0] && !people[0].hasChanges)
      let next = context.make("Person", ["name": "P3"])
      try context.save()
      #expect(!ids.contains(next.objectID))
      #expect(try context.names("Person") == ["P0", "P1", "P3"])
    }
  }

  @Test(arguments: TestStore.all) func whatIsNotThere(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store), other = try Society.coordinator(store)
    let id = try coordinator.inContext { context in
      let person = context.make("Person")
      try context.save()
      context.delete(person)
      let id = person.objectID
      try context.save()
      return id
    }
    try coordinator.inContext { context in
      var error = #expect(throws: NSError.self) { try context.existingObject(with: id) }
      #expect(error?.code == NSManagedObjectReferentialIntegrityError && error?.domain == NSCocoaErrorDomain)
      let object = context.object(with: id)
      #expect(object.isFault && !object.isDeleted)
      #expect(object.number("age") == nil && object.isDeleted && context.deletedObjects == [object])
      error = #expect(throws: NSError.self) { try context.existingObject(with: id) }
      #expect(error?.code == NSManagedObjectReferentialIntegrityError)
      try context.save()
      #expect(context.deletedObjects.isEmpty)
    }
    try other.inContext { context in
      let error = #expect(throws: NSError.self) { try context.existingObject(with: id) }
      #expect(error?.code == NSManagedObjectReferentialIntegrityError)
      #expect(error?.userInfo["objectID"] as? NSManagedObjectID == id)
    }
    #expect(other.managedObjectID(forURIRepresentation: id.uriRepresentation()) == nil)
  }

  @Test(arguments: TestStore.all) func severalCopiesOfAModel(_ store: TestStore) throws {
    let coordinators = try (0..<3).map { _ in try Society.coordinator(store) }
    for (number, coordinator) in coordinators.enumerated() {
      try coordinator.inContext { context in
        let request = NSFetchRequest<NSManagedObject>()
        // The entity of another copy of the model: the name counts.
        request.entity = coordinators[(number + 1) % 3].managedObjectModel.entitiesByName["Person"]
        _ = context.make("Person", ["name": "P\(number)"])
        try context.save()
        #expect(try context.fetch(request).map { $0.text("name") } == ["P\(number)"])
      }
    }
  }
}
