import CoreData
import Testing

/// Fetches and counts of a child: the store's rows with what is pending in every level laid over them.
@Suite struct ChildFetchTests {
  /// Ten people in the store, p0 to p9, and changes in each level.
  private func tree(_ store: TestStore) throws -> Tree {
    let tree = try Tree(store)
    try tree.root.inside { root throws in
      for number in 0..<10 { _ = root.make("Person", ["name": "p\(number)", "number": number]) }
      try root.save()
      try root.named("p0").setValue("r0", forKey: "name")
      root.delete(try root.named("p1"))
      _ = root.make("Employee", ["name": "r", "number": 100])
    }
    try tree.middle.inside { middle throws in
      try middle.named("p2").setValue("m2", forKey: "name")
      middle.delete(try middle.named("p3"))
      try middle.named("r0").setValue("m0", forKey: "name")
      _ = middle.make("Person", ["name": "m", "number": 200])
    }
    try tree.leaf.inside { leaf throws in
      try leaf.named("p4").setValue("l4", forKey: "name")
      leaf.delete(try leaf.named("p5"))
      try leaf.named("m2").setValue("l2", forKey: "name")
      leaf.delete(try leaf.named("r"))
      _ = leaf.make("Person", ["name": "l", "number": 300])
    }
    return tree
  }

  @Test(arguments: TestStore.all) func eachLevelSeesItsOwnAndThoseAbove(_ store: TestStore) throws {
    let tree = try tree(store)
    try tree.root.inside { root throws in
      #expect(try root.names("Person") == ["p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "r", "r0"])
    }
    try tree.middle.inside { middle throws in
      #expect(try middle.names("Person") == ["m", "m0", "m2", "p4", "p5", "p6", "p7", "p8", "p9", "r"])
    }
    try tree.leaf.inside { leaf throws in
      let names = ["l", "l2", "l4", "m", "m0", "p6", "p7", "p8", "p9"]
      #expect(try leaf.names("Person") == names)
      #expect(try leaf.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person")) == names.count)
      #expect(try leaf.names("Person", where: "name BEGINSWITH 'm'") == ["m", "m0"])
      #expect(try leaf.names("Person", where: "number >= 6") == ["l", "m", "p6", "p7", "p8", "p9"])
      #expect(try leaf.names("Employee").isEmpty)
      #expect(try leaf.names("Person", subentities: false) == names)
    }
    #expect(try tree.middle.inside { try $0.names("Employee") == ["r"] })
  }

  /// New objects have no rows by which they could be told apart.
  @Test(arguments: TestStore.all) func allNewObjectsOfTheLevelsAboveAreThere(_ store: TestStore) throws {
    let tree = try Tree(store)
    try tree.root.inside { root throws in
      for number in 0..<7 { _ = root.make("Person", ["name": "r\(number)", "number": number]) }
      for number in 0..<4 { _ = root.make("Club", ["name": "c\(number)"]) }
    }
    try tree.middle.inside { middle throws in
      for number in 0..<5 { _ = middle.make("Employee", ["name": "m\(number)", "number": number]) }
      middle.delete(try middle.named("r3"))
      try middle.named("r4").setValue("x4", forKey: "name")
    }
    try tree.leaf.inside { leaf throws in
      let names = ["m0", "m1", "m2", "m3", "m4", "r0", "r1", "r2", "r5", "r6", "x4"]
      #expect(try leaf.names("Person") == names)
      #expect(try leaf.names("Employee") == ["m0", "m1", "m2", "m3", "m4"])
      #expect(try leaf.names("Club") == ["c0", "c1", "c2", "c3"])
      #expect(try leaf.names("Person", where: "number == 2") == ["m2", "r2"])
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      #expect(try leaf.count(for: request) == names.count)
      let found = try leaf.fetch(request)
      #expect(Set(found.map(\.objectID)).count == names.count && found.allSatisfy(\.objectID.isTemporaryID))
      // The same objects when they are fetched again, and beside new ones of the child's own.
      _ = leaf.make("Person", ["name": "l"])
      #expect(Set(try leaf.fetch(request)).isSuperset(of: found))
      #expect(try leaf.names("Person") == (names + ["l"]).sorted())
    }
  }

  @Test(arguments: TestStore.all) func limitsAndOffsetsCountWhatIsThere(_ store: TestStore) throws {
    let tree = try tree(store)
    try tree.leaf.inside { leaf throws in
      let all = try leaf.names("Person")
      for offset in 0...all.count + 1 {
        for limit in 0...all.count + 1 {
          let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
          request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
          (request.fetchOffset, request.fetchLimit) = (offset, limit)
          let expected = all.dropFirst(offset).prefix(limit == 0 ? .max : limit)
          #expect(try leaf.fetch(request).map { $0.text("name")! } == Array(expected), "\(offset), \(limit)")
          #expect(try leaf.count(for: request) == expected.count, "\(offset), \(limit)")
        }
      }
    }
  }

  @Test(arguments: TestStore.all) func withoutPendingChangesTheStoreAloneSaysWhatIsThere(_ store: TestStore) throws {
    let tree = try tree(store)
    try tree.leaf.inside { leaf throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.includesPendingChanges = false
      request.returnsObjectsAsFaults = false
      let objects = try leaf.fetch(request)
      #expect(objects.count == 10 && objects.allSatisfy { !$0.objectID.isTemporaryID })
      #expect(try leaf.count(for: request) == 10)
      // The values are those in memory, as in a context of its own.
      #expect(objects.contains { $0.text("name") == "m0" } && !objects.contains { $0.text("name") == "p0" })
    }
  }

  @Test(arguments: TestStore.all) func resultsAreTheChildsObjects(_ store: TestStore) throws {
    let tree = try tree(store)
    try tree.leaf.inside { leaf throws in
      for asFaults in [true, false] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.returnsObjectsAsFaults = asFaults
        let objects = try leaf.fetch(request)
        #expect(objects.allSatisfy { $0.managedObjectContext === leaf })
        if !asFaults { #expect(objects.allSatisfy { !$0.isFault }) }
        #expect(objects.contains { $0.text("name") == "m0" } && objects.contains { $0.text("name") == "l2" })
      }
      let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
      ids.resultType = .managedObjectIDResultType
      #expect(Set(try leaf.fetch(ids)) == Set(try leaf.all("Person").map(\.objectID)))
    }
  }

  @Test(arguments: TestStore.all) func predicatesMayNameTheChildsObjects(_ store: TestStore) throws {
    let tree = try Tree(store)
    try tree.root.inside { root throws in
      let boss = root.make("Manager", ["name": "boss"]), club = root.make("Club", ["name": "club"])
      for number in 0..<4 {
        let person = root.make("Person", ["name": "p\(number)", "number": number])
        if number < 2 { person.setValue(boss, forKey: "boss") }
        if number > 0 { person.mutableSetValue(forKey: "clubs").add(club) }
      }
    }
    try tree.leaf.inside { leaf throws in
      let boss = try leaf.named("boss"), club = try leaf.named("club", "Club")
      func names(_ predicate: NSPredicate) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = predicate
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try leaf.fetch(request).map { $0.text("name")! }
      }
      #expect(try names(NSPredicate(format: "boss == %@", boss)) == ["p0", "p1"])
      #expect(try names(NSPredicate(format: "boss IN %@", [boss])) == ["p0", "p1"])
      #expect(try names(NSPredicate(format: "boss IN %@", NSSet(object: boss))) == ["p0", "p1"])
      #expect(try names(NSPredicate(format: "NOT (boss == %@) AND %@ IN clubs", boss, club)) == ["p2", "p3"])
      #expect(try names(NSPredicate(format: "SUBQUERY(clubs, $c, $c == %@).@count == 1", club)) == ["p1", "p2", "p3"])
      #expect(try names(NSPredicate(format: "boss.name == 'boss' AND ANY clubs.name == 'club'")) == ["p1"])
      // A new object of the child is nobody's boss above.
      #expect(try names(NSPredicate(format: "boss == %@", leaf.make("Manager"))).isEmpty)
    }
  }

  @Test(arguments: TestStore.all) func prefetchingSeesTheLevelsAbove(_ store: TestStore) throws {
    let tree = try Tree(store)
    let club = try tree.root.inside { root throws in
      let clubs = (0..<3).map { root.make("Club", ["name": "c\($0)"]) }
      for number in 0..<6 {
        let person = root.make("Person", ["name": "p\(number)"])
        person.mutableSetValue(forKey: "clubs").add(clubs[number % 3])
        if number > 0 { person.setValue(try root.named("p0"), forKey: "boss") }
      }
      try root.save()
      return clubs[0].objectID
    }
    try tree.middle.inside { middle throws in
      middle.object(with: club).mutableSetValue(forKey: "members").add(middle.make("Person", ["name": "new"]))
    }
    try tree.leaf.inside { leaf throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Club")
      request.relationshipKeyPathsForPrefetching = ["members", "members.boss"]
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      let clubs = try leaf.fetch(request)
      #expect(clubs.map { $0.many("members").count } == [3, 2, 2])
      #expect(clubs[0].many("members").contains { $0.text("name") == "new" })
    }
  }

  @Test(arguments: TestStore.all) func deletionsAboveReachWhatIsRelated(_ store: TestStore) throws {
    let tree = try Tree(store, Society.family(.cascadeDeleteRule))
    try tree.root.inside { root throws in
      let parent = root.make("Parent", ["name": "P"])
      for number in 0..<3 { root.make("Child", ["name": "c\(number)"]).setValue(parent, forKey: "parent") }
      try root.save()
    }
    try tree.middle.inside { middle throws in
      middle.delete(try middle.named("P", "Parent"))
      middle.processPendingChanges()
    }
    try tree.leaf.inside { leaf throws in
      #expect(try leaf.names("Child").isEmpty && leaf.names("Parent").isEmpty)
    }
    #expect(try tree.root.inside { try $0.names("Child").count == 3 })
  }
}
