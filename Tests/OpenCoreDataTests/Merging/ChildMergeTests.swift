import CoreData
import Testing

/// A child context that merges by itself follows what its parent saves, merges and takes back.
@Suite struct ChildMergeTests {
  /// A parent with two saved objects, and a child that merges by itself and has read them.
  private struct World {
    let coordinator: NSPersistentStoreCoordinator
    let parent: NSManagedObjectContext, child: NSManagedObjectContext
    let ids: [NSManagedObjectID], seen: [NSManagedObject]

    init(_ store: TestStore, parentMerges: Bool = false) throws {
      coordinator = try store.coordinator(UndoGraph.model())
      parent = TestModel.context(coordinator)
      parent.undoManager = UndoManager()
      parent.automaticallyMergesChangesFromParent = parentMerges
      child = Tree.child(of: parent)
      child.automaticallyMergesChangesFromParent = true
      ids = try coordinator.inContext { context throws in
        let objects = (1...2).map { context.make("Node", ["number": $0, "name": "old"]) }
        objects[0].setValue(objects[1], forKey: "parent")
        try context.save()
        return objects.map(\.objectID)
      }
      let (parent, child, ids) = (parent, child, ids)
      parent.performAndWait { for id in ids { _ = parent.object(with: id).value(forKey: "name") } }
      seen = child.performAndWait {
        let objects = ids.map { child.object(with: $0) }
        for object in objects {
          _ = object.value(forKey: "name")
          _ = object.many("children")
        }
        return objects
      }
    }

    /// Runs `body` when the child has merged what has come so far.
    func inChild(_ body: (NSManagedObjectContext) throws -> Void) rethrows {
      parent.performAndWait {}
      try child.performAndWait { try body(child) }
    }
  }

  @Test(arguments: [true, false], TestStore.all)
  func mergesOfTheParentArrive(_ byItself: Bool, _ store: TestStore) throws {
    let world = try World(store, parentMerges: byItself)
    let other = TestModel.context(world.coordinator)
    let saved = RecordedNotifications(.NSManagedObjectContextDidSave, of: other)
    func take() {
      if !byItself {
        world.parent.performAndWait { world.parent.mergeChanges(fromContextDidSave: saved.merged) }
      }
      saved.clear()
    }
    try other.performAndWait {
      try other.existingObject(with: world.ids[1]).setValue("new", forKey: "name")
      _ = other.make("Node", ["number": 3])
      try other.save()
    }
    take()
    let merges = RecordedNotifications(.NSManagedObjectContextDidMergeChangesObjectIDs, of: world.child)
    world.inChild { _ in #expect(world.seen[1].text("name") == "new") }
    try other.performAndWait {
      other.delete(try other.existingObject(with: world.ids[0]))
      try other.save()
    }
    take()
    try world.inChild { child in
      #expect(world.seen[0].isDeleted || world.seen[0].managedObjectContext == nil)
      #expect(world.seen[1].many("children").isEmpty)
      #expect(BothEnds.disagreements(of: world.seen) == [])
      #expect(child.deletedObjects.count <= 1)
      try child.save()
      #expect(try child.all("Node").count == 2)
    }
    #expect(merges.ids(NSDeletedObjectIDsKey) == [world.ids[0]])
  }

  /// What the child saved, and the parent undoes, redoes, or rolls back.
  @Test(arguments: [true, false], TestStore.all)
  func whatTheParentTakesBackArrives(_ byUndo: Bool, _ store: TestStore) throws {
    let world = try World(store)
    let (parent, child) = (world.parent, world.child)
    func takeBack() {
      parent.performAndWait {
        if byUndo { parent.undo() } else { parent.rollback() }
        #expect(!parent.hasChanges)
      }
    }
    // An update.
    try child.performAndWait {
      world.seen[1].setValue("child's", forKey: "name")
      world.seen[0].setValue(nil, forKey: "parent")
      try child.save()
    }
    takeBack()
    world.inChild { _ in
      #expect(world.seen[1].text("name") == "old")
      #expect(world.seen[0].one("parent") === world.seen[1] && world.seen[1].many("children") == [world.seen[0]])
    }
    // An insertion.
    let new = try child.performAndWait {
      let new = child.make("Node", ["number": 4, "name": "new"])
      new.setValue(world.seen[1], forKey: "parent")
      try child.save()
      return new
    }
    takeBack()
    try world.inChild { child in
      #expect(new.isDeleted || new.managedObjectContext == nil)
      #expect(world.seen[1].many("children") == [world.seen[0]])
      #expect(try child.all("Node").count == 2)
      try child.save()
    }
    if byUndo {
      parent.performAndWait { parent.redo() }
      try world.inChild { child throws in
        #expect(try child.all("Node").count == 3)
        #expect(world.seen[1].many("children").count == 2)
      }
      parent.performAndWait { parent.undo() }
    }
    // A deletion.
    try child.performAndWait {
      child.delete(world.seen[0])
      try child.save()
    }
    takeBack()
    try world.inChild { child in
      let again = try child.existingObject(with: world.ids[0])
      #expect(again.text("name") == "old" && again.one("parent") === world.seen[1])
      #expect(world.seen[1].many("children") == [again])
    }
  }

  /// What the child has changed itself stays over what the parent takes back.
  @Test(arguments: TestStore.all) func unsavedChangesOfTheChildStay(_ store: TestStore) throws {
    let world = try World(store)
    let (parent, child) = (world.parent, world.child)
    try child.performAndWait {
      world.seen[1].setValue("saved", forKey: "name")
      world.seen[1].setValue(1.5, forKey: "weight")
      try child.save()
      world.seen[1].setValue("unsaved", forKey: "name")
    }
    parent.performAndWait { parent.undo() }
    world.inChild { _ in
      #expect(world.seen[1].text("name") == "unsaved")
      #expect(world.seen[1].value(forKey: "weight") as? Double == nil)
    }
  }

  /// It goes down level by level.
  @Test(arguments: TestStore.all) func mergesReachAGrandchild(_ store: TestStore) throws {
    let world = try World(store, parentMerges: true)
    let leaf = Tree.child(of: world.child)
    leaf.automaticallyMergesChangesFromParent = true
    let seen = try leaf.performAndWait { try leaf.existingObject(with: world.ids[0]) }
    try world.coordinator.inContext { context throws in
      context.delete(context.object(with: world.ids[0]))
      try context.save()
    }
    world.inChild { _ in }
    leaf.performAndWait { #expect(seen.isDeleted || seen.managedObjectContext == nil) }
  }
}
