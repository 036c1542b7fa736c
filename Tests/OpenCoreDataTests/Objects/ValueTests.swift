import CoreData
import Testing

@Suite struct ValueTests {
  @Test(arguments: TestStore.all) func defaultsAndNilOfANewObject(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      let person = context.make("Person")
      #expect(person.isInserted && !person.isFault && person.objectID.isTemporaryID && person.hasChanges)
      #expect(person.number("age") == 7)
      #expect(person.text("alias") == "none")
      #expect(person.value(forKey: "name") == nil && person.one("boss") == nil)
      #expect(person.many("reports").isEmpty)
      #expect(person.value(forKey: "reports") is NSSet)
      person.setValue(nil, forKey: "age")
      #expect(person.value(forKey: "age") == nil)
      try context.save()
      #expect(person.value(forKey: "age") == nil)
      #expect(!person.hasChanges && !person.isInserted && !context.hasChanges)
    }
  }

  @Test(arguments: TestStore.all)
  func anObjectWithoutContextHasItsDefaultsAndCanBeInsertedLater(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    let entity = try #require(coordinator.managedObjectModel.entitiesByName["Person"])
    try coordinator.inContext { context in
      let person = NSManagedObject(entity: entity, insertInto: nil)
      #expect(person.managedObjectContext == nil && person.number("age") == 7)
      person.setValue("Ada", forKey: "name")
      #expect(person.number("age") == 7)
      context.insert(person)
      #expect(person.isInserted && person.managedObjectContext === context)
      try context.save()
    }
    try coordinator.inContext { context throws in
      #expect(try context.named("Ada").number("age") == 7)
    }
  }

  @Test(arguments: TestStore.all) func anyNumberTypeIsAcceptedAndNSNumberComesBack(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      let person = context.make("Employee")
      let numbers: [Any] = [
        5, Int8(5), Int16(5), Int32(5), Int64(5), UInt(5), UInt8(5), UInt16(5), UInt32(5), UInt64(5), 5.0, Float(5),
        CGFloat(5), Decimal(5), NSNumber(value: 5), NSDecimalNumber(value: 5), Int?.some(5) as Any,
      ]
      for number in numbers {
        for key in ["age", "number", "salary"] {
          person.setValue(nil, forKey: key)
          person.setValue(number, forKey: key)
          #expect(person.value(forKey: key) as? NSNumber == 5, "\(type(of: number)) for \(key)")
        }
      }
      #expect(person.value(forKey: "salary") is NSDecimalNumber)
      #expect(person.value(forKey: "age") as? Int16 == 5 && person.value(forKey: "age") as? Int == 5)
      person.setValue(true, forKey: "age")
      #expect(person.value(forKey: "age") as? NSNumber == 1)
      person.setValue(NSNull(), forKey: "age")
      #expect(person.value(forKey: "age") == nil)
    }
  }

  @Test(arguments: TestStore.all) func whatAnObjectKnowsOfItselfIsFoundByKey(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      let person = context.make("Person", ["name": "Ada"])
      #expect(person.value(forKey: "managedObjectContext") as? NSManagedObjectContext === context)
      #expect(person.value(forKey: "hasPersistentChangedValues") as? Bool == true)
      #expect(person.value(forKey: "inserted") as? Bool == true && person.value(forKey: "isInserted") as? Bool == true)
      try context.save()
      context.refresh(person, mergeChanges: false)
      #expect(person.value(forKey: "fault") as? Bool == true)
      #expect(person.value(forKey: "faultingState") as? Int == Int(person.faultingState) && person.faultingState != 0)
      #expect(person.value(forKey: "hasPersistentChangedValues") as? Bool == false)
      context.delete(person)
      #expect(person.value(forKey: "deleted") as? Bool == true && person.value(forKey: "updated") as? Bool == false)
    }
  }

  @Test(arguments: TestStore.all) func keyPathsLeadThroughRelationships(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      let boss = context.make("Manager", ["name": "B"])
      let reports = (1...3).map { context.make("Person", ["name": "R\($0)", "age": $0, "boss": boss]) }
      #expect(reports[0].value(forKeyPath: "boss.name") as? String == "B")
      #expect(boss.value(forKeyPath: "reports.@sum.age") as? NSNumber == 6)
      #expect(boss.value(forKeyPath: "reports.@count") as? NSNumber == 3)
      #expect((boss.value(forKeyPath: "reports.name") as? NSSet)?.count == 3)
      reports[0].setValue("X", forKeyPath: "boss.name")
      #expect(boss.text("name") == "X")
    }
  }

  @Test(arguments: TestStore.all) func transientValuesSurviveASaveAndAreNotStored(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      let person = context.make("Person", ["name": "Ada", "alias": "A", "visits": 9])
      try context.save()
      #expect(person.text("alias") == "A" && person.number("visits") == 9)
      person.setValue("B", forKey: "alias")
      #expect(person.hasChanges && person.changedValues().isEmpty && !person.hasPersistentChangedValues)
      context.refresh(person, mergeChanges: true)
      #expect(person.text("alias") == "B")
      context.refresh(person, mergeChanges: false)
      #expect(person.text("alias") == "none" && person.number("visits") == 3)
    }
    try coordinator.inContext { context in
      let person = try context.named("Ada")
      #expect(person.text("alias") == "none" && person.number("visits") == 3)
    }
  }

  @Test(arguments: TestStore.all) func descriptionFiresNothing(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      _ = context.make("Person", ["name": "Ada"])
      try context.save()
    }
    try coordinator.inContext { context in
      let person = try #require(try context.all("Person").first)
      #expect(person.description.contains("<fault>") && person.isFault)
      #expect(person.faultingState != 0 && person.hasFault(forRelationshipNamed: "reports"))
      _ = (person.hash, person.entity, person.objectID, person.isInserted, person.isUpdated, person.isDeleted)
      #expect(person.isFault)
      #expect(person.text("name") == "Ada")
      #expect(person.description.contains("name = Ada") && person.faultingState == 0)
      #expect(person.hasFault(forRelationshipNamed: "reports"))
      _ = person.many("reports")
      #expect(!person.hasFault(forRelationshipNamed: "reports"))
    }
  }
}
