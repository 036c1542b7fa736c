import CoreData
import Testing

/// Objects of every level get the permanent ID that one of them has got.
@Suite struct PermanentKeyTests {
  @Test(arguments: TestStore.all) func aSaveAtTheTopHandsThemDown(_ store: TestStore) throws {
    let tree = try Tree(store)
    let ada = try tree.leaf.inside { leaf throws in
      let ada = leaf.make("Person", ["name": "Ada"])
      let boss = leaf.make("Manager", ["name": "boss"])
      ada.setValue(boss, forKey: "boss")
      boss.mutableSetValue(forKey: "clubs").add(leaf.make("Club", ["name": "club"]))
      try leaf.save()
      return ada
    }
    let temporary = try tree.leaf.inside { _ in ada.objectID }
    try Tree.saveUp(tree.middle)
    try tree.leaf.inside { leaf throws in
      let id = ada.objectID
      #expect(!id.isTemporaryID && ada.text("name") == "Ada" && !leaf.hasChanges)
      #expect(leaf.registeredObject(for: id) === ada && leaf.object(with: id) === ada)
      // A temporary ID that somebody kept still leads to the object.
      #expect(leaf.registeredObject(for: temporary) === ada && leaf.object(with: temporary) === ada)
      #expect(try leaf.existingObject(with: temporary) === ada)
      #expect(ada.one("boss")?.objectID.isTemporaryID == false)
      #expect(try leaf.all("Person").count == 2 && leaf.named("Ada") === ada)
      #expect(ada.one("boss")?.many("reports") == [ada] && ada.one("boss")?.many("clubs").count == 1)
      ada.setValue("A", forKey: "name")
    }
    try Tree.saveUp(tree.leaf)
    #expect(try tree.coordinator.inContext { try $0.names("Person") == ["A", "boss"] })
  }

  /// What a child has read of its parent names objects that had no permanent keys yet.
  @Test(arguments: TestStore.all) func rowsAndMembersThatWereReadBefore(_ store: TestStore) throws {
    let tree = try Tree(store)
    let (boss, club) = try tree.root.inside { root throws in
      let boss = root.make("Manager", ["name": "boss"]), club = root.make("Club", ["name": "club"])
      for number in 0..<5 {
        let person = root.make(number % 2 == 0 ? "Person" : "Employee", ["name": "p\(number)"])
        person.setValue(boss, forKey: "boss")
        person.mutableSetValue(forKey: "clubs").add(club)
      }
      return (boss.objectID, club.objectID)
    }
    try tree.leaf.inside { leaf throws in
      let here = leaf.object(with: boss), club = leaf.object(with: club)
      // Known by their keys alone, and held by nobody.
      #expect(here.objectIDs(forRelationshipNamed: "reports").count == 5)
      let known = club.objectIDs(forRelationshipNamed: "members")
      #expect(known.filter { !$0.isTemporaryID }.isEmpty && known.count == 5)
      let person = try leaf.named("p0")
      #expect(person.text("name") == "p0")
      try tree.root.inside { try $0.save() }
      #expect(try leaf.named("p0") === person)
      #expect(person.one("boss") === here && !here.objectID.isTemporaryID)
      #expect(here.objectIDs(forRelationshipNamed: "reports").allSatisfy { !$0.isTemporaryID })
      #expect(Set(here.many("reports").map { $0.text("name")! }) == ["p0", "p1", "p2", "p3", "p4"])
      #expect(club.many("members") == here.many("reports"))
      #expect(club.many("members").filter { $0.entity.name == "Employee" }.count == 2)
      let all = try leaf.all("Person")
      #expect(all.count == 6 && all.allSatisfy { !$0.objectID.isTemporaryID })
      #expect(leaf.registeredObjects.allSatisfy { !$0.objectID.isTemporaryID })
    }
  }

  @Test(arguments: TestStore.all) func ordersKeepThem(_ store: TestStore) throws {
    let tree = try Tree(store, Music.model())
    let id = try tree.middle.inside { middle throws in
      let album = middle.make("Album", ["name": "A"])
      album.setValue(NSOrderedSet(array: Music.tracks(5, middle).reversed()), forKey: "tracks")
      return album.objectID
    }
    try tree.leaf.inside { leaf throws in
      let album = leaf.object(with: id)
      #expect(album.names("tracks") == "t4 t3 t2 t1 t0")
      try Tree.saveUp(tree.middle)
      #expect(album.names("tracks") == "t4 t3 t2 t1 t0")
      album.mutableOrderedSetValue(forKey: "tracks").moveObjects(at: [4], to: 0)
      #expect(album.names("tracks") == "t0 t4 t3 t2 t1")
    }
    try Tree.saveUp(tree.leaf)
    #expect(try tree.coordinator.inContext { try $0.all("Album")[0].names("tracks") == "t0 t4 t3 t2 t1" })
  }

  @Test(arguments: TestStore.all) func aSiblingLearnsThemToo(_ store: TestStore) throws {
    let tree = try Tree(store)
    let sibling = Tree.child(of: tree.root), nephew = Tree.child(of: sibling)
    let id = try tree.root.inside { $0.make("Person", ["name": "Ada"]).objectID }
    let objects = try [tree.middle, tree.leaf, sibling, nephew].map { context in
      try context.inside { try $0.existingObject(with: id) }
    }
    try tree.root.inside { try $0.save() }
    for object in objects {
      let context = try #require(object.managedObjectContext)
      try context.inside { context throws in
        #expect(!object.objectID.isTemporaryID)
        #expect(try context.all("Person") == [object])
      }
    }
  }

  @Test(arguments: TestStore.all) func aChildMayObtainThemAheadOfASave(_ store: TestStore) throws {
    let tree = try Tree(store)
    try tree.leaf.inside { leaf throws in
      let ada = leaf.make("Person", ["name": "Ada"]), bob = leaf.make("Person", ["name": "Bob"])
      ada.setValue(bob, forKey: "boss")
      try leaf.obtainPermanentIDs(for: [ada])
      let id = ada.objectID
      #expect(!id.isTemporaryID && ada.isInserted && bob.objectID.isTemporaryID)
      try leaf.save()
      #expect(ada.objectID == id && ada.text("name") == "Ada" && ada.one("boss") === bob)
      try tree.middle.inside { middle throws in
        #expect(middle.registeredObject(for: id)?.isInserted == true)
        #expect(middle.object(with: id).one("boss")?.text("name") == "Bob")
      }
      // Of one that the parent has already, the parent's object gets it as well.
      let old = bob.objectID
      try leaf.obtainPermanentIDs(for: [bob])
      let new = bob.objectID
      try tree.middle.inside { middle throws in
        #expect(middle.registeredObject(for: new)?.text("name") == "Bob")
        #expect(middle.insertedObjects.map(\.objectID.isTemporaryID) == [false, false])
        #expect(middle.registeredObject(for: old) === middle.registeredObject(for: new))
      }
      try Tree.saveUp(tree.middle)
      #expect(ada.objectID == id && bob.objectID == new)
    }
    try tree.coordinator.inContext { context throws in
      #expect(try context.named("Ada").one("boss")?.text("name") == "Bob")
    }
  }

  @Test(arguments: TestStore.all) func notificationsOfAChildHaveTemporaryIDs(_ store: TestStore) throws {
    let tree = try Tree(store)
    nonisolated(unsafe) var ids: Set<NSManagedObjectID> = []
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSaveObjectIDs, object: tree.middle, queue: nil
    ) { ids = $0.userInfo?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID> ?? [] }
    defer { NotificationCenter.default.removeObserver(token) }
    try tree.middle.inside { middle throws in
      _ = middle.make("Person")
      try middle.save()
    }
    #expect(ids.count == 1 && ids.allSatisfy(\.isTemporaryID))
  }
}
