import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Values that must be unique, and are not.
@Suite struct ConstraintConflictTests {
  private static let trumps: [NSMergePolicyType] = [
    .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType,
  ]

  private func world(_ store: TestStore) throws -> MergeWorld {
    let world = try MergeWorld(store, MergeWorld.accounts(), url: try store.place())
    try world.coordinator.inContext { context throws in
      let account = context.make("Account", ["email": "a", "points": 5, "first": "F"])
      context.make("Order", ["name": "old"]).setValue(account, forKey: "account")
      account.mutableSetValue(forKey: "groups").add(context.make("Group", ["name": "old"]))
      context.make("Log", ["name": "old"]).setValue(account, forKey: "about")
      try context.save()
    }
    return world
  }

  private func state(_ account: NSManagedObject) -> String {
    let texts = ["email", "first", "last", "note"].map { account.text($0) ?? "-" }
    let orders = account.many("orders").compactMap { $0.text("name") }.sorted().joined(separator: ",")
    let groups = account.many("groups").compactMap { $0.text("name") }.sorted().joined(separator: ",")
    return texts.joined(separator: " ") + " \(account.number("points") ?? -1) [\(orders)] [\(groups)]"
  }

  @Test(arguments: TestStore.all) func theErrorNamesAllConflicts(_ store: TestStore) throws {
    let world = try world(store)
    let context = world.context()
    try context.performAndWait {
      let first = context.make("Account", ["email": "a", "note": "n"])
      let twins = (0..<3).map { _ in context.make("Account", ["first": "x", "last": "y"]) }
      _ = context.make("Account", ["first": "x"])
      for _ in 0..<2 {
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSManagedObjectConstraintMergeError)
        let conflicts = error?.constraintConflicts ?? []
        #expect(conflicts.count == 2)
        let stored = try #require(conflicts.first { $0.databaseObject != nil })
        #expect(stored.constraint == ["email"] && stored.constraintValues["email"] as? String == "a")
        #expect(stored.conflictingObjects == [first] && stored.databaseSnapshot?["points"] as? Int == 5)
        #expect(stored.databaseObject?.objectID.isTemporaryID == false)
        #expect(stored.conflictingSnapshots.first?["points"] as? Int == 0)
        let pending = try #require(conflicts.first { $0.databaseObject == nil })
        #expect(pending.constraint == ["first", "last"] && Set(pending.conflictingObjects) == Set(twins))
        #expect(pending.databaseSnapshot == nil && "\(pending)".contains("database: (null)"))
        // Everything waits to be saved still.
        #expect(context.insertedObjects.count == 5)
      }
      first.setValue("b", forKey: "email")
      for (number, twin) in twins.enumerated() { twin.setValue("\(number)", forKey: "last") }
      try context.save()
      #expect(try context.all("Account").count == 6)
    }
  }

  @Test(
    arguments: [
      (NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, "a F L n 5 [new,old] [new,old]"),
      (.rollbackMergePolicyType, "a F - - 5 [new,old] [new,old]"),
      (.mergeByPropertyObjectTrumpMergePolicyType, "a F L n 9 [new,old] [new,old]"),
      (.overwriteMergePolicyType, "a - L n 9 [new,old] [new,old]"),
    ], [false, true])
  func aNewObjectMeetsARow(_ expected: (type: NSMergePolicyType, state: String), _ isRegistered: Bool) throws {
    let world = try world(.sqlite)
    let context = world.context(expected.type)
    try context.performAndWait {
      let known = isRegistered ? try context.all("Account")[0] : nil
      let new = context.make("Account", ["email": "a", "points": 9, "last": "L", "note": "n"])
      context.make("Order", ["name": "new"]).setValue(new, forKey: "account")
      new.mutableSetValue(forKey: "groups").add(context.make("Group", ["name": "new"]))
      let log = context.make("Log", ["name": "new"])
      log.setValue(new, forKey: "about")
      try context.save()
      #expect(!context.hasChanges)
      let account = try #require(try context.all("Account").first)
      #expect(try context.all("Account").count == 1 && state(account) == expected.state)
      #expect(log.one("about") === account)
      let trumps = Self.trumps.contains(expected.type)
      // The new object is the row's, unless the context had one.
      #expect((new === account) == (trumps && !isRegistered) && (known == nil || known === account))
      #expect(new === account || new.managedObjectContext == nil)
      #expect(account.objectID.uriRepresentation().lastPathComponent == "p1")
      try world.coordinator.inContext { other throws in
        #expect(try other.all("Account").map(state) == [expected.state])
        #expect(try other.all("Log").allSatisfy { $0.one("about") != nil })
        #expect(try other.all("Order").count == 2 && other.all("Group").count == 2)
      }
      account.setValue("later", forKey: "note")
      try context.save()
    }
    let file = try PlainDatabase(try #require(world.coordinator.persistentStores[0].url))
    #expect(try file.rows("SELECT Z_PK, ZEMAIL FROM ZACCOUNT") == [[.integer(1), .text(Data("a".utf8))]])
    #expect(try file.rows("SELECT COUNT(*) FROM ZORDER WHERE ZACCOUNT = 1") == [[.integer(2)]])
  }

  /// A saved object gets the values of another.
  @Test(arguments: MergeWorld.policies, TestStore.all)
  func anUpdateMeetsARow(_ type: NSMergePolicyType, _ store: TestStore) throws {
    let world = try world(store)
    try world.make("Account", ["email": "b", "points": 1, "note": "mine"])
    let context = world.context(type)
    try context.performAndWait {
      let account = try #require(try context.all("Account", sortedBy: "email").last)
      account.setValue("a", forKey: "email")
      account.setValue(2, forKey: "points")
      try context.save()
      #expect(!context.hasChanges)
      let found = try context.all("Account", sortedBy: "email")
      switch type {
      case .mergeByPropertyStoreTrumpMergePolicyType:
        #expect(found.map(state) == ["a F - - 5 [old] [old]", "b - - mine 2 [] []"])
      case .rollbackMergePolicyType:
        #expect(found.map(state) == ["a F - - 5 [old] [old]", "b - - mine 1 [] []"])
      default:
        #expect(found == [account] && state(account) == "a F - mine 2 [old] [old]")
        #expect(try context.all("Order").count == 1)
      }
      try world.coordinator.inContext { other throws in
        #expect(try other.all("Account", sortedBy: "email").map(state) == found.map(state))
      }
    }
  }

  @Test(
    arguments: [
      (NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, "x - b n 1 [1,2,3] []"),
      (.rollbackMergePolicyType, "x - - - 1 [1,2,3] []"),
      (.mergeByPropertyObjectTrumpMergePolicyType, "x - b n 3 [1,2,3] []"),
      (.overwriteMergePolicyType, "x - - n 3 [1,2,3] []"),
    ], TestStore.all)
  func newObjectsMeetEachOther(_ expected: (type: NSMergePolicyType, state: String), _ store: TestStore) throws {
    let world = try MergeWorld(store, MergeWorld.accounts())
    let context = world.context(expected.type)
    try context.performAndWait {
      let values: [[String: Any]] = [["points": 1], ["points": 2, "last": "b"], ["points": 3, "note": "n"]]
      let accounts = values.enumerated().map { number, values in
        let account = context.make("Account", values.merging(["email": "x"]) { $1 })
        context.make("Order", ["name": "\(number + 1)"]).setValue(account, forKey: "account")
        return account
      }
      try context.save()
      let found = try context.all("Account")
      #expect(found == [accounts[0]] && found.map(state) == [expected.state])
      try world.coordinator.inContext { other throws in #expect(try other.all("Account").map(state) == [expected.state])
      }
    }
  }

  /// A takes B's value while B takes A's: nobody is in anybody's way.
  @Test(arguments: [NSMergePolicyType.errorMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType], TestStore.all)
  func valuesChangeHands(_ type: NSMergePolicyType, _ store: TestStore) throws {
    let world = try MergeWorld(store, MergeWorld.accounts())
    try world.make(
      "Account", ["email": "0", "first": "f", "last": "0"], ["email": "1", "first": "f", "last": "1"],
      ["email": "2", "first": "f", "last": "2"], ["email": "3"])
    let context = world.context(type)
    try context.performAndWait {
      let accounts = try context.all("Account", sortedBy: "email")
      for (number, account) in accounts.prefix(3).enumerated() {
        account.setValue("\((number + 1) % 3)", forKey: "email")
        account.setValue("\((number + 2) % 3)", forKey: "last")
      }
      context.delete(accounts[3])
      _ = context.make("Account", ["email": "3"])
      try context.save()
      #expect(accounts.prefix(3).map { $0.text("email") } == ["1", "2", "0"])
      try world.coordinator.inContext { other throws in
        let found = try other.all("Account", sortedBy: "email")
        #expect(found.map { $0.text("last") ?? "-" } == ["1", "2", "0", "-"])
      }
      // One of the chain keeps its value: that is a conflict.
      context.mergePolicy = NSErrorMergePolicy
      accounts[0].setValue("2", forKey: "email")
      accounts[2].setValue("1", forKey: "email")
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.constraintConflicts.count == 1)
      #expect(error?.constraintConflicts.first?.databaseObject === accounts[1])
    }
  }

  /// Constraints hold for subentities; those of a subentity for its own objects.
  @Test(arguments: MergeWorld.policies, TestStore.all)
  func inheritedConstraints(_ type: NSMergePolicyType, _ store: TestStore) throws {
    let world = try world(store)
    let context = world.context(type)
    try context.performAndWait {
      let admin = context.make("Admin", ["email": "a", "level": 1])
      context.make("Order", ["name": "new"]).setValue(admin, forKey: "account")
      try context.save()
      let found = try context.all("Account")
      let trumps = Self.trumps.contains(type)
      #expect(found.map { $0.entity.name } == [trumps ? "Admin" : "Account"])
      #expect(found.first?.many("orders").count == 2 && found.first?.text("first") == "F")
      #expect(try context.all("Order").count == 2)
    }
    try world.coordinator.inContext { context throws in
      _ = context.make("Admin", ["level": 1])
      _ = context.make("Admin", ["level": 1])
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.constraintConflicts.first?.constraint == ["level"])
    }
  }

  /// An object that is like one row in one way and like another in another.
  @Test(arguments: Self.trumps, TestStore.all)
  func twoRowsAtOnce(_ type: NSMergePolicyType, _ store: TestStore) throws {
    let world = try world(store)
    try world.make("Account", ["first": "p", "last": "q", "note": "other"])
    let context = world.context(type)
    try context.performAndWait {
      _ = context.make("Account", ["email": "a", "first": "p", "last": "q"])
      try context.save()
      let found = try context.all("Account")
      #expect(found.count == 1 && found.first?.text("email") == "a" && found.first?.text("last") == "q")
      #expect(found.first?.many("orders").count == 1 && !context.hasChanges)
    }
  }

  /// An object whose ID was given out keeps it.
  @Test(arguments: TestStore.all) func aPermanentIDStays(_ store: TestStore) throws {
    let world = try world(store)
    let context = world.context(.mergeByPropertyObjectTrumpMergePolicyType)
    try context.performAndWait {
      let account = context.make("Account", ["email": "a", "points": 9])
      try context.obtainPermanentIDs(for: [account])
      let identifier = account.objectID
      try context.save()
      #expect(account.objectID == identifier && state(account) == "a F - - 9 [old] [old]")
      try world.coordinator.inContext { other throws in
        #expect(try other.all("Account").map(\.objectID) == [identifier])
      }
    }
  }

  @Test func whatAnIndexOutsideOfTheModelSays() throws {
    let world = try MergeWorld(url: try TestModel.temporaryFile())
    try world.make("Person", ["name": "A"])
    let file = try PlainDatabase(try #require(world.coordinator.persistentStores[0].url))
    try file.rows("CREATE UNIQUE INDEX OWN ON ZPERSON (ZNAME)")
    let context = world.context(.mergeByPropertyObjectTrumpMergePolicyType)
    context.performAndWait {
      _ = context.make("Person", ["name": "A"])
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectConstraintMergeError && context.insertedObjects.count == 1)
    }
  }

  /// Statements and reads grow with the number of objects, and no faster.
  @Test(arguments: [NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType] + Self.trumps)
  func theCostIsLinear(_ type: NSMergePolicyType) throws {
    func statements(_ count: Int) throws -> (reads: Int, writes: Int) {
      let world = try MergeWorld(.sqlite, MergeWorld.accounts())
      try world.coordinator.inContext { context throws in
        for number in 0..<count { _ = context.make("Account", ["email": "\(number)", "points": 1]) }
        try context.save()
      }
      let context = world.context(type)
      return try context.performAndWait {
        for number in 0..<count { _ = context.make("Account", ["email": "\(number)", "points": 2]) }
        let (_, texts) = try StatementLog.collect(thisThread: true) { try context.save() }
        #expect(try context.all("Account").count == count)
        #expect(try context.all("Account").allSatisfy { $0.number("points") == (Self.trumps.contains(type) ? 2 : 1) })
        let reads = texts.filter { $0.hasPrefix("SELECT") || $0.hasPrefix("WITH") }.count
        let writes = texts.filter { $0.hasPrefix("INSERT") || $0.hasPrefix("UPDATE ZACCOUNT") }.count
        return (reads, writes)
      }
    }
    let few = try statements(1024), many = try statements(4096)
    // 256 objects with each look-up, once for the rows that have the values, and once for what is in these.
    #expect(few.reads <= 4 * 2 + 10, "\(few)")
    #expect(many.reads <= 16 * 2 + 10, "\(many)")
    // One attempt fails at its first row.
    #expect(many.writes <= (Self.trumps.contains(type) ? 4096 : 0) + 5, "\(many)")
  }

  /// Values are read for comparing as often as there are objects, a few times each, and not for every pair of them; in a
  /// process of its own, since others would count, too.
  @Test(arguments: [
    NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType.rawValue,
    NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType.rawValue,
  ])
  func theCostInMemoryIsLinear(_ type: UInt) async {
    await #expect(processExitsWith: .success) { [type = type as UInt] in
      func cost(_ count: Int, each size: Int, stored: Bool) throws -> (readings: Int, statements: Int) {
        let world = try MergeWorld(.sqlite, MergeWorld.accounts())
        if stored {
          try world.coordinator.inContext { context throws in
            for number in stride(from: 0, to: count, by: size) { _ = context.make("Account", ["email": "\(number)"]) }
            try context.save()
          }
        }
        let context = world.context(NSMergePolicyType(rawValue: type))
        return try context.performAndWait {
          for number in 0..<count {
            let account = context.make("Account", ["email": "\(number / size * size)", "points": number])
            context.make("Order", ["name": "\(number)"]).setValue(account, forKey: "account")
          }
          let before = UniquenessConstraint.readings.load(ordering: .relaxed)
          let texts = try StatementLog.collect { try context.save() }.statements
          let readings = UniquenessConstraint.readings.load(ordering: .relaxed) - before
          #expect(try context.all("Account").count == (count + size - 1) / size)
          #expect(try context.all("Order").allSatisfy { $0.one("account") != nil })
          return (readings, texts.count { $0.hasPrefix("SELECT") || $0.hasPrefix("WITH") })
        }
      }
      // All with one value, pairs, and one object for each row.
      for (size, isStored) in [(Int.max, false), (2, false), (Int.max, true), (1, true)] {
        let few = try cost(400, each: min(size, 400), stored: isStored)
        let many = try cost(800, each: min(size, 800), stored: isStored)
        let text: Comment = "\(size == .max ? "all" : "\(size)") of a kind, stored: \(isStored): \(few), \(many)"
        #expect(few.readings >= 400 && few.readings <= 10 * 400, text)
        #expect(many.readings <= 2 * few.readings + 50, text)
        #expect(many.statements <= 2 * few.statements, text)
      }
    }
  }

  @Test func theCostOfVersionsIsLinear() throws {
    func statements(_ count: Int) throws -> Int {
      let world = try MergeWorld()
      try world.coordinator.inContext { context throws in
        for number in 0..<count { _ = context.make("Person", ["name": "\(number)"]) }
        try context.save()
      }
      let context = world.context(.mergeByPropertyObjectTrumpMergePolicyType)
      return try context.performAndWait {
        for person in try context.all("Person") { person.setValue(1, forKey: "number") }
        try world.coordinator.inContext { other throws in
          for person in try other.all("Person") { person.setValue(2, forKey: "age") }
          try other.save()
        }
        let (_, texts) = try StatementLog.collect(thisThread: true) { try context.save() }
        #expect(try context.all("Person").allSatisfy { $0.number("age") == 2 && $0.number("number") == 1 })
        return texts.filter { $0.hasPrefix("SELECT") }.count
      }
    }
    #expect(try statements(1000) <= 10)
    #expect(try statements(4000) <= 22)
  }

  /// What an import that is run again leaves of the members that the row had.
  enum Import: String, CaseIterable { case untouched, registered, twice }

  /// Makes a new account of a stored account's value, saves it, and returns the state of the stored account in the file.
  private func imported(
    _ store: TestStore, _ policy: NSMergePolicy, _ way: Import, groups: [String], orders: [String]
  ) throws -> String {
    let world = try world(store)
    let context = world.context()
    context.mergePolicy = policy
    try context.performAndWait {
      let known = way == .registered ? try context.all("Account") : []
      for account in known { _ = (account.many("groups").count, account.many("orders").count) }
      if way == .twice {
        let first = context.make("Account", ["email": "a", "note": "first"])
        first.mutableSetValue(forKey: "groups").add(context.make("Group", ["name": "first"]))
      }
      let account = context.make("Account", ["email": "a", "note": "n"])
      for name in groups { account.mutableSetValue(forKey: "groups").add(context.make("Group", ["name": name])) }
      for name in orders { context.make("Order", ["name": name]).setValue(account, forKey: "account") }
      try context.save()
      // Both ends agree, in the context and in a new one.
      for reader in [context, world.context()] {
        try reader.performAndWait {
          let account = try #require(try reader.all("Account").first)
          for (relationship, inverse, entity) in [("groups", "accounts", "Group"), ("orders", "account", "Order")] {
            for member in try reader.all(entity) {
              let owners =
                inverse == "account"
                ? [member.value(forKey: inverse) as? NSManagedObject].compactMap { $0 } : Array(member.many(inverse))
              #expect(account.many(relationship).contains(member) == owners.contains(account), "\(entity)")
            }
          }
        }
      }
    }
    return try world.coordinator.inContext { context throws in
      let accounts = try context.all("Account")
      return accounts.map { state($0) }.joined(separator: "; ")
    }
  }

  @Test(arguments: TestStore.all, Import.allCases)
  func membersAreUnitedUnlessThePolicyReplacesThem(_ store: TestStore, _ way: Import) throws {
    let (trump, over) = (
      NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, NSMergePolicyType.overwriteMergePolicyType
    )
    func check(_ policy: NSMergePolicy, groups: [String], orders: [String], _ members: String) throws {
      let state = try imported(store, policy, way, groups: groups, orders: orders)
      #expect(state.hasSuffix(" " + members), "\(policy) \(groups) \(orders): \(state)")
    }
    let first = way == .twice ? "first," : "", alone = way == .twice ? "[first]" : "[old]"
    for type in Self.trumps {
      try check(NSMergePolicy(merge: type), groups: ["new"], orders: ["new"], "[new,old] [\(first)new,old]")
      try check(NSMergePolicy(merge: type, replacingMembers: true), groups: ["new"], orders: ["new"], "[new] [new]")
    }
    try check(NSMergePolicy(merge: trump, replacingMembers: true), groups: [], orders: ["new"], "[new] \(alone)")
    try check(NSMergePolicy(merge: over, replacingMembers: true), groups: [], orders: ["new"], "[new] []")
    // Where the store's values stay, its members do, too.
    try check(
      NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType, replacingMembers: true), groups: ["new"],
      orders: [], "[old] [\(first)new,old]")
  }

  /// The tags of an import have unique names themselves.
  @Test(arguments: TestStore.all) func membersThatAreUniqueThemselvesAreReplaced(_ store: TestStore) throws {
    let book = TestModel.entity("Book", [TestModel.attribute("name", .stringAttributeType)])
    let tag = TestModel.entity("Tag", [TestModel.attribute("name", .stringAttributeType)])
    for entity in [book, tag] { entity.uniquenessConstraints = [["name"]] }
    TestModel.relate(book, "tags", max: 0, tag, "books", max: 0)
    let model = NSManagedObjectModel()
    model.entities = [book, tag]
    let world = try MergeWorld(store, model, url: try store.place())
    for tags in [["a", "b"], ["b", "c"], ["c", "d", "d"]] {
      let context = world.context()
      context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType, replacingMembers: true)
      try context.performAndWait {
        let book = context.make("Book", ["name": "Eden"])
        for name in tags { book.mutableSetValue(forKey: "tags").add(context.make("Tag", ["name": name])) }
        try context.save()
      }
      try world.coordinator.inContext { context throws in
        let books = try context.all("Book")
        #expect(books.count == 1)
        #expect(Set(books[0].many("tags").compactMap { $0.text("name") }) == Set(tags))
        for tag in try context.all("Tag") {
          #expect(tag.many("books").isEmpty != tags.contains(tag.text("name") ?? ""))
        }
        #expect(try context.all("Tag").count == Set(["a", "b", "c", "d"].prefix { $0 <= tags.last ?? "" }).count)
      }
    }
  }
}
