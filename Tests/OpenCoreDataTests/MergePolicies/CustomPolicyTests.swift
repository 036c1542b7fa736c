import CoreData
import Testing

/// Policies of a program's own that call super for nothing.
@Suite struct CustomPolicyTests {
  /// Resolves conflicts of constraints by a closure.
  private final class ConstraintPolicy: NSMergePolicy {
    let resolve: ([NSConstraintConflict]) throws -> Void
    private(set) var calls = 0

    init(_ resolve: @escaping ([NSConstraintConflict]) throws -> Void) {
      self.resolve = resolve
      super.init(merge: .errorMergePolicyType)
    }

    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
      calls += 1
      try resolve(list)
    }
  }

  /// Overrides the method that the one for changed rows calls.
  private final class MergePolicy: NSMergePolicy {
    private(set) var seen: [Any] = []
    var isResolvedHere = false

    override func resolve(mergeConflicts list: [Any]) throws {
      seen += list
      guard isResolvedHere else { return try super.resolve(mergeConflicts: list) }
      for case let conflict as NSMergeConflict in list {
        conflict.sourceObject.managedObjectContext?.refresh(conflict.sourceObject, mergeChanges: true)
      }
    }
  }

  private func accounts(_ store: TestStore) throws -> MergeWorld {
    let world = try MergeWorld(store, MergeWorld.accounts())
    try world.make("Account", ["email": "a", "points": 5], ["email": "b"])
    return world
  }

  private func emails(_ world: MergeWorld) throws -> [String] {
    try world.coordinator.inContext { context throws in
      try context.all("Account", sortedBy: "email").map { "\($0.text("email") ?? "-") \($0.number("points") ?? -1)" }
    }
  }

  /// The row stays as it is, and the new object goes, which no built-in policy does.
  @Test(arguments: TestStore.all) func constraintsResolvedByDeletingWhatIsNew(_ store: TestStore) throws {
    let world = try accounts(store)
    let context = world.context()
    let policy = ConstraintPolicy { list in
      for object in list.flatMap(\.conflictingObjects) { object.managedObjectContext?.delete(object) }
    }
    context.mergePolicy = policy
    try context.performAndWait {
      let new = context.make("Account", ["email": "a", "points": 9, "note": "n"])
      _ = context.make("Account", ["email": "c", "points": 1])
      try context.save()
      #expect(policy.calls == 1 && !context.hasChanges && new.managedObjectContext == nil)
      #expect(try emails(world) == ["a 5", "b 0", "c 1"])
    }
  }

  /// Every object stays, with another value.
  @Test(arguments: TestStore.all) func constraintsResolvedByOtherValues(_ store: TestStore) throws {
    let world = try accounts(store)
    let context = world.context()
    let policy = ConstraintPolicy { list in
      for object in list.flatMap(\.conflictingObjects) {
        object.setValue((object.text("email") ?? "") + "2", forKey: "email")
      }
    }
    context.mergePolicy = policy
    try context.performAndWait {
      let new = context.make("Account", ["email": "a", "points": 9])
      let known = try #require(try context.all("Account", sortedBy: "email").last)
      #expect(known.text("email") == "b")
      known.setValue("a", forKey: "email")
      // Both have "a2" after the first attempt and "a22" after the second: in the third they are in each other's way again.
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectConstraintMergeError && policy.calls == 2)
      #expect(new.text("email") == "a22" && known.text("email") == "a22")
      #expect(try emails(world) == ["a 5", "b 0"] && context.hasChanges)
      new.setValue("x", forKey: "email")
      known.setValue("a", forKey: "email")
      try context.save()
      #expect(policy.calls == 3 && known.text("email") == "a2" && !context.hasChanges)
      #expect(try emails(world) == ["a 5", "a2 0", "x 9"])
    }
  }

  /// One that leaves the conflict as it is is asked once, and the save fails with it.
  @Test(arguments: TestStore.all) func constraintsThatNobodyResolves(_ store: TestStore) throws {
    let world = try accounts(store)
    let context = world.context()
    let policy = ConstraintPolicy { _ in }
    context.mergePolicy = policy
    try context.performAndWait { () throws in
      let new = context.make("Account", ["email": "a", "points": 9])
      for round in 1...2 {
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.code == NSManagedObjectConstraintMergeError && policy.calls == round)
        #expect(error?.constraintConflicts.map(\.conflictingObjects) == [[new]])
        #expect(context.insertedObjects == [new] && new.number("points") == 9)
        #expect(try emails(world) == ["a 5", "b 0"])
      }
    }
  }

  @Test(arguments: TestStore.all) func constraintsThatThrow(_ store: TestStore) throws {
    let world = try accounts(store)
    let context = world.context()
    let policy = ConstraintPolicy { _ in throw NSError(domain: "Own", code: 3) }
    context.mergePolicy = policy
    try context.performAndWait {
      let new = context.make("Account", ["email": "a", "points": 9])
      let gone = try #require(try context.all("Account", sortedBy: "email").last)
      context.delete(gone)
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.domain == "Own" && error?.code == 3 && policy.calls == 1)
      #expect(context.insertedObjects == [new] && context.deletedObjects == [gone])
      #expect(try emails(world) == ["a 5", "b 0"])
      new.setValue("c", forKey: "email")
      try context.save()
      #expect(try emails(world) == ["a 5", "c 9"])
    }
  }

  @Test(arguments: [false, true], TestStore.all)
  func theMethodForAllConflicts(isResolvedHere: Bool, _ store: TestStore) throws {
    let world = try MergeWorld(store)
    try world.make("Person", ["name": "A"], ["name": "B"])
    let context = world.context()
    let policy = MergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    policy.isResolvedHere = isResolvedHere
    context.mergePolicy = policy
    try context.performAndWait {
      let people = try ["A", "B"].map { try context.named($0) }
      for (person, name) in zip(people, ["A", "B"]) {
        person.setValue(1, forKey: "number")
        try world.elsewhere(name) { $0.setValue(11, forKey: "age") }
      }
      try context.save()
      #expect(Set(policy.seen.compactMap { ($0 as? NSMergeConflict)?.sourceObject }) == Set(people))
      #expect(policy.seen.count == 2 && !context.hasChanges)
      try world.coordinator.inContext { other throws in
        for person in try other.all("Person") { #expect(person.number("age") == 11 && person.number("number") == 1) }
      }
    }
  }
}
