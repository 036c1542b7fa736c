import CoreData
import Testing

/// Values of to-many relationships that are changed in place.
@Suite struct LooseMembersTests {
  private func clubs(_ count: Int, _ context: NSManagedObjectContext) -> [NSManagedObject] {
    (0..<count).map { context.make("Club", ["name": "c\($0)"]) }
  }

  @Test(arguments: TestStore.all) func whatIsDoneToTheSetReachesTheObject(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      let person = context.make("Person", ["name": "p"]), clubs = clubs(3, context)
      person.setValue(NSSet(array: [clubs[0]]), forKey: "clubs")
      try context.save()
      let set = try #require(person.value(forKey: "clubs") as? NSMutableSet)
      set.add(clubs[1])
      #expect(person.many("clubs") == [clubs[0], clubs[1]] && clubs[1].many("members") == [person])
      #expect(person.isUpdated)
      set.remove(clubs[0])
      set.add(clubs[2])
      #expect(context.hasChanges && clubs[0].many("members").isEmpty)
      try context.save()
      // The same number of members, and nothing else was changed: the save notices.
      set.remove(clubs[2])
      set.add(clubs[0])
      try context.save()
    }
    try coordinator.inContext { context throws in
      #expect(try Set(context.named("p").many("clubs").map { $0.text("name") }) == ["c0", "c1"])
    }
  }

  @Test(arguments: TestStore.all) func theSetShowsWhatIsDoneToTheObject(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      let person = context.make("Person", ["name": "p"]), clubs = clubs(3, context)
      let set = try #require(person.value(forKey: "clubs") as? NSMutableSet)
      person.mutableSetValue(forKey: "clubs").add(clubs[0])
      #expect(person.value(forKey: "clubs") as? Set<NSManagedObject> == [clubs[0]])
      #expect(set.contains(clubs[0]))
      set.add(clubs[1])
      person.mutableSetValue(forKey: "clubs").remove(clubs[0])
      #expect(person.many("clubs") == [clubs[1]] && set.isEqual(NSSet(array: [clubs[1]])))
    }
  }

  /// What is set later counts, though the number of members did not show the change before it.
  @Test(arguments: TestStore.all) func laterChangesWin(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      let person = context.make("Person", ["name": "p"]), clubs = clubs(2, context)
      person.setValue(NSSet(array: [clubs[0]]), forKey: "clubs")
      try context.save()
      let set = try #require(person.value(forKey: "clubs") as? NSMutableSet)
      set.remove(clubs[0])
      set.add(clubs[1])
      person.setValue(NSSet(array: [clubs[0]]), forKey: "clubs")
      try context.save()
      #expect(person.many("clubs") == [clubs[0]])
    }
  }

  @Test(arguments: TestStore.all) func aRefreshDropsWhatWasDoneToTheSet(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      let person = context.make("Person", ["name": "p"]), clubs = clubs(1, context)
      try context.save()
      (person.value(forKey: "clubs") as? NSMutableSet)?.add(clubs[0])
      // As after any other change of the relationship, both ends have to be refreshed.
      for object in [person, clubs[0]] { context.refresh(object, mergeChanges: false) }
      #expect(!context.hasChanges)
      #expect(person.many("clubs").isEmpty)
    }
  }

  @Test(arguments: TestStore.all) func castsToSwiftSetsAndSets(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      let person = context.make("Person", ["name": "p"]), clubs = clubs(2, context)
      person.setValue(NSSet(array: clubs), forKey: "clubs")
      #expect((person.value(forKey: "clubs") as? Set<NSManagedObject>)?.count == 2)
      #expect((person.primitiveValue(forKey: "clubs") as? Set<NSManagedObject>)?.count == 2)
      #expect((person.value(forKey: "clubs") as? NSSet)?.count == 2)
      #expect((person.primitiveValue(forKey: "clubs") as? NSMutableSet)?.count == 2)
    }
  }

  @Test(arguments: TestStore.all) func afterARollbackAndForAReleasedSet(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      let person = context.make("Person", ["name": "p"]), clubs = clubs(2, context)
      try context.save()
      let set = try #require(person.value(forKey: "clubs") as? NSMutableSet)
      set.add(clubs[0])
      context.rollback()
      #expect(person.many("clubs").isEmpty && !context.hasChanges)
      (person.value(forKey: "clubs") as? NSMutableSet)?.add(clubs[1])
      try context.save()
      context.refreshAllObjects()
      #expect(person.many("clubs") == [clubs[1]])
    }
  }

  @Test(arguments: TestStore.all) func objectsWhoseSetsWereReadAreLetGo(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      for number in 0..<600 { _ = context.make("Person", ["number": number]) }
      try context.save()
    }
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      var all = try context.all("Person")
      weak let first = all[0]
      for person in all { #expect(person.many("clubs").isEmpty) }
      all = []
      #expect(!context.hasChanges && context.registeredObjects.isEmpty && first == nil)
    }
  }
}
