import CoreData
import Testing

@Suite struct CurrentEventTests {
  private func person(_ store: TestStore, _ body: (NSManagedObjectContext, NSManagedObject) throws -> Void) throws {
    try Society.coordinator(store).inContext { context in
      let person = context.make("Person", ["name": "Ada"])
      try context.save()
      try body(context, person)
    }
  }

  @Test(arguments: TestStore.all) func changesSinceTheLastEvent(_ store: TestStore) throws {
    try person(store) { context, person in
      #expect(person.changedValuesForCurrentEvent().isEmpty)
      person.setValue("Bea", forKey: "name")
      person.setValue(nil, forKey: "age")
      // What there was, as an observer needs it that compares.
      #expect(person.changedValuesForCurrentEvent()["name"] as? String == "Ada")
      #expect(person.changedValuesForCurrentEvent()["age"] as? Int == 7 && person.changedValues()["age"] is NSNull)
      context.processPendingChanges()
      #expect(person.changedValuesForCurrentEvent().isEmpty && person.changedValues().count == 2)
      person.setValue(4, forKey: "number")
      person.setValue("Bea", forKey: "name")
      person.setValue("other", forKey: "alias")
      #expect(person.changedValuesForCurrentEvent() as? [String: NSNull] == ["number": NSNull()])
      person.setValue("Ada", forKey: "name")
      // What the row has is new, too, if the event began with something else.
      #expect(
        person.changedValuesForCurrentEvent()["name"] as? String == "Bea" && person.changedValues()["name"] == nil)
      person.setPrimitiveValue(50, forKey: "age")
      try context.save()
      #expect(person.changedValuesForCurrentEvent().isEmpty && person.changedValues().isEmpty)
    }
  }

  @Test(arguments: TestStore.all) func observersSeeTheEventThatTheyAreToldOf(_ store: TestStore) throws {
    try person(store) { context, person in
      let recorder = EventRecorder(context, [.NSManagedObjectContextObjectsDidChange])
      var seen: [[String: NSObject]] = []
      recorder.react = { _ in seen.append(person.changedValuesForCurrentEvent() as? [String: NSObject] ?? [:]) }
      person.setValue(1, forKey: "number")
      context.processPendingChanges()
      person.setValue(2, forKey: "age")
      context.processPendingChanges()
      person.setValue(3, forKey: "age")
      context.processPendingChanges()
      let expected: [[String: NSObject]] = [["number": NSNull()], ["age": 7 as NSNumber], ["age": 2 as NSNumber]]
      #expect(seen == expected && person.changedValuesForCurrentEvent().isEmpty)
    }
  }

  @Test(arguments: TestStore.all) func relationships(_ store: TestStore) throws {
    try person(store) { context, person in
      let boss = context.make("Manager", ["name": "Boss"]), friend = context.make("Person", ["name": "Friend"])
      try context.save()
      person.setValue(boss, forKey: "boss")
      context.processPendingChanges()
      #expect(boss.changedValuesForCurrentEvent().isEmpty && boss.changedValues().keys.sorted() == ["reports"])
      person.mutableSetValue(forKey: "friends").add(friend)
      #expect(person.changedValuesForCurrentEvent().keys.sorted() == ["friends"])
      #expect(person.changedValuesForCurrentEvent()["friends"] as? NSSet == NSSet(array: []))
      #expect(friend.changedValuesForCurrentEvent()["friends"] as? NSSet == NSSet(array: []))
      person.mutableSetValue(forKey: "friends").remove(friend)
      #expect(person.changedValuesForCurrentEvent().isEmpty)
      person.setValue(nil, forKey: "boss")
      #expect(person.changedValuesForCurrentEvent()["boss"] as? NSManagedObject === boss)
      #expect(person.changedValues().isEmpty && boss.changedValues().isEmpty)
      #expect(boss.changedValuesForCurrentEvent()["reports"] as? NSSet == NSSet(array: [person]))
      try context.save()
      person.setValue(boss, forKey: "boss")
      #expect(person.changedValuesForCurrentEvent()["boss"] is NSNull)
      #expect(boss.changedValuesForCurrentEvent()["reports"] as? NSSet == NSSet(array: []))
      try context.save()
      // From a row, in an event of its own.
      person.setValue(friend, forKey: "boss")
      #expect(person.changedValuesForCurrentEvent()["boss"] as? NSManagedObject === boss)
      #expect(boss.changedValuesForCurrentEvent()["reports"] as? NSSet == NSSet(array: [person]))
      #expect(friend.changedValuesForCurrentEvent()["reports"] as? NSSet == NSSet(array: []))
    }
  }

  @Test(arguments: TestStore.all) func orderedMembersFromBeforeTheEvent(_ store: TestStore) throws {
    let model = Society.family(.nullifyDeleteRule)
    try #require(model.entitiesByName["Parent"]?.relationshipsByName["children"]).isOrdered = true
    try store.coordinator(model).inContext { context in
      let parent = context.make("Parent", ["name": "P"])
      let all = (0..<4).map { context.make("Child", ["name": "\($0)"]) }
      func before() -> [NSManagedObject]? {
        (parent.changedValuesForCurrentEvent()["children"] as? NSOrderedSet)?.array as? [NSManagedObject]
      }
      let children = parent.mutableOrderedSetValue(forKey: "children")
      children.addObjects(from: Array(all.prefix(3)))
      #expect(before() == [])
      try context.save()
      #expect(before() == nil)
      children.moveObjects(at: [2], to: 0)
      #expect(before() == Array(all.prefix(3)))
      context.processPendingChanges()
      children.remove(all[0])
      children.add(all[3])
      #expect(before() == [all[2], all[0], all[1]] && parent.changedValues().keys.sorted() == ["children"])
    }
  }

  @Test(arguments: TestStore.all) func newObjectsHaveTheValuesThatWereSet(_ store: TestStore) throws {
    try person(store) { context, _ in
      let new = context.make("Person")
      #expect(new.changedValues().isEmpty && !new.hasPersistentChangedValues && new.hasChanges)
      #expect(new.changedValuesForCurrentEvent().isEmpty && new.committedValues(forKeys: nil).isEmpty)
      new.setValue("New", forKey: "name")
      new.setValue("alias", forKey: "alias")
      #expect(new.changedValues() as? [String: String] == ["name": "New"] && new.hasPersistentChangedValues)
      #expect(new.changedValuesForCurrentEvent() as? [String: NSNull] == ["name": NSNull()])
      context.processPendingChanges()
      new.setValue(nil, forKey: "age")
      #expect(new.changedValues().keys.sorted() == ["age", "name"])
      #expect(new.changedValuesForCurrentEvent() as? [String: Int] == ["age": 7])
      try context.save()
      #expect(new.changedValues().isEmpty && !new.hasPersistentChangedValues && new.number("age") == nil)
    }
  }

  @Test(arguments: TestStore.all) func addingAMemberThatIsOneIsNoChange(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      let boss = context.make("Person", ["name": "Boss"])
      _ = context.make("Person", ["name": "Ada", "boss": boss])
      try context.save()
    }
    try coordinator.inContext { context in
      let boss = try context.named("Boss"), ada = try context.named("Ada")
      #expect(boss.hasFault(forRelationshipNamed: "reports") && ada.hasFault(forRelationshipNamed: "boss"))
      boss.mutableSetValue(forKey: "reports").add(ada)
      #expect(boss.changedValues().isEmpty && ada.changedValues().isEmpty && !boss.hasPersistentChangedValues)
      try context.save()
      #expect(boss.many("reports") == [ada])
    }
  }

  @Test(arguments: TestStore.all) func relationshipFaults(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      let boss = context.make("Person", ["name": "Boss"])
      _ = context.make("Person", ["name": "Ada", "boss": boss])
      #expect(!boss.hasFault(forRelationshipNamed: "reports") && !boss.hasFault(forRelationshipNamed: "boss"))
      try context.save()
    }
    coordinator.emptyRowCache()
    try coordinator.inContext { context in
      let ada = try context.named("Ada")
      #expect(ada.isFault && ada.faultingState != 0 && ada.hasFault(forRelationshipNamed: "boss") && ada.isFault)
      let boss = try #require(ada.one("boss"))
      #expect(!ada.isFault && ada.faultingState == 0)
      #expect(ada.hasFault(forRelationshipNamed: "boss") && boss.isFault)
      #expect(boss.text("name") == "Boss" && !ada.hasFault(forRelationshipNamed: "boss"))
      #expect(!ada.hasFault(forRelationshipNamed: "partner"))
      #expect(boss.hasFault(forRelationshipNamed: "reports") && boss.many("reports") == [ada])
      #expect(!boss.hasFault(forRelationshipNamed: "reports"))
      #expect(boss.changedValues().isEmpty && ada.hasFault(forRelationshipNamed: "reports"))
    }
  }
}
