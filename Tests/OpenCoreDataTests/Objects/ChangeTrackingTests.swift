import CoreData
import Testing

@Suite struct ChangeTrackingTests {
  private func saved(_ store: TestStore, _ body: (NSManagedObjectContext, NSManagedObject) throws -> Void) throws {
    try Society.coordinator(store).inContext { context in
      let person = context.make("Person", ["name": "Ada", "age": 30])
      try context.save()
      try body(context, person)
    }
  }

  @Test(arguments: TestStore.all) func changedAndCommittedValues(_ store: TestStore) throws {
    try saved(store) { context, person in
      #expect(person.changedValues().isEmpty)
      person.setValue("Bea", forKey: "name")
      person.setValue(nil, forKey: "age")
      #expect(person.isUpdated && context.updatedObjects == [person] && person.hasPersistentChangedValues)
      #expect(person.changedValues()["name"] as? String == "Bea" && person.changedValues()["age"] is NSNull)
      let committed = person.committedValues(forKeys: ["name", "age", "boss", "reports"])
      #expect(committed["name"] as? String == "Ada" && committed["age"] as? NSNumber == 30)
      #expect(committed["boss"] is NSNull && (committed["reports"] as? NSSet)?.count == 0)
      try context.save()
      #expect(person.changedValues().isEmpty && !person.isUpdated)
      #expect(person.committedValues(forKeys: ["name"])["name"] as? String == "Bea")
      #expect(person.committedValues(forKeys: ["age"])["age"] is NSNull)
    }
  }

  @Test(arguments: TestStore.all) func anEqualValueMarksUpdatedWithoutChangedValues(_ store: TestStore) throws {
    try saved(store) { context, person in
      person.setValue("Ada", forKey: "name")
      #expect(person.isUpdated && person.hasChanges && context.updatedObjects == [person])
      #expect(person.changedValues().isEmpty && !person.hasPersistentChangedValues)
      person.setValue("Bea", forKey: "name")
      person.setValue("Ada", forKey: "name")
      #expect(person.changedValues().isEmpty)
      try context.save()
      #expect(!person.hasChanges)
    }
  }

  @Test(arguments: TestStore.all) func primitiveSettersAreNoChangeButAreSavedWithOne(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      let person = context.make("Person", ["name": "Ada", "age": 30])
      try context.save()
      person.setPrimitiveValue(31, forKey: "age")
      #expect(person.primitiveValue(forKey: "age") as? NSNumber == 31)
      #expect(!person.hasChanges && person.changedValues().isEmpty && !context.hasChanges)
      person.setValue("Bea", forKey: "name")
      try context.save()
      #expect(person.number("age") == 31)
    }
    try coordinator.inContext { context throws in
      #expect(try context.named("Bea").number("age") == 31)
    }
    coordinator.emptyRowCache()
    try coordinator.inContext { context throws in
      #expect(try context.named("Bea").number("age") == 31)
    }
  }

  @Test(arguments: TestStore.all) func willChangeAroundAPrimitiveSetterIsAChange(_ store: TestStore) throws {
    try saved(store) { context, person in
      person.willChangeValue(forKey: "age")
      person.setPrimitiveValue(31, forKey: "age")
      person.didChangeValue(forKey: "age")
      #expect(person.isUpdated && person.changedValues()["age"] as? NSNumber == 31)
    }
  }

  @Test(arguments: TestStore.all) func relationshipChangesOnBothEnds(_ store: TestStore) throws {
    try saved(store) { context, person in
      let boss = context.make("Manager", ["name": "Boss"])
      #expect(boss.committedValues(forKeys: nil).isEmpty)
      try context.save()
      person.setValue(boss, forKey: "boss")
      #expect(person.changedValues()["boss"] as? NSManagedObject === boss)
      #expect((boss.changedValues()["reports"] as? NSSet)?.contains(person) == true)
      #expect(boss.isUpdated)
      #expect((boss.committedValues(forKeys: ["reports"])["reports"] as? NSSet)?.count == 0)
      try context.save()
      #expect(person.committedValues(forKeys: ["boss"])["boss"] as? NSManagedObject === boss)
      person.setValue(nil, forKey: "boss")
      #expect(person.changedValues()["boss"] is NSNull)
      let committed = person.committedValues(forKeys: nil)
      #expect(committed["boss"] as? NSManagedObject === boss)
    }
  }

  @Test(arguments: TestStore.all) func committedToOneIsOfItsOwnEntity(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      _ = context.make("Person", ["name": "Ada", "boss": context.make("Manager", ["name": "Boss"])])
      try context.save()
    }
    try coordinator.inContext { context in
      let boss = try context.named("Ada").committedValues(forKeys: ["boss"])["boss"] as? NSManagedObject
      #expect(boss?.entity.name == "Manager" && boss?.text("name") == "Boss")
    }
  }

  @Test(arguments: TestStore.all) func rollbackBringsBackTheCommittedValues(_ store: TestStore) throws {
    try saved(store) { context, person in
      let friend = context.make("Person", ["name": "Friend"])
      person.setValue("Bea", forKey: "name")
      person.mutableSetValue(forKey: "friends").add(friend)
      let other = context.make("Person", ["name": "Other"])
      try context.save()
      context.delete(other)
      let extra = context.make("Person", ["name": "Extra"])
      person.setValue("Cy", forKey: "name")
      person.mutableSetValue(forKey: "friends").remove(friend)
      person.setValue(extra, forKey: "partner")
      context.processPendingChanges()
      context.rollback()
      #expect(!context.hasChanges && context.insertedObjects.isEmpty && context.deletedObjects.isEmpty)
      #expect(person.text("name") == "Bea" && person.many("friends") == [friend] && friend.many("friends") == [person])
      #expect(person.one("partner") == nil && !other.isDeleted && other.managedObjectContext === context)
      #expect(extra.managedObjectContext == nil && !extra.isInserted)
      #expect(try context.names("Person") == ["Bea", "Friend", "Other"])
      try context.save()
      #expect(try context.names("Person") == ["Bea", "Friend", "Other"])
    }
  }

  @Test(arguments: TestStore.all) func insertedAndDeletedWithoutSaveJustLeaves(_ store: TestStore) throws {
    try saved(store) { context, person in
      let extra = context.make("Person", ["name": "Extra", "boss": person])
      #expect(person.many("reports") == [extra])
      context.delete(extra)
      context.processPendingChanges()
      #expect(person.many("reports").isEmpty && context.insertedObjects.isEmpty && context.deletedObjects.isEmpty)
      #expect(extra.managedObjectContext == nil)
      try context.save()
      #expect(try context.names("Person") == ["Ada"])
    }
  }
}
