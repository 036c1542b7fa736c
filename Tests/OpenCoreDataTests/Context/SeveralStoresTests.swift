import CoreData
import Testing

@Suite struct SeveralStoresTests {
  private func coordinator(_ store: TestStore) throws -> NSPersistentStoreCoordinator {
    let coordinator = try Society.coordinator(store)
    try store.add(to: coordinator)
    return coordinator
  }

  @Test(arguments: TestStore.all) func newObjectsGoWhereTheyAreAssigned(_ store: TestStore) throws {
    let coordinator = try coordinator(store)
    try coordinator.inContext { context in
      let stores = coordinator.persistentStores
      let first = context.make("Person", ["name": "A"]), second = context.make("Person", ["name": "B"])
      context.assign(second, to: stores[1])
      try context.save()
      #expect(first.objectID.persistentStore === stores[0] && second.objectID.persistentStore === stores[1])
      #expect(try context.names("Person") == ["A", "B"])
      #expect(first.objectID != second.objectID)
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.affectedStores = [stores[1]]
      #expect(try context.fetch(request) == [second])
    }
  }

  @Test(arguments: TestStore.all) func relationshipsDoNotLeadFromStoreToStore(_ store: TestStore) throws {
    let coordinator = try coordinator(store)
    try coordinator.inContext { context in
      let first = context.make("Person", ["name": "A"]), second = context.make("Person", ["name": "B"])
      context.assign(second, to: coordinator.persistentStores[1])
      first.setValue(second, forKey: "boss")
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectExternalRelationshipError)
      first.setValue(nil, forKey: "boss")
      try context.save()
    }
  }

  /// Each store is a transaction of its own; what the first has written must not be in the way of the next save.
  @Test(arguments: TestStore.all) func aSaveThatFailsInTheSecondStoreCanBeSavedAfterwards(_ kind: TestStore) throws {
    let coordinator = try coordinator(kind)
    try coordinator.inContext { context in
      let first = context.make("Person", ["name": "A"]), second = context.make("Person", ["name": "B"])
      context.assign(second, to: coordinator.persistentStores[1])
      try context.save()
      // Somebody else changes the second store's row.
      let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      other.persistentStoreCoordinator = coordinator
      try other.performAndWait { () throws in
        try other.existingObject(with: second.objectID).setValue("C", forKey: "name")
        try other.save()
      }
      context.delete(first)
      second.setValue("D", forKey: "name")
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectMergeError)
      #expect(first.managedObjectContext == nil && second.hasChanges)
      context.refresh(second, mergeChanges: true)
      try context.save()
      #expect(try context.names("Person") == ["D"])
    }
  }
}
