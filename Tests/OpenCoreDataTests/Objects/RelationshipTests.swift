import CoreData
import Testing

@Suite struct RelationshipTests {
  private func people(_ count: Int, _ context: NSManagedObjectContext) -> [NSManagedObject] {
    (0..<count).map { context.make("Person", ["name": "P\($0)", "number": $0]) }
  }

  @Test(arguments: TestStore.all) func aToOneThatIsReplacedLeavesTheOldOwner(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      let all = people(3, context)
      all[2].setValue(all[0], forKey: "boss")
      all[2].setValue(all[1], forKey: "boss")
      #expect(all[0].many("reports").isEmpty && all[1].many("reports") == [all[2]])
      all[0].mutableSetValue(forKey: "reports").add(all[2])
      #expect(all[1].many("reports").isEmpty && all[2].one("boss") === all[0])
      try context.save()
      all[1].setValue(NSSet(array: [all[2], all[1]]), forKey: "reports")
      #expect(all[0].many("reports").isEmpty && all[1].one("boss") === all[1])
      try context.save()
      context.reset()
      #expect(try context.named("P1").many("reports").map { $0.text("name") }.count == 2)
      #expect(try context.named("P1").one("boss")?.text("name") == "P1")
    }
  }

  @Test(arguments: TestStore.all) func oneToOneIsStolen(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      let all = people(2, context)
      let passports = (0..<2).map { context.make("Passport", ["number": $0]) }
      all[0].setValue(passports[0], forKey: "passport")
      all[1].setValue(passports[1], forKey: "passport")
      try context.save()
      all[1].setValue(passports[0], forKey: "passport")
      #expect(all[0].one("passport") == nil && passports[1].one("holder") == nil)
      #expect(passports[0].one("holder") === all[1])
      passports[1].setValue(all[1], forKey: "holder")
      #expect(passports[0].one("holder") == nil && all[1].one("passport") === passports[1])
      passports[0].setValue(all[1], forKey: "holder")
      try context.save()
    }
    try coordinator.inContext { context throws in
      #expect(try context.named("P0").one("passport") == nil)
      #expect(try context.named("P1").one("passport")?.number("number") == 0)
    }
  }

  @Test(arguments: TestStore.all) func oneToOneWithItself(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      let all = people(4, context)
      all[0].setValue(all[1], forKey: "partner")
      all[2].setValue(all[3], forKey: "partner")
      try context.save()
      all[1].setValue(all[2], forKey: "partner")
      #expect(all[0].one("partner") == nil && all[3].one("partner") == nil)
      #expect(all[1].one("partner") === all[2] && all[2].one("partner") === all[1])
      try context.save()
    }
    try coordinator.inContext { context throws in
      #expect(try context.named("P0").one("partner") == nil && context.named("P3").one("partner") == nil)
      #expect(try context.named("P2").one("partner")?.text("name") == "P1")
    }
  }

  @Test(arguments: TestStore.all) func manyToManyWithItself(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      let all = people(3, context)
      all[0].set([all[1], all[2]], forKey: "friends")
      #expect(all[1].many("friends") == [all[0]])
      try context.save()
      all[1].mutableSetValue(forKey: "friends").add(all[2])
      all[2].mutableSetValue(forKey: "friends").remove(all[0])
      try context.save()
    }
    try coordinator.inContext { context in
      let friends = try context.all("Person", sortedBy: "number").map {
        $0.many("friends").compactMap { $0.text("name") }.sorted()
      }
      #expect(friends == [["P1"], ["P0", "P2"], ["P1"]])
    }
  }

  @Test(arguments: TestStore.all) func aMutableSetIsLive(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      let all = people(5, context)
      let set = all[0].mutableSetValue(forKey: "reports")
      set.addObjects(from: [all[1], all[2]])
      #expect(set.count == 2 && set.contains(all[1]) && !set.contains(all[3]))
      all[3].setValue(all[0], forKey: "boss")
      #expect(set.count == 3 && set.allObjects.count == 3)
      set.minus([all[1]])
      #expect(all[1].one("boss") == nil)
      set.union([all[4]])
      #expect(all[4].one("boss") === all[0])
      set.intersect([all[4], all[2]])
      #expect(all[0].many("reports") == [all[2], all[4]])
      set.setSet([all[1]])
      #expect(all[0].many("reports") == [all[1]] && all[4].one("boss") == nil)
      set.removeAllObjects()
      #expect(all[0].many("reports").isEmpty && set.count == 0)
    }
  }

  /// Adding and removing on a relationship whose stored members have not been read must not lose or invent any.
  @Test(arguments: TestStore.all) func unreadRelationshipsTakeChanges(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      let all = people(4, context)
      all[0].set([all[1], all[2]], forKey: "friends")
      all[0].set([all[1], all[2]], forKey: "reports")
      try context.save()
    }
    for key in ["friends", "reports"] {
      try coordinator.inContext { context in
        let all = try context.all("Person", sortedBy: "number")
        all[0].mutableSetValue(forKey: key).add(all[1])  // is one already
        all[0].mutableSetValue(forKey: key).remove(all[1])
        #expect(all[0].many(key) == [all[2]])
        all[0].mutableSetValue(forKey: key).remove(all[3])  // is none
        all[0].mutableSetValue(forKey: key).add(all[3])
        #expect(all[0].many(key) == [all[2], all[3]])
        try context.save()
        #expect(all[0].many(key) == [all[2], all[3]])
        all[0].mutableSetValue(forKey: key).add(all[3])
        #expect(all[0].mutableSetValue(forKey: key).count == 2)
      }
      try coordinator.inContext { context throws in
        #expect(Set(try context.named("P0").many(key).compactMap { $0.text("name") }) == ["P2", "P3"])
        #expect(try context.named("P1").many(key).isEmpty)
      }
    }
  }

  @Test(arguments: TestStore.all) func theOtherEndOfAnUnreadRelationship(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      let all = people(3, context)
      all[1].setValue(all[0], forKey: "boss")
      try context.save()
    }
    try coordinator.inContext { context in
      let all = try context.all("Person", sortedBy: "number")
      all[1].setValue(nil, forKey: "boss")
      all[1].setValue(all[0], forKey: "boss")
      all[2].setValue(all[0], forKey: "boss")
      all[2].setValue(nil, forKey: "boss")
      #expect(all[0].many("reports") == [all[1]])
      try context.save()
      #expect(all[0].many("reports") == [all[1]])
    }
  }

  @Test(arguments: TestStore.all) func aRelationshipWithoutInverse(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      let house = context.make("House", ["street": "A"])
      _ = context.make("Person", ["name": "Ada", "home": house])
      try context.save()
      context.delete(house)
      try context.save()
    }
    try coordinator.inContext { context in
      let home = try #require(try context.named("Ada").one("home"))
      #expect(home.isFault && !home.isDeleted)
      #expect(home.value(forKey: "street") == nil)
      #expect(home.isDeleted && context.deletedObjects == [home])
      try context.save()
      #expect(!context.hasChanges && home.managedObjectContext == nil)
    }
  }

  @Test(arguments: TestStore.all) func aDanglingReferenceIsNotSaved(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      let house = context.make("House", ["street": "A"])
      let person = context.make("Person", ["name": "Ada", "home": house])
      context.delete(house)
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectValidationError)
      #expect((error?.userInfo[NSValidationValueErrorKey] as? String)?.hasPrefix("Dangling reference") == true)
      person.setValue(nil, forKey: "home")
      try context.save()
    }
  }

  @Test(arguments: TestStore.all) func inheritedRelationshipsLeadToTheRightEntities(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      let boss = context.make("Manager", ["name": "M", "level": 3])
      let staff = [
        context.make("Employee", ["name": "E", "salary": Decimal(9)]), context.make("Person", ["name": "P"]),
        context.make("Manager", ["name": "N", "level": 1]),
      ]
      boss.setValue(NSSet(array: staff), forKey: "reports")
      try context.save()
      let late = context.make("Employee", ["name": "L", "boss": boss])
      try context.save()
      #expect(boss.many("reports") == Set(staff + [late]))
    }
    try coordinator.inContext { context in
      let boss = try context.named("M")
      #expect(
        Set(boss.many("reports").map { "\($0.text("name")!) \($0.entity.name!)" })
          == ["E Employee", "P Person", "N Manager", "L Employee"])
      let own = try #require(try context.named("E").one("boss"))
      #expect(own === boss && own.entity.name == "Manager" && own.number("level") == 3)
    }
  }
}
