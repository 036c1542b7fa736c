import CoreData
import Testing

/// What a child sees of the contexts above it when its faults fire.
@Suite struct ChildReadingTests {
  @Test(arguments: TestStore.all) func unsavedValuesOfEveryLevelAreSeen(_ kind: TestStore) throws {
    let tree = try Tree(kind)
    let id = try tree.root.inside { root throws in
      let ada = root.make("Person", ["name": "Ada", "age": 30])
      try root.save()
      return ada.objectID
    }
    try tree.root.inside { $0.object(with: id).setValue(31, forKey: "age") }
    try tree.middle.inside { $0.object(with: id).setValue("Ada L.", forKey: "name") }
    try tree.leaf.inside { leaf throws in
      let ada = try leaf.existingObject(with: id)
      #expect(ada.text("name") == "Ada L." && ada.number("age") == 31)
      #expect(!ada.hasChanges && !leaf.hasChanges && ada.objectID == id && ada.managedObjectContext === leaf)
    }
    // Nothing of it is in the store.
    #expect(try tree.coordinator.inContext { try $0.named("Ada").number("age") == 30 })
  }

  @Test(arguments: TestStore.all) func newObjectsOfAnAncestorAreSeenByTheirTemporaryIDs(_ store: TestStore) throws {
    let tree = try Tree(store)
    let (boss, report) = try tree.root.inside { root throws in
      let boss = root.make("Manager", ["name": "Boss"]), report = root.make("Employee", ["name": "Report"])
      report.setValue(boss, forKey: "boss")
      root.processPendingChanges()
      return (boss.objectID, report.objectID)
    }
    #expect(boss.isTemporaryID)
    try tree.leaf.inside { leaf throws in
      let object = try leaf.existingObject(with: report)
      #expect(object.text("name") == "Report" && object.entity.name == "Employee" && !object.isInserted)
      let found = try #require(object.one("boss"))
      #expect(found.objectID == boss && found.entity.name == "Manager" && found === leaf.object(with: boss))
      #expect(found.many("reports") == [object])
      #expect(found.objectIDs(forRelationshipNamed: "reports") == [report])
      #expect(object.objectIDs(forRelationshipNamed: "boss") == [boss])
    }
  }

  @Test(arguments: TestStore.all) func theContextsBetweenRegisterNothing(_ store: TestStore) throws {
    let tree = try Tree(store)
    let ids = try tree.root.inside { root throws in
      let people = (0..<10).map { root.make("Person", ["name": "p\($0)"]) }
      try root.save()
      return people.map(\.objectID)
    }
    try tree.root.inside { $0.object(with: ids[0]).setValue("changed", forKey: "name") }
    try tree.leaf.inside { leaf throws in
      #expect(try leaf.existingObject(with: ids[0]).text("name") == "changed")
      #expect(try leaf.names("Person").count == 10)
      for id in ids { #expect(leaf.object(with: id).text("name") != nil) }
    }
    try tree.middle.inside { #expect($0.registeredObjects.isEmpty) }
  }

  @Test(arguments: TestStore.all) func anObjectThatIsDeletedAboveIsNotThere(_ store: TestStore) throws {
    let tree = try Tree(store)
    let id = try tree.root.inside { root throws in
      let ada = root.make("Person", ["name": "Ada"])
      try root.save()
      return ada.objectID
    }
    try tree.middle.inside { middle throws in
      middle.delete(middle.object(with: id))
      middle.processPendingChanges()
    }
    try tree.leaf.inside { leaf throws in
      let error = #expect(throws: NSError.self) { try leaf.existingObject(with: id) }
      #expect(error?.code == NSManagedObjectReferentialIntegrityError)
      #expect(try leaf.names("Person").isEmpty)
      let ghost = leaf.object(with: id)
      #expect(ghost.value(forKey: "name") == nil && ghost.isDeleted)
      try leaf.save()
    }
    #expect(try tree.root.inside { try $0.existingObject(with: id).text("name") == "Ada" })
  }

  @Test(arguments: TestStore.all) func aTemporaryIDThatNobodyHasIsMissing(_ store: TestStore) throws {
    let tree = try Tree(store)
    let id = try tree.root.inside { root throws in
      let id = root.make("Person").objectID
      root.rollback()
      return id
    }
    try tree.leaf.inside { leaf throws in
      let error = #expect(throws: NSError.self) { try leaf.existingObject(with: id) }
      #expect(error?.code == NSManagedObjectReferentialIntegrityError)
    }
  }

  @Test(arguments: TestStore.all) func realisedObjectsKeepTheirValues(_ store: TestStore) throws {
    let tree = try Tree(store)
    let ada = try tree.root.inside { $0.make("Person", ["name": "Ada"]) }
    try tree.middle.inside { middle throws in
      let here = try middle.named("Ada")
      #expect(here.text("name") == "Ada")
      try tree.root.inside { _ in ada.setValue("Countess", forKey: "name") }
      #expect(here.text("name") == "Ada")
      #expect(try middle.names("Person", where: "name == 'Countess'") == ["Ada"])
      middle.refresh(here, mergeChanges: false)
      #expect(here.text("name") == "Countess")
    }
  }

  @Test(arguments: TestStore.all) func membersOfEveryLevelAreMerged(_ store: TestStore) throws {
    let tree = try Tree(store)
    let (club, ids) = try tree.root.inside { root throws in
      let club = root.make("Club", ["name": "Club"])
      let people = (0..<4).map { root.make("Person", ["name": "p\($0)"]) }
      club.setValue(NSSet(array: people), forKey: "members")
      try root.save()
      return (club.objectID, people.map(\.objectID))
    }
    try tree.root.inside { root throws in
      let object = root.object(with: club)
      object.mutableSetValue(forKey: "members").remove(root.object(with: ids[0]))
      object.mutableSetValue(forKey: "members").add(root.make("Employee", ["name": "new at the top"]))
    }
    try tree.middle.inside { middle throws in
      let object = middle.object(with: club)
      object.mutableSetValue(forKey: "members").remove(middle.object(with: ids[1]))
      object.mutableSetValue(forKey: "members").add(middle.make("Person", ["name": "new in the middle"]))
    }
    try tree.leaf.inside { leaf throws in
      let members = leaf.object(with: club).many("members")
      #expect(Set(members.map { $0.text("name")! }) == ["p2", "p3", "new at the top", "new in the middle"])
      #expect(members.first { $0.text("name") == "new at the top" }?.entity.name == "Employee")
      for member in members { #expect(member.many("clubs") == [leaf.object(with: club)]) }
      #expect(leaf.object(with: ids[0]).many("clubs").isEmpty)
    }
  }

  @Test(arguments: TestStore.all) func ordersThatAreNotSavedAreSeen(_ store: TestStore) throws {
    let tree = try Tree(store, Music.model())
    let id = try tree.root.inside { root throws in
      let album = root.make("Album", ["name": "A"])
      album.setValue(NSOrderedSet(array: Music.tracks(4, root)), forKey: "tracks")
      try root.save()
      return album.objectID
    }
    try tree.middle.inside { middle throws in
      let tracks = middle.object(with: id).mutableOrderedSetValue(forKey: "tracks")
      tracks.moveObjects(at: [3], to: 0)
      tracks.insert(middle.make("Song", ["name": "new"]), at: 1)
    }
    try tree.leaf.inside { leaf throws in
      #expect(leaf.object(with: id).names("tracks") == "t3 new t0 t1 t2")
      #expect(leaf.object(with: id).list("tracks")[1].entity.name == "Song")
    }
  }

  @Test(arguments: TestStore.all) func transformableAndCompositeValues(_ store: TestStore) throws {
    let tree = try Tree(store, ValuesModel.shapes())
    let id = try tree.root.inside { root throws in
      root.make("Circle", ["name": "c", "colour": Colour(1, 2, 3), "tags": ["a", "b"], "rim": Colour(4, 5, 6)]).objectID
    }
    try tree.leaf.inside { leaf throws in
      let circle = leaf.object(with: id)
      #expect(circle.value(forKey: "colour") as? Colour == Colour(1, 2, 3))
      #expect(circle.value(forKey: "tags") as? [String] == ["a", "b"])
      let there = try tree.root.inside { $0.object(with: id).value(forKey: "rim") as? Colour }
      let here = circle.value(forKey: "rim") as? Colour
      #expect(here == there && here !== there, "objects are not shared between queues")
    }
    let places = try Tree(store, ValuesModel.addresses())
    let person = try places.root.inside { root throws in
      root.make("Staff", ["name": "p", "address": ["street": "High", "place": ["latitude": 5.0]]]).objectID
    }
    try places.leaf.inside { leaf throws in
      let here = leaf.object(with: person)
      #expect(here.value(forKeyPath: "address.street") as? String == "High")
      #expect(here.value(forKeyPath: "address.place.latitude") as? Double == 5)
      here.setValue("Low", forKeyPath: "address.street")
    }
    try Tree.saveUp(places.leaf)
    try places.coordinator.inContext { context throws in
      let saved = try context.named("p")
      #expect(saved.value(forKeyPath: "address.street") as? String == "Low")
      #expect(saved.value(forKeyPath: "address.place.latitude") as? Double == 5)
    }
  }

  @Test(arguments: TestStore.all) func largeBinaryValues(_ store: TestStore) throws {
    let model = TestModel.library()
    model.entitiesByName["Book"]?.attributesByName["cover"]?.allowsExternalBinaryDataStorage = true
    let tree = try Tree(store, model, url: try store.place())
    let cover = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    let id = try tree.middle.inside { $0.make("Book", ["title": "B", "cover": cover]).objectID }
    try tree.leaf.inside { leaf throws in
      #expect(leaf.object(with: id).value(forKey: "cover") as? Data == cover)
      leaf.object(with: id).setValue("C", forKey: "title")
    }
    try Tree.saveUp(tree.leaf)
    try tree.leaf.inside { leaf throws in
      let book = leaf.object(with: id)
      #expect(!book.objectID.isTemporaryID && book.value(forKey: "cover") as? Data == cover)
      book.setValue(cover.reversed() + cover, forKey: "cover")
      try leaf.save()
      leaf.refresh(book, mergeChanges: false)
      #expect((book.value(forKey: "cover") as? Data)?.count == 600_000)
    }
    try Tree.saveUp(tree.middle)
    try tree.coordinator.inContext { context throws in
      let book = try #require(try context.all("Book").first)
      #expect(book.text("title") == "C" && book.value(forKey: "cover") as? Data == Data(cover.reversed()) + cover)
    }
  }
}
