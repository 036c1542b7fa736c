import CoreData
import Testing

/// Relationships that both sides have changed.
@Suite struct MergedRelationshipTests {
  private func society(_ store: TestStore) throws -> MergeWorld {
    let world = try MergeWorld(store, url: try store.place())
    try world.coordinator.inContext { context throws in
      for name in ["A", "B", "C", "D", "E"] { _ = context.make("Person", ["name": name]) }
      for name in ["X", "Y", "Z"] { _ = context.make("Club", ["name": name]) }
      for number in 0..<3 { _ = context.make("Passport", ["number": number]) }
      try context.named("A").setValue(try context.named("B"), forKey: "boss")
      try context.named("A").setValue([try context.named("X", "Club")] as Set, forKey: "clubs")
      try context.save()
    }
    return world
  }

  private func names(_ object: NSManagedObject, _ key: String) -> String {
    object.many(key).compactMap { $0.text("name") }.sorted().joined()
  }

  /// A's boss was B; here it becomes C, elsewhere D.
  @Test(arguments: MergeWorld.policies, TestStore.all)
  func aToOneWithAnInverse(_ type: NSMergePolicyType, _ store: TestStore) throws {
    let world = try society(store)
    let context = world.context(type)
    try context.performAndWait {
      let people = try ["A", "B", "C", "D"].map { try context.named($0) }
      for person in people { _ = names(person, "reports") }
      people[0].setValue(people[2], forKey: "boss")
      try world.elsewhere { $0.setValue(try $0.managedObjectContext?.named("D"), forKey: "boss") }
      try context.save()
      let trumps = type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
      let expected = trumps ? ["", "A", ""] : ["", "", "A"]
      #expect(people[0].one("boss") === people[trumps ? 2 : 3])
      #expect(people.dropFirst().map { names($0, "reports") } == expected && !context.hasChanges)
      try world.coordinator.inContext { other throws in
        #expect(try ["B", "C", "D"].map { names(try other.named($0), "reports") } == expected)
      }
      #expect(try world.coordinator.problems().isEmpty)
    }
  }

  /// Only the other side has changed the to-one: everybody but an overwriter takes it.
  @Test(arguments: MergeWorld.policies, TestStore.all)
  func aToOneThatOnlyTheyChanged(_ type: NSMergePolicyType, _ store: TestStore) throws {
    let world = try society(store)
    let context = world.context(type)
    try context.performAndWait {
      let person = try context.named("A"), boss = try context.named("B")
      #expect(names(boss, "reports") == "A")
      person.setValue(1, forKey: "age")
      try world.elsewhere { $0.setValue(nil, forKey: "boss") }
      try context.save()
      let isOurs = type == .overwriteMergePolicyType
      #expect((person.one("boss") === boss) == isOurs && names(boss, "reports") == (isOurs ? "A" : ""))
      try world.coordinator.inContext { other throws in
        #expect(try other.named("A").one("boss")?.text("name") == (isOurs ? "B" : nil))
      }
    }
  }

  /// What an overwriter refers to may be gone.
  @Test(arguments: TestStore.all) func overwritingWithAMemberThatIsGone(_ store: TestStore) throws {
    let world = try society(store)
    let context = world.context(.overwriteMergePolicyType)
    try context.performAndWait {
      let person = try context.named("A")
      person.setValue(1, forKey: "age")
      try world.elsewhere("B") { $0.managedObjectContext?.delete($0) }
      try context.save()
      #expect(person.one("boss") == nil && person.number("age") == 1)
      #expect(try world.coordinator.problems().isEmpty)
    }
  }

  @Test(arguments: MergeWorld.policies, TestStore.ofTables)
  func manyToMany(_ type: NSMergePolicyType, _ store: TestStore) throws {
    let world = try society(store)
    let context = world.context(type)
    try context.performAndWait {
      let person = try context.named("A")
      let clubs = try ["X", "Y", "Z"].map { try context.named($0, "Club") }
      for club in clubs { _ = club.many("members") }
      person.setValue([clubs[1]] as Set, forKey: "clubs")
      try world.elsewhere {
        let clubs = $0.mutableSetValue(forKey: "clubs")
        clubs.add(try #require(try $0.managedObjectContext?.named("Z", "Club")))
      }
      try context.save()
      let expected = type == .rollbackMergePolicyType ? "XZ" : "YZ"
      #expect(names(person, "clubs") == expected && !context.hasChanges)
      #expect(clubs.map { $0.many("members").contains(person) } == ["X", "Y", "Z"].map(expected.contains))
      try world.coordinator.inContext { other throws in
        #expect(names(try other.named("A"), "clubs") == expected)
        let members = try ["X", "Y", "Z"].map { !(try other.named($0, "Club").many("members").isEmpty) }
        #expect(members == ["X", "Y", "Z"].map(expected.contains))
      }
      #expect(try world.coordinator.problems().isEmpty)
    }
  }

  /// An owner of which nothing but its members has changed.
  @Test(arguments: MergeWorld.policies, TestStore.ofTables)
  func membersThatWereAdded(_ type: NSMergePolicyType, _ store: TestStore) throws {
    let world = try society(store)
    let context = world.context(type)
    try context.performAndWait {
      let boss = try context.named("B")
      boss.mutableSetValue(forKey: "reports").add(try context.named("C"))
      try world.elsewhere("B") {
        $0.setValue(9, forKey: "age")
        $0.mutableSetValue(forKey: "reports").add(try #require(try $0.managedObjectContext?.named("D")))
      }
      try context.save()
      // The members' rows say whose they are, and nobody else has changed C.
      #expect(names(boss, "reports") == "ACD" && boss.number("age") == (type == .overwriteMergePolicyType ? 7 : 9))
      try world.coordinator.inContext { other throws in #expect(names(try other.named("B"), "reports") == "ACD") }
    }
  }

  @Test(arguments: MergeWorld.policies, TestStore.all)
  func oneToOne(_ type: NSMergePolicyType, _ store: TestStore) throws {
    let world = try society(store)
    try world.elsewhere { person throws in
      let passports = try person.managedObjectContext?.all("Passport", sortedBy: "number")
      person.setValue(passports?[0], forKey: "passport")
    }
    let context = world.context(type)
    try context.performAndWait {
      let person = try context.named("A")
      let passports = try context.all("Passport", sortedBy: "number")
      #expect(passports.map { $0.one("holder") === person } == [true, false, false])
      person.setValue(passports[1], forKey: "passport")
      try world.elsewhere { person throws in
        let passports = try person.managedObjectContext?.all("Passport", sortedBy: "number")
        person.setValue(passports?[2], forKey: "passport")
      }
      try context.save()
      let trumps = type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
      let expected = [false, trumps, !trumps]
      #expect(passports.map { $0.one("holder") === person } == expected && !context.hasChanges)
      try world.coordinator.inContext { other throws in
        let person = try other.named("A")
        #expect(try other.all("Passport", sortedBy: "number").map { $0.one("holder") === person } == expected)
        #expect(person.one("passport")?.number("number") == (trumps ? 1 : 2))
      }
      #expect(try world.coordinator.problems().isEmpty)
    }
  }

  /// Whom others have related to an object meanwhile loses it with its deletion, although it was read before.
  @Test(arguments: TestStore.all) func deletingAnOwnerThatOthersGaveMembers(_ store: TestStore) throws {
    let world = try society(store)
    let context = world.context()
    try context.performAndWait {
      let people = try ["C", "D", "E"].map { try context.named($0) }
      for person in people { #expect(person.one("boss") == nil && person.one("partner") == nil) }
      try world.elsewhere("C") { person throws in
        let context = try #require(person.managedObjectContext)
        person.setValue(try context.named("E"), forKey: "boss")
        person.setValue([try context.named("D")] as Set, forKey: "friends")
        try context.named("D").setValue(try context.named("E"), forKey: "partner")
      }
      context.refresh(people[2], mergeChanges: false)
      #expect(names(people[2], "reports") == "C")
      context.delete(people[2])
      try context.save()
      #expect(people[0].one("boss") == nil && people[1].one("partner") == nil)
      context.refresh(people[1], mergeChanges: false)
      context.delete(people[1])
      try context.save()
      #expect(try world.coordinator.problems().isEmpty)
      try world.coordinator.inContext { other throws in #expect(try other.named("C").many("friends").isEmpty) }
    }
  }

  /// The order that one side has made.
  @Test(
    arguments: [
      (NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, true, "t2 t0 t1 theirs mine"),
      (.mergeByPropertyObjectTrumpMergePolicyType, true, "t1 t2 t0 mine theirs"),
      (.overwriteMergePolicyType, true, "t1 t2 t0 mine theirs"),
      (.mergeByPropertyStoreTrumpMergePolicyType, false, "t1 t2 t0 mine theirs"),
      (.rollbackMergePolicyType, false, "t0 t1 t2 theirs mine"),
    ], TestStore.all)
  func orderedMembers(_ row: (type: NSMergePolicyType, theyReorder: Bool, expected: String), _ store: TestStore) throws
  {
    let (type, theyReorder, expected) = row
    let album = TestModel.entity("Album", [TestModel.attribute("name", .stringAttributeType)])
    let track = TestModel.entity("Track", [TestModel.attribute("name", .stringAttributeType)])
    TestModel.relate(album, "tracks", max: 0, track, "album", max: 1)
    album.relationshipsByName["tracks"]?.isOrdered = true
    let model = NSManagedObjectModel()
    model.entities = [album, track]
    let world = try MergeWorld(store, model)
    try world.coordinator.inContext { context throws in
      let album = context.make("Album", ["name": "A"])
      let tracks = (0..<3).map { context.make("Track", ["name": "t\($0)"]) }
      album.setValue(NSOrderedSet(array: tracks), forKey: "tracks")
      try context.save()
    }
    func order(_ album: NSManagedObject) -> String {
      (album.value(forKey: "tracks") as? NSOrderedSet)?.array.compactMap { ($0 as? NSManagedObject)?.text("name") }
        .joined(separator: " ") ?? ""
    }
    let context = world.context(type)
    try context.performAndWait {
      let album = try context.named("A", "Album")
      let tracks = album.mutableOrderedSetValue(forKey: "tracks")
      tracks.moveObjects(at: [0], to: 2)
      tracks.add(context.make("Track", ["name": "mine"]))
      try world.elsewhere("A", "Album") {
        let tracks = $0.mutableOrderedSetValue(forKey: "tracks")
        if theyReorder { tracks.moveObjects(at: [2], to: 0) }
        if let track = $0.managedObjectContext?.make("Track", ["name": "theirs"]) { tracks.add(track) }
      }
      try context.save()
      #expect(order(album) == expected && !context.hasChanges)
      try world.coordinator.inContext { other throws in #expect(order(try other.named("A", "Album")) == expected) }
    }
  }
}

extension NSPersistentStoreCoordinator {
  /// What is wrong with the first store's file, if that is SQLite's.
  func problems() throws -> [String] {
    let first = try #require(persistentStores.first)
    guard first.type == NSSQLiteStoreType else { return [] }
    let store = try #require(first.url)
    let file = try PlainDatabase(store)
    return try file.integrity().filter { $0 != "ok" } + dangling(file)
  }

  private func dangling(_ file: PlainDatabase) throws -> [String] {
    let queries = [
      "SELECT 'boss' FROM ZPERSON WHERE ZBOSS IS NOT NULL AND ZBOSS NOT IN (SELECT Z_PK FROM ZPERSON)",
      "SELECT 'home' FROM ZPERSON WHERE ZHOME IS NOT NULL AND ZHOME NOT IN (SELECT Z_PK FROM ZHOUSE)",
      "SELECT 'partner' FROM ZPERSON a JOIN ZPERSON b ON a.ZPARTNER = b.Z_PK WHERE b.ZPARTNER IS NOT a.Z_PK",
      "SELECT 'lost partner' FROM ZPERSON WHERE ZPARTNER IS NOT NULL AND ZPARTNER NOT IN (SELECT Z_PK FROM ZPERSON)",
      "SELECT 'holder' FROM ZPERSON a JOIN ZPASSPORT b ON a.ZPASSPORT = b.Z_PK WHERE b.ZHOLDER IS NOT a.Z_PK",
      "SELECT 'passport' FROM ZPASSPORT a JOIN ZPERSON b ON a.ZHOLDER = b.Z_PK WHERE b.ZPASSPORT IS NOT a.Z_PK",
      "SELECT 'lost passport' FROM ZPERSON WHERE ZPASSPORT IS NOT NULL AND ZPASSPORT NOT IN (SELECT Z_PK FROM ZPASSPORT)",
    ]
    return try queries.flatMap { try file.strings($0) }
  }
}
