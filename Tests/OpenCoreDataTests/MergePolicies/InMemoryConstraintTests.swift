import CoreData
import Testing

/// Stores in memory enforce uniqueness constraints as SQLite stores do, unless an option says otherwise.
@Suite struct InMemoryConstraintTests {
  private static let stores = [TestStore.sqlite, .inMemory]

  private func state(_ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
    try coordinator.inContext { context in
      try context.all("Account").map { account in
        ["email", "first", "last", "note"].map { account.text($0) ?? "-" }.joined(separator: " ")
          + " \(account.number("points") ?? -1)"
      }.sorted()
    }
  }

  /// What a new object with the values of a stored one, two new ones with equal values, and a stored one with the values of
  /// another come to.
  @Test(arguments: MergeWorld.policies) func thePoliciesDoTheSame(_ policy: NSMergePolicyType) throws {
    let states = try Self.stores.map { store -> [String] in
      let world = try MergeWorld(store, MergeWorld.accounts())
      let context = world.context(policy)
      try context.performAndWait {
        _ = context.make("Account", ["email": "a", "note": "stored", "points": 1])
        let other = context.make("Account", ["email": "b", "points": 2])
        try context.save()
        _ = context.make("Account", ["email": "a", "note": "new", "points": 3])
        for number in 0..<2 { _ = context.make("Account", ["first": "x", "last": "y", "points": 10 + number]) }
        try context.save()
        other.setValue("a", forKey: "email")
        try context.save()
      }
      return try state(world.coordinator)
    }
    #expect(states[0] == states[1])
  }

  @Test func theErrorNamesTheConflict() throws {
    let world = try MergeWorld(.inMemory, MergeWorld.accounts())
    let context = world.context()
    try context.performAndWait {
      let first = context.make("Account", ["email": "a"])
      try context.save()
      let second = context.make("Admin", ["email": "a", "level": 1])
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectConstraintMergeError && error?.constraintConflicts.count == 1)
      #expect(error?.constraintConflicts.first?.databaseObject === first)
      // Values that are given up may be taken in the same save, and those of what is deleted.
      first.setValue("b", forKey: "email")
      try context.save()
      first.setValue("a", forKey: "email")
      second.setValue("b", forKey: "email")
      try context.save()
      context.delete(first)
      second.setValue("a", forKey: "email")
      try context.save()
      _ = context.make("Account", ["email": "b"])
      try context.save()
    }
    #expect(try state(world.coordinator).count == 2)
  }

  @Test func theOptionSwitchesThemOff() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: MergeWorld.accounts())
    try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil,
      options: [OCDInMemoryStoreEnforcesUniquenessOption: false as NSNumber])
    try coordinator.inContext { context in
      for _ in 0..<2 { _ = context.make("Account", ["email": "a"]) }
      try context.save()
    }
    #expect(try state(coordinator).count == 2)
  }
}
