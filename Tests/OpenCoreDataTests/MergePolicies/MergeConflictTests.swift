import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What conflicts say, and what custom policies do with them.
@Suite struct MergeConflictTests {
  /// Calls closures in place of super, or before it.
  private final class Policy: NSMergePolicy {
    var versions: (([NSMergeConflict], ([NSMergeConflict]) throws -> Void) throws -> Void)?
    var constraints: (([NSConstraintConflict], ([NSConstraintConflict]) throws -> Void) throws -> Void)?
    var calls: [String] = []

    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
      calls.append("versions \(list.count)")
      guard let versions else { return try super.resolve(optimisticLockingConflicts: list) }
      try versions(list) { try super.resolve(optimisticLockingConflicts: $0) }
    }

    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
      calls.append("constraints \(list.count)")
      guard let constraints else { return try super.resolve(constraintConflicts: list) }
      try constraints(list) { try super.resolve(constraintConflicts: $0) }
    }
  }

  @Test(arguments: TestStore.all) func allConflictsOfASaveAtOnce(_ store: TestStore) throws {
    let world = try MergeWorld(store)
    try world.make("Person", ["name": "A"], ["name": "B"], ["name": "C"], ["name": "D"])
    let context = world.context()
    try context.performAndWait {
      let people = try ["A", "B", "C", "D"].map { try context.named($0) }
      for person in people { #expect(person.number("age") == 7) }
      people[0].setValue(1, forKey: "age")
      context.delete(people[1])
      people[2].setValue(1, forKey: "age")
      context.detectConflicts(for: people[3])
      for name in ["A", "B", "D"] { try world.elsewhere(name) { $0.setValue(2, forKey: "age") } }
      try world.elsewhere("C") { $0.managedObjectContext?.delete($0) }
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSManagedObjectMergeError)
      #expect(error?.localizedDescription == "Could not merge changes.")
      let conflicts = error?.conflicts ?? []
      #expect((error.flatMap { CocoaError(_nsError: $0) })?.persistentStoreSaveConflicts == conflicts)
      #expect(Set(conflicts.map(\.sourceObject)) == Set(people) && conflicts.count == 4)
      #expect(context.hasChanges && people[1].isDeleted && people[0].number("age") == 1)
      let first = try #require(conflicts.first { $0.sourceObject === people[0] })
      #expect(first.oldVersionNumber == 1 && first.newVersionNumber == 2 && first.persistedSnapshot == nil)
      #expect(first.objectSnapshot?["age"] as? Int == 7 && first.cachedSnapshot?["age"] as? Int == 2)
      #expect(first.objectSnapshot?["reports"] == nil && first.objectSnapshot?["boss"] is NSNull)
      #expect(first.objectSnapshot?["alias"] == nil)
      let text = "\(first)"
      #expect(text.contains("with objectID '\(people[0].objectID)' with oldVersion = 1 and newVersion = 2"))
      #expect(text.contains("old object snapshot = {age = 7;") && text.contains("new cached row = {age = 2;"))
      let gone = try #require(conflicts.first { $0.sourceObject === people[2] })
      #expect(gone.newVersionNumber == 0 && gone.cachedSnapshot == nil && gone.persistedSnapshot == nil)
      #expect("\(gone)".contains("newVersion = <deleted>"))
    }
  }

  @Test(arguments: TestStore.all) func snapshotsNameMembersByTheirIDs(_ store: TestStore) throws {
    let world = try MergeWorld(store)
    try world.coordinator.inContext { context throws in
      context.make("Person", ["name": "A"]).setValue(context.make("Manager", ["name": "B"]), forKey: "boss")
      try context.save()
    }
    let context = world.context()
    try context.performAndWait {
      let person = try context.named("A"), boss = try context.named("B")
      person.setValue(nil, forKey: "boss")
      try world.elsewhere("A") { $0.setValue(1, forKey: "age") }
      let error = #expect(throws: NSError.self) { try context.save() }
      let conflict = try #require(error?.conflicts.first { $0.sourceObject === person })
      #expect(conflict.objectSnapshot?["boss"] as? NSManagedObjectID == boss.objectID)
      #expect((conflict.objectSnapshot?["boss"] as? NSManagedObjectID)?.entity.name == "Manager")
    }
  }

  @Test(arguments: TestStore.all) func aPolicyThatSetsValuesAfterSuper(_ store: TestStore) throws {
    let world = try MergeWorld(store)
    try world.make("Person", ["name": "A", "age": 1])
    let context = world.context()
    let policy = Policy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
    policy.versions = { list, callSuper in
      let ours = list.map { $0.sourceObject.number("age") ?? 0 }
      try callSuper(list)
      for (conflict, ours) in zip(list, ours) {
        let theirs = conflict.sourceObject.number("age") ?? 0
        let base = (conflict.objectSnapshot?["age"] as? NSNumber)?.intValue ?? 0
        conflict.sourceObject.setValue(ours + theirs - base, forKey: "age")
      }
    }
    context.mergePolicy = policy
    try context.performAndWait {
      let person = try context.named("A")
      person.setValue(4, forKey: "age")
      try world.elsewhere { $0.setValue(11, forKey: "age") }
      try context.save()
      #expect(person.number("age") == 14 && policy.calls == ["versions 1"])
      try world.coordinator.inContext { other throws in #expect(try other.named("A").number("age") == 14) }
    }
  }

  @Test(arguments: TestStore.all) func aPolicyThatResolvesByRefreshing(_ store: TestStore) throws {
    let world = try MergeWorld(store)
    try world.make("Person", ["name": "A"], ["name": "B"])
    let context = world.context()
    let policy = Policy(merge: .errorMergePolicyType)
    policy.versions = { list, _ in
      for conflict in list {
        conflict.sourceObject.managedObjectContext?.refresh(conflict.sourceObject, mergeChanges: true)
      }
    }
    context.mergePolicy = policy
    try context.performAndWait {
      for name in ["A", "B"] {
        try context.named(name).setValue(1, forKey: "number")
        try world.elsewhere(name) { $0.setValue(11, forKey: "age") }
      }
      try context.save()
      for person in try context.all("Person") { #expect(person.number("age") == 11 && person.number("number") == 1) }
      #expect(policy.calls == ["versions 2"])
    }
  }

  @Test(arguments: TestStore.all) func aPolicyThatResolvesNothing(_ store: TestStore) throws {
    let world = try MergeWorld(store)
    try world.make("Person", ["name": "A"], ["name": "B"])
    let context = world.context()
    let policy = Policy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    // Super gets the first alone.
    policy.versions = { list, callSuper in try callSuper([list[0]]) }
    context.mergePolicy = policy
    try context.performAndWait {
      let people = try ["A", "B"].map { try context.named($0) }
      for (person, name) in zip(people, ["A", "B"]) {
        person.setValue(1, forKey: "number")
        try world.elsewhere(name) { $0.setValue(11, forKey: "age") }
      }
      policy.versions = { _, _ in }
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectMergeError && error?.conflicts.count == 2)
      #expect(error?.localizedDescription == "Unable to recover from optimistic locking failure.")
      #expect(policy.calls == ["versions 2"] && people[0].number("number") == 1 && context.hasChanges)
      // What was resolved in part is called again for the rest.
      policy.versions = { list, callSuper in try callSuper([list[0]]) }
      let second = #expect(throws: NSError.self) { try context.save() }
      #expect(second?.conflicts.count == 1)
      policy.versions = nil
      try context.save()
      #expect(people.allSatisfy { $0.number("number") == 1 && $0.number("age") == 11 })
    }
  }

  /// Somebody else is faster every time.
  @Test(arguments: TestStore.all) func aSaveThatIsAlwaysTooLate(_ store: TestStore) throws {
    let world = try MergeWorld(store)
    try world.make("Person", ["name": "A", "number": 0])
    let context = world.context()
    let policy = Policy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    policy.versions = { list, callSuper in
      try world.elsewhere { $0.setValue(($0.number("number") ?? 0) + 1, forKey: "number") }
      try callSuper(list)
    }
    context.mergePolicy = policy
    try context.performAndWait {
      let person = try context.named("A")
      person.setValue(1, forKey: "age")
      try world.elsewhere { $0.setValue(1, forKey: "number") }
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectMergeError && person.isUpdated && person.number("age") == 1)
      policy.versions = nil
      try context.save()
      #expect(person.number("number") == 101 && policy.calls.count == 101)
    }
  }

  /// Many contexts count together: each adds what it has counted to what the others have.
  @Test(arguments: TestStore.all(that: .reopening)) func contextsThatCountTogether(_ store: TestStore) throws {
    let world = try MergeWorld(store, url: try store.place())
    let second = try MergeWorld(store, url: world.coordinator.persistentStores[0].url)
    try world.make("Person", ["name": "A", "number": 0])
    let rounds = 25 * Soak.factor
    Soak.threads(6) { thread in
      let context = (thread % 2 == 0 ? world : second).context()
      let policy = Policy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
      policy.versions = { list, callSuper in
        let counted = list.map { conflict in
          (conflict.sourceObject.number("number") ?? 0)
            - ((conflict.objectSnapshot?["number"] as? NSNumber)?.intValue ?? 0)
        }
        try callSuper(list)
        for (conflict, counted) in zip(list, counted) {
          conflict.sourceObject.setValue((conflict.sourceObject.number("number") ?? 0) + counted, forKey: "number")
        }
      }
      context.mergePolicy = policy
      try context.performAndWait {
        let person = try context.named("A")
        for _ in 0..<rounds {
          person.setValue((person.number("number") ?? 0) + 1, forKey: "number")
          try context.save()
        }
      }
    }
    try world.coordinator.inContext { other throws in #expect(try other.named("A").number("number") == 6 * rounds) }
  }

  @Test(arguments: TestStore.all) func aPolicyThatThrows(_ store: TestStore) throws {
    let world = try MergeWorld(store)
    try world.make("Person", ["name": "A"])
    let context = world.context()
    let policy = Policy(merge: .errorMergePolicyType)
    policy.versions = { _, _ in throw CocoaError(.userCancelled) }
    context.mergePolicy = policy
    try context.performAndWait {
      let person = try context.named("A")
      person.setValue(1, forKey: "number")
      try world.elsewhere { $0.setValue(11, forKey: "age") }
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == CocoaError.userCancelled.rawValue && person.isUpdated)
    }
  }

  @Test(arguments: TestStore.all) func versionsAreResolvedBeforeConstraints(_ store: TestStore) throws {
    let world = try MergeWorld(store, MergeWorld.accounts())
    try world.make("Account", ["email": "a"], ["email": "b"])
    let context = world.context()
    let policy = Policy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    context.mergePolicy = policy
    try context.performAndWait {
      let account = try #require(try context.all("Account", sortedBy: "email").first)
      account.setValue("n", forKey: "note")
      _ = context.make("Account", ["email": "b", "points": 3])
      try world.coordinator.inContext { other throws in
        try other.existingObject(with: account.objectID).setValue(9, forKey: "points")
        try other.save()
      }
      try context.save()
      #expect(policy.calls == ["versions 1", "constraints 1"])
      #expect(try context.all("Account", sortedBy: "email").map { $0.number("points") } == [9, 3])
    }
  }

  /// Resolved outside of a save, while the context still reads at the commit before the other's.
  @Test func conflictsOfAProgramsOwn() throws {
    let world = try MergeWorld(url: try TestModel.temporaryFile())
    try #require(world.coordinator.sqlStores.first).readers.idleNanoseconds = .max
    try world.make("Person", ["name": "A"])
    try world.context().performAndWait { () throws in
      let context = world.context()
      try context.performAndWait {
        let person = try context.named("A")
        #expect(person.number("age") == 7)
        let conflict = NSMergeConflict(
          source: person, newVersion: 3, oldVersion: 1, cachedSnapshot: ["age": 1], persistedSnapshot: nil)
        #expect(conflict.sourceObject === person && conflict.oldVersionNumber == 1 && conflict.newVersionNumber == 3)
        #expect(conflict.objectSnapshot?["name"] as? String == "A" && conflict.cachedSnapshot?["age"] as? Int == 1)
        let error = #expect(throws: NSError.self) { try NSMergePolicy.error.resolve(mergeConflicts: [conflict]) }
        #expect(error?.conflicts == [conflict])
        try world.elsewhere { $0.setValue(8, forKey: "age") }
        person.setValue(1, forKey: "number")
        try NSMergePolicy.overwrite.resolve(mergeConflicts: [conflict])
        try context.save()
        #expect(person.number("age") == 7)
        let constraint = NSConstraintConflict(
          constraint: ["name"], database: nil, databaseSnapshot: nil, conflicting: [person],
          conflictingSnapshots: [NSNull()])
        #expect(constraint.constraint == ["name"] && constraint.databaseObject == nil)
        #expect(constraint.constraintValues["name"] as? String == "A" && constraint.databaseSnapshot == nil)
        #expect(constraint.conflictingObjects == [person] && constraint.conflictingSnapshots[0].isEmpty)
      }
    }
  }

  // MARK: detectConflicts

  @Test(arguments: TestStore.all) func anUnchangedObjectIsLookedAt(_ store: TestStore) throws {
    let world = try MergeWorld(store)
    try world.make("Person", ["name": "A"], ["name": "B"])
    let context = world.context()
    try context.performAndWait {
      let watched = try context.named("A"), person = try context.named("B")
      #expect(watched.number("age") == 7)
      context.detectConflicts(for: watched)
      try world.elsewhere { $0.setValue(8, forKey: "age") }
      // Nothing to save, nothing to look for.
      try context.save()
      person.setValue(1, forKey: "number")
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.conflicts.map(\.sourceObject) == [watched])
      context.refresh(watched, mergeChanges: true)
      try context.save()
      // A save that succeeded looks no further.
      try world.elsewhere { $0.setValue(9, forKey: "age") }
      person.setValue(2, forKey: "number")
      try context.save()
      #expect(watched.number("age") == 8)
      context.detectConflicts(for: watched)
      context.mergePolicy = NSOverwriteMergePolicy
      person.setValue(3, forKey: "number")
      try context.save()
      #expect(watched.number("age") == 9)
      context.detectConflicts(for: watched)
      try world.elsewhere { $0.managedObjectContext?.delete($0) }
      person.setValue(4, forKey: "number")
      try context.save()
      #expect(watched.managedObjectContext == nil && !context.hasChanges)
    }
  }

  /// The objects are of different stores: the one with the guarded object has nothing to write.
  @Test(arguments: TestStore.all) func aGuardedObjectOfAnotherStore(_ store: TestStore) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
    for _ in 0..<2 { try store.add(to: coordinator) }
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      let first = context.make("Tag", ["name": "1"]), second = context.make("Tag", ["name": "2"])
      context.assign(first, to: coordinator.persistentStores[0])
      context.assign(second, to: coordinator.persistentStores[1])
      try context.save()
      context.detectConflicts(for: second)
      first.setValue("3", forKey: "name")
      try context.save()
      context.detectConflicts(for: second)
      try coordinator.inContext { other throws in
        try other.existingObject(with: second.objectID).setValue("4", forKey: "name")
        try other.save()
      }
      first.setValue("5", forKey: "name")
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectMergeError && error?.conflicts.count == 1)
    }
  }

  @Test func anObjectOfAnotherContext() async {
    await #expect(processExitsWith: .failure) {
      let world = try MergeWorld()
      let first = world.context(), second = world.context()
      second.detectConflicts(for: first.make("Person"))
    }
  }
}
