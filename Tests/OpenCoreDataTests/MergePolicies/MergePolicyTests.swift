import CoreData
import Testing

/// What the five policies make of rows that others have changed.
@Suite struct MergePolicyTests {
  @Test func whatThePoliciesAreCalled() {
    #expect(NSMergePolicy.error.mergeType == .errorMergePolicyType)
    #expect(NSMergePolicy.mergeByPropertyStoreTrump.mergeType.rawValue == 1)
    #expect(NSMergePolicy.mergeByPropertyObjectTrump.mergeType.rawValue == 2)
    #expect(NSMergePolicy.overwrite.mergeType.rawValue == 3)
    #expect(NSMergePolicy.rollback.mergeType.rawValue == 4)
    #expect(NSMergePolicyType(rawValue: 5) == nil)
    let pairs: [(AnyObject, NSMergePolicy)] = [
      (NSErrorMergePolicy, .error), (NSRollbackMergePolicy, .rollback), (NSOverwriteMergePolicy, .overwrite),
      (NSMergeByPropertyStoreTrumpMergePolicy, .mergeByPropertyStoreTrump),
      (NSMergeByPropertyObjectTrumpMergePolicy, .mergeByPropertyObjectTrump),
    ]
    for (constant, policy) in pairs { #expect(ObjectIdentifier(constant) == ObjectIdentifier(policy)) }
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    #expect((context.mergePolicy as? NSMergePolicy)?.mergeType == .errorMergePolicyType)
    context.mergePolicy = NSRollbackMergePolicy
    #expect((context.mergePolicy as? NSMergePolicy)?.mergeType == .rollbackMergePolicyType)
  }

  @Test func whatIsNoPolicy() async {
    await #expect(processExitsWith: .failure) {
      NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType).mergePolicy = "rollback"
    }
  }

  /// name: changed by both, age: by the other, number: here.
  @Test(
    arguments: [
      (NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, "theirs 8 1"),
      (.mergeByPropertyObjectTrumpMergePolicyType, "ours 8 1"), (.overwriteMergePolicyType, "ours 7 1"),
      (.rollbackMergePolicyType, "theirs 8 0"),
    ], TestStore.all)
  func updatesAgainstUpdates(_ expected: (type: NSMergePolicyType, state: String), _ store: TestStore) throws {
    let world = try MergeWorld(store)
    try world.make("Person", ["name": "A", "number": 0])
    let context = world.context(expected.type)
    try context.performAndWait {
      let person = try context.named("A")
      person.setValue("ours", forKey: "name")
      person.setValue(1, forKey: "number")
      person.setValue("mine", forKey: "alias")
      try world.elsewhere {
        $0.setValue("theirs", forKey: "name")
        $0.setValue(8, forKey: "age")
      }
      try context.save()
      func state(_ person: NSManagedObject) -> String {
        "\(person.text("name") ?? "") \(person.number("age") ?? -1) \(person.number("number") ?? -1)"
      }
      #expect(state(person) == expected.state && !context.hasChanges && person.text("alias") == "mine")
      try world.coordinator.inContext { other throws in #expect(state(try other.all("Person")[0]) == expected.state) }
      // What was read is up to date: the next save meets nothing.
      person.setValue("again", forKey: "name")
      context.mergePolicy = NSErrorMergePolicy
      try context.save()
    }
  }

  @Test(arguments: MergeWorld.policies, TestStore.all)
  func deletedElsewhere(_ type: NSMergePolicyType, _ store: TestStore) throws {
    let world = try MergeWorld(store)
    try world.make("Person", ["name": "A", "age": 5])
    let context = world.context(type)
    try context.performAndWait {
      let person = try context.named("A")
      let identifier = person.objectID
      person.setValue("ours", forKey: "name")
      let report = context.make("Person", ["name": "R"])
      report.setValue(person, forKey: "boss")
      person.mutableSetValue(forKey: "clubs").add(context.make("Club", ["name": "C"]))
      context.make("Person", ["name": "S"]).setValue(context.make("House", ["street": "x"]), forKey: "home")
      try world.elsewhere { $0.managedObjectContext?.delete($0) }
      try context.save()
      #expect(!context.hasChanges)
      let isKept = type == .overwriteMergePolicyType
      #expect((person.managedObjectContext == nil) != isKept)
      #expect((report.one("boss") === person) == isKept)
      try world.coordinator.inContext { other throws in
        #expect(try other.names("Person") == ["R", "S"] + (isKept ? ["ours"] : []))
        let club = try other.named("C", "Club")
        #expect(club.many("members").count == (isKept ? 1 : 0))
        guard isKept else { return }
        let back = try other.existingObject(with: identifier)
        let report = try other.named("R")
        #expect(back.number("age") == 5 && back.many("reports") == [report])
      }
    }
  }

  @Test(arguments: MergeWorld.policies, TestStore.all)
  func deletedHereAndChangedElsewhere(_ type: NSMergePolicyType, _ store: TestStore) throws {
    let world = try MergeWorld(store)
    try world.coordinator.inContext { context throws in
      let boss = context.make("Person", ["name": "A"])
      context.make("Person", ["name": "R"]).setValue(boss, forKey: "boss")
      boss.setValue(context.make("Passport", ["number": 1]), forKey: "passport")
      boss.mutableSetValue(forKey: "clubs").add(context.make("Club", ["name": "C"]))
      try context.save()
    }
    let context = world.context(type)
    try context.performAndWait {
      let boss = try context.named("A")
      let report = try context.named("R"), club = try context.named("C", "Club")
      context.delete(boss)
      context.processPendingChanges()
      #expect(report.one("boss") == nil && context.deletedObjects.count == 2)
      try world.elsewhere {
        $0.setValue(9, forKey: "age")
        $0.managedObjectContext?.make("Person", ["name": "N"]).setValue($0, forKey: "boss")
      }
      try context.save()
      #expect(!context.hasChanges)
      let stays = type == .mergeByPropertyStoreTrumpMergePolicyType || type == .rollbackMergePolicyType
      #expect((boss.managedObjectContext != nil) == stays)
      #expect((report.one("boss") === boss) == stays && club.many("members").contains(boss) == stays)
      if stays { #expect(boss.number("age") == 9 && boss.many("reports").count == 2 && boss.one("passport") != nil) }
      try world.coordinator.inContext { other throws in
        #expect(try other.names("Person") == (stays ? ["A", "N", "R"] : ["N", "R"]))
        #expect(try other.all("Passport").count == (stays ? 1 : 0))
        #expect(try other.named("N").one("boss")?.text("name") == (stays ? "A" : nil))
        #expect(try other.named("C", "Club").many("members").count == (stays ? 1 : 0))
      }
    }
  }

  @Test(arguments: MergeWorld.policies + [.errorMergePolicyType], TestStore.all) func deletedOnBothSides(
    _ type: NSMergePolicyType, _ store: TestStore
  )
    throws
  {
    let world = try MergeWorld(store)
    try world.make("Person", ["name": "A"], ["name": "B"])
    let context = world.context(type)
    try context.performAndWait {
      context.delete(try context.named("A"))
      try world.elsewhere { $0.managedObjectContext?.delete($0) }
      try context.save()
      #expect(try context.names("Person") == ["B"] && !context.hasChanges)
    }
  }

  /// Two coordinators on one file: nothing is known of the other's commits but what the file says.
  @Test(arguments: [
    (NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, "theirs"),
    (.mergeByPropertyObjectTrumpMergePolicyType, "ours"),
  ])
  func anotherCoordinator(_ type: NSMergePolicyType, _ name: String) throws {
    let url = try TestModel.temporaryFile()
    let world = try MergeWorld(url: url), other = try MergeWorld(url: url)
    try world.make("Person", ["name": "A"])
    let context = world.context(type)
    try context.performAndWait {
      let person = try context.named("A")
      person.setValue("ours", forKey: "name")
      try other.elsewhere {
        $0.setValue("theirs", forKey: "name")
        $0.setValue(8, forKey: "age")
      }
      let policy = context.mergePolicy
      context.mergePolicy = NSErrorMergePolicy
      let error = #expect(throws: NSError.self) { try context.save() }
      let conflict = try #require(error?.conflicts.first)
      #expect(conflict.objectSnapshot?["name"] as? String == "A" && conflict.cachedSnapshot?["name"] as? String == "A")
      #expect(conflict.persistedSnapshot?["name"] as? String == "theirs" && conflict.newVersionNumber == 2)
      context.mergePolicy = policy
      try context.save()
      #expect(person.text("name") == name && person.number("age") == 8)
    }
    #expect(try PlainDatabase(url).strings("SELECT ZNAME FROM ZPERSON") == [name])
  }

  /// A context that sees an old state of the store saves on top of the new one.
  @Test(arguments: MergeWorld.policies, TestStore.all(that: .generations))
  func aPinnedContext(_ type: NSMergePolicyType, _ store: TestStore) throws {
    let world = try MergeWorld(store, url: try store.place())
    try world.make("Person", ["name": "A", "number": 0])
    let context = world.context(.errorMergePolicyType)
    try context.performAndWait {
      try context.setQueryGenerationFrom(.current)
      let person = try context.named("A")
      person.setValue(1, forKey: "number")
      try world.elsewhere { $0.setValue(8, forKey: "age") }
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.conflicts.first?.newVersionNumber == 2 && person.number("age") == 7)
      context.mergePolicy = NSMergePolicy(merge: type)
      try context.save()
      #expect(person.number("age") == (type == .overwriteMergePolicyType ? 7 : 8) && !context.hasChanges)
      #expect(person.number("number") == (type == .rollbackMergePolicyType ? 0 : 1))
      #expect(context.queryGenerationToken != nil)
    }
  }

  /// What is merged is told as refreshed, and what a save has written after that is told as saved.
  @Test(arguments: TestStore.all) func notifications(_ store: TestStore) throws {
    let world = try MergeWorld(store)
    try world.make("Person", ["name": "A"], ["name": "B"], ["name": "C"])
    let context = world.context(.rollbackMergePolicyType)
    try context.performAndWait {
      let people = try context.all("Person", sortedBy: "name")
      for person in people { person.setValue(1, forKey: "age") }
      context.processPendingChanges()
      try world.elsewhere { $0.setValue(8, forKey: "age") }
      try world.elsewhere("B") { $0.managedObjectContext?.delete($0) }
      nonisolated(unsafe) var told: [String: [String: Set<NSManagedObject>]] = [:]
      let names: [NSNotification.Name] = [.NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextDidSave]
      let observers = names.map { name in
        NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { note in
          for (key, value) in note.userInfo ?? [:] {
            if let key = key as? String, let set = value as? Set<NSManagedObject>, !set.isEmpty {
              told[name.rawValue, default: [:]][key] = set
            }
          }
        }
      }
      defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
      try context.save()
      let changed = told[names[0].rawValue] ?? [:], saved = told[names[1].rawValue] ?? [:]
      #expect(changed[NSRefreshedObjectsKey] == [people[0]] && changed[NSDeletedObjectsKey] == [people[1]])
      #expect(saved == [NSUpdatedObjectsKey: [people[2]]])
    }
  }

  @Test(arguments: TestStore.all) func observersAreToldOnce(_ store: TestStore) throws {
    let world = try MergeWorld(store)
    try world.make("Person", ["name": "A"])
    let context = world.context(.mergeByPropertyObjectTrumpMergePolicyType)
    try context.performAndWait {
      let person = try context.named("A")
      person.setValue("ours", forKey: "name")
      let observer = AgeObserver()
      person.addObserver(observer, forKeyPath: "age", options: [.new], context: nil)
      try world.elsewhere { $0.setValue(8, forKey: "age") }
      try context.save()
      #expect(observer.ages == [8])
      person.removeObserver(observer, forKeyPath: "age")
    }
  }

  /// What was merged is validated like what was set: each side is valid, and what becomes of both is not.
  @Test(arguments: TestStore.all) func whatIsMergedMustBeValid(_ store: TestStore) throws {
    let model = Society.model()
    model.entitiesByName["Person"]?.managedObjectClassName = NSStringFromClass(ChoosyPerson.self)
    let world = try MergeWorld(store, model)
    try world.make("Person", ["name": "A", "number": 0])
    let context = world.context(.mergeByPropertyStoreTrumpMergePolicyType)
    try context.performAndWait {
      let person = try context.named("A")
      person.setValue(1, forKey: "number")
      person.setValue(8, forKey: "age")
      try world.elsewhere { $0.setValue("theirs", forKey: "name") }
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.domain == "Choosy" && error?.code == 1)
      // Nothing is written, and nothing lost.
      #expect(person.isUpdated && person.number("number") == 1 && person.number("age") == 8)
      try world.coordinator.inContext { other throws in
        let there = try other.named("theirs")
        #expect(there.number("number") == 0 && there.number("age") == 7)
      }
      person.setValue(2, forKey: "number")
      try context.save()
      #expect(person.text("name") == "theirs" && !context.hasChanges)
      try world.coordinator.inContext { other throws in
        #expect(try other.named("theirs").number("number") == 2)
      }
    }
  }

  /// The first store's part is written; the second's is resolved and written after it.
  @Test(arguments: TestStore.all) func aConflictInTheSecondStore(_ store: TestStore) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
    for _ in 0..<2 {
      try store.add(to: coordinator)
    }
    let context = TestModel.context(coordinator)
    context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    try context.performAndWait {
      let objects = (0..<4).map { number -> NSManagedObject in
        let tag = context.make("Tag", ["name": "\(number)"])
        context.assign(tag, to: coordinator.persistentStores[number / 2])
        return tag
      }
      try context.save()
      try coordinator.inContext { other throws in
        try other.existingObject(with: objects[2].objectID).setValue("theirs", forKey: "name")
        try other.save()
      }
      let new = context.make("Tag", ["name": "new"])
      context.assign(new, to: coordinator.persistentStores[0])
      context.delete(objects[0])
      objects[1].setValue("one", forKey: "name")
      objects[2].setValue("two", forKey: "name")
      try context.save()
      #expect(!context.hasChanges && objects[0].managedObjectContext == nil)
      #expect(try context.names("Tag") == ["3", "new", "one", "two"])
      #expect(try TestModel.context(coordinator).performAndWait { try context.names("Tag") }.count == 4)
    }
  }
}

/// Notes the values that it is told of.
private final class AgeObserver: NSObject, NSKeyValueObserving {
  private(set) var ages: [Int?] = []

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) { ages.append((change?[.newKey] as? NSNumber)?.intValue) }
}

/// Its name does not go with any number.
final class ChoosyPerson: NSManagedObject {
  override func validateForUpdate() throws {
    try super.validateForUpdate()
    if text("name") == "theirs", number("number") == 1 { throw NSError(domain: "Choosy", code: 1) }
  }
}
