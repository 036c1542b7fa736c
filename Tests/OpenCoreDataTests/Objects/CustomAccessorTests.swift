import CoreData
import Testing

/// Accessors as the guide to managed objects writes them: they announce a change, change the primitive value and say that it
/// has changed. The other ends of relationships follow.
@Suite struct CustomAccessorTests {
  private func people(_ count: Int, _ context: NSManagedObjectContext) -> [NSManagedObject] {
    (0..<count).map { context.make("Person", ["name": "P\($0)", "number": $0]) }
  }

  @Test(arguments: TestStore.all) func aMemberAddedToThePrimitiveSetIsSaved(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      let all = people(3, context)
      all[0].add(all[1], throughPrimitive: "reports")
      all[0].add(all[2], throughPrimitive: "reports")
      #expect(all[1].one("boss") === all[0] && all[0].many("reports") == [all[1], all[2]])
      try context.save()
    }
    try coordinator.inContext { context in
      let boss = try context.named("P0")
      #expect(Set(boss.many("reports").map { $0.text("name") }) == ["P1", "P2"])
      let gone = try context.named("P2")
      boss.remove(gone, throughPrimitive: "reports")
      #expect(gone.one("boss") == nil && boss.isUpdated && gone.isUpdated)
      try context.save()
    }
    try coordinator.inContext { context throws in
      #expect(try context.named("P0").many("reports").map { $0.text("name") } == ["P1"])
    }
  }

  @Test(arguments: TestStore.all) func aMemberIsTakenFromItsFormerOwner(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      let all = people(3, context)
      all[2].set(all[0], forKey: "boss")
      try context.save()
      all[1].add(all[2], throughPrimitive: "reports")
      #expect(all[0].many("reports").isEmpty && all[2].one("boss") === all[1])
    }
  }

  @Test(arguments: TestStore.all) func aToOneThatIsClearedLeavesItsOwnersSet(_ store: TestStore) throws {
    let coordinator = try store.coordinator(Society.family(.cascadeDeleteRule))
    try coordinator.inContext { context in
      let parent = context.make("Parent", ["name": "p"]), child = context.make("Child", ["name": "c"])
      child.set(parent, throughPrimitive: "parent")
      #expect(parent.many("children") == [child])
      try context.save()
      child.set(nil, throughPrimitive: "parent")
      #expect(parent.many("children").isEmpty)
      context.delete(parent)
      try context.save()
    }
    try coordinator.inContext { context throws in #expect(try context.names("Child") == ["c"]) }
  }

  @Test(arguments: TestStore.all) func oneToOneAndManyToMany(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      let all = people(2, context)
      let passport = context.make("Passport", ["number": 1]), club = context.make("Club", ["name": "c"])
      all[0].set(passport, throughPrimitive: "passport")
      all[1].set(passport, throughPrimitive: "passport")
      #expect(all[0].one("passport") == nil && passport.one("holder") === all[1])
      for person in all { person.add(club, throughPrimitive: "clubs") }
      #expect(club.many("members") == Set(all))
      try context.save()
      club.remove(all[0], throughPrimitive: "members")
      #expect(all[0].many("clubs").isEmpty)
      try context.save()
    }
    try coordinator.inContext { context throws in
      #expect(try context.named("c", "Club").many("members").map { $0.text("name") } == ["P1"])
    }
  }

  @Test(arguments: TestStore.all) func orderedMembers(_ store: TestStore) throws {
    let coordinator = try Music.coordinator(store)
    try coordinator.inContext { context in
      let album = context.make("Album", ["name": "a"])
      let tracks = (0..<3).map { context.make("Track", ["name": "t\($0)"]) }
      for (track, place) in zip(tracks, [0, 0, 1]) {
        album.willChange(.insertion, valuesAt: [place], forKey: "tracks")
        (album.primitiveValue(forKey: "tracks") as! NSMutableOrderedSet).insert(track, at: place)
        album.didChange(.insertion, valuesAt: [place], forKey: "tracks")
      }
      #expect(tracks.allSatisfy { $0.one("album") === album })
      try context.save()
    }
    try coordinator.inContext { context in
      let album = try context.all("Album")[0]
      #expect(album.names("tracks") == "t1 t2 t0")
      let first = album.list("tracks")[0]
      album.willChange(.removal, valuesAt: [0], forKey: "tracks")
      (album.primitiveValue(forKey: "tracks") as! NSMutableOrderedSet).removeObject(at: 0)
      album.didChange(.removal, valuesAt: [0], forKey: "tracks")
      #expect(first.one("album") == nil)
      try context.save()
    }
    try coordinator.inContext { context throws in
      #expect(try context.all("Album")[0].names("tracks") == "t2 t0")
    }
  }

  @Test(arguments: TestStore.all) func theSetIsReplacedAsAWhole(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      let all = people(4, context)
      all[0].setValue(NSSet(array: [all[1], all[2]]), forKey: "reports")
      try context.save()
      all[0].willChangeValue(forKey: "reports")
      all[0].setPrimitiveValue(NSMutableSet(array: [all[2], all[3]]), forKey: "reports")
      all[0].didChangeValue(forKey: "reports")
      #expect(all[1].one("boss") == nil && all[3].one("boss") === all[0])
      try context.save()
    }
    try coordinator.inContext { context throws in
      #expect(try Set(context.named("P0").many("reports").map { $0.text("name") }) == ["P2", "P3"])
    }
  }

  @Test(arguments: TestStore.all) func bracketsInBrackets(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      let all = people(3, context)
      all[0].willChangeValue(forKey: "reports")
      all[0].add(all[1], throughPrimitive: "reports")
      #expect(all[1].one("boss") === all[0])
      (all[0].primitiveValue(forKey: "reports") as! NSMutableSet).add(all[2])
      #expect(all[2].one("boss") == nil)
      all[0].didChangeValue(forKey: "reports")
      #expect(all[2].one("boss") === all[0])
      // The brackets of one object and those of the other end are about the same.
      all[2].willChangeValue(forKey: "boss")
      all[0].remove(all[2], throughPrimitive: "reports")
      all[2].setPrimitiveValue(all[1], forKey: "boss")
      all[2].didChangeValue(forKey: "boss")
      #expect(all[1].many("reports") == [all[2]] && all[0].many("reports") == [all[1]])
    }
  }

  @Test(arguments: TestStore.all) func withoutAnAnnouncementNothingFollows(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      let all = people(3, context)
      try context.save()
      all[1].setPrimitiveValue(all[0], forKey: "boss")
      #expect(all[1].one("boss") === all[0] && all[0].many("reports").isEmpty)
      all[1].didChangeValue(forKey: "boss")
      #expect(all[0].many("reports").isEmpty)
      (all[0].primitiveValue(forKey: "clubs") as! NSMutableSet).add(context.make("Club", ["name": "c"]))
      #expect(all[0].many("clubs").count == 1 && !all[0].hasChanges)
    }
  }

  @Test(arguments: TestStore.all) func aClassThatFillsItsRelationshipsWhenItIsInserted(_ store: TestStore) throws {
    let model = Society.model()
    model.entitiesByName["Person"]!.managedObjectClassName = NSStringFromClass(FoundingPerson.self)
    let coordinator = try store.coordinator(model)
    try coordinator.inContext { context in
      let person = FoundingPerson(context: context)
      person.setValue("founder", forKey: "name")
      #expect(person.many("clubs").map { $0.text("name") } == ["founded"])
      try context.save()
    }
    try coordinator.inContext { context throws in
      #expect(try context.named("founder").many("clubs").map { $0.text("name") } == ["founded"])
    }
  }

  @Test(arguments: TestStore.all) func inAChildContext(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      let all = people(2, context)
      try context.save()
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = context
      try child.performAndWait {
        let boss = child.object(with: all[0].objectID), other = child.object(with: all[1].objectID)
        boss.add(other, throughPrimitive: "reports")
        let new = child.make("Person", ["name": "new"])
        new.set(other, throughPrimitive: "boss")
        #expect(other.one("boss") === boss && other.many("reports") == [new])
        try child.save()
      }
      #expect(all[0].many("reports") == [all[1]] && all[1].many("reports").map { $0.text("name") } == ["new"])
      try context.save()
    }
    try coordinator.inContext { context throws in
      #expect(try context.named("P1").one("boss")?.text("name") == "P0")
      #expect(try context.named("new").one("boss")?.text("name") == "P1")
    }
  }

  @Test(arguments: TestStore.all) func eachIsUndone(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      context.undoManager = UndoManager()
      context.undoManager?.groupsByEvent = false
      let all = people(2, context)
      let club = context.make("Club", ["name": "c"])
      try context.save()
      context.processPendingChanges()
      context.undoManager?.removeAllActions()
      func undoing(_ change: () -> Void, _ isDone: () -> Bool) {
        context.undoManager?.beginUndoGrouping()
        change()
        context.processPendingChanges()
        context.undoManager?.endUndoGrouping()
        #expect(isDone())
        context.undoManager?.undo()
        #expect(!isDone())
        context.undoManager?.redo()
        #expect(isDone())
        context.undoManager?.undo()
      }
      undoing({ all[0].add(all[1], throughPrimitive: "reports") }, { all[1].one("boss") === all[0] })
      undoing({ all[1].set(all[0], throughPrimitive: "boss") }, { all[0].many("reports") == [all[1]] })
      undoing({ all[0].add(club, throughPrimitive: "clubs") }, { club.many("members") == [all[0]] })
      #expect(!context.hasChanges || all.allSatisfy { $0.changedValues().isEmpty })
    }
  }

  @Test(arguments: TestStore.all) func aFetchAndASaveInsideOfABracket(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      let all = people(2, context)
      try context.save()
      all[1].willChangeValue(forKey: "boss")
      _ = try context.names("Club")
      try context.save()
      all[1].setPrimitiveValue(all[0], forKey: "boss")
      all[1].didChangeValue(forKey: "boss")
      #expect(all[0].many("reports") == [all[1]])
    }
  }

  @Test(arguments: TestStore.all) func addingReadsNothing(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      let all = people(3, context)
      all[0].setValue(NSSet(array: [all[1]]), forKey: "reports")
      try context.save()
      context.refreshAllObjects()
      all[2].set(all[0], throughPrimitive: "boss")
      #expect(all[0].hasFault(forRelationshipNamed: "reports"))
    }
  }
}

extension NSManagedObject {
  fileprivate func add(_ object: NSManagedObject, throughPrimitive key: String) {
    willChangeValue(forKey: key, withSetMutation: .union, using: [object])
    (primitiveValue(forKey: key) as! NSMutableSet).add(object)
    didChangeValue(forKey: key, withSetMutation: .union, using: [object])
  }

  fileprivate func remove(_ object: NSManagedObject, throughPrimitive key: String) {
    willChangeValue(forKey: key, withSetMutation: .minus, using: [object])
    (primitiveValue(forKey: key) as! NSMutableSet).remove(object)
    didChangeValue(forKey: key, withSetMutation: .minus, using: [object])
  }

  fileprivate func set(_ object: NSManagedObject?, throughPrimitive key: String) {
    willChangeValue(forKey: key)
    setPrimitiveValue(object, forKey: key)
    didChangeValue(forKey: key)
  }
}

final class FoundingPerson: NSManagedObject {
  override func awakeFromInsert() {
    super.awakeFromInsert()
    guard let context = managedObjectContext else { return }
    (primitiveValue(forKey: "clubs") as? NSMutableSet)?.add(context.make("Club", ["name": "founded"]))
  }
}
