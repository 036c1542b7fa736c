import CoreData
import Testing

/// What becomes of a child's objects in the parent, after the child has saved them and before the parent has.
@Suite struct PushedObjectMergeTests {
  private struct World {
    let coordinator: NSPersistentStoreCoordinator
    let parent: NSManagedObjectContext, child: NSManagedObjectContext

    init(_ store: TestStore) throws {
      coordinator = try store.coordinator(UndoGraph.model())
      parent = TestModel.context(coordinator)
      parent.automaticallyMergesChangesFromParent = true
      child = Tree.child(of: parent)
      child.automaticallyMergesChangesFromParent = true
    }

    /// An object that the child has made and handed up.
    func pushed() throws -> NSManagedObject {
      try child.performAndWait {
        let object = child.make("Node", ["number": 7, "name": "child's"])
        try child.save()
        return object
      }
    }

    /// Runs `body` when the child has merged what has come so far.
    func inChild(_ body: (NSManagedObjectContext) throws -> Void) rethrows {
      parent.performAndWait {}
      try child.performAndWait { try body(child) }
    }
  }

  @Test(arguments: TestStore.all) func theParentsChangesArriveWithItsSave(_ store: TestStore) throws {
    let world = try World(store), object = try world.pushed(), other = try world.pushed()
    try world.parent.performAndWait {
      let there = world.parent.object(with: object.objectID)
      there.setValue("parent's", forKey: "name")
      there.setValue(world.parent.object(with: other.objectID), forKey: "owner")
      try world.parent.save()
    }
    world.inChild { _ in
      #expect(object.text("name") == "parent's")
      #expect(object.one("owner") === other)
      #expect(BothEnds.disagreements(of: [object, other]) == [])
    }
  }

  /// What nothing has changed since is not read again.
  @Test(arguments: TestStore.all) func unchangedObjectsAreNotRefreshed(_ store: TestStore) throws {
    let world = try World(store), object = try world.pushed()
    let changes = RecordedNotifications(.NSManagedObjectContextObjectsDidChange, of: world.child)
    try world.parent.performAndWait { try world.parent.save() }
    world.inChild { _ in #expect(!object.isFault && object.text("name") == "child's") }
    #expect(changes.ids(NSRefreshedObjectsKey).isEmpty)
  }

  @Test(arguments: TestStore.all) func whatTheParentDeletesBeforeItsSaveIsGone(_ store: TestStore) throws {
    let world = try World(store), object = try world.pushed()
    world.parent.performAndWait {
      world.parent.delete(world.parent.object(with: object.objectID))
      world.parent.processPendingChanges()
    }
    try world.inChild { child throws in
      #expect(object.isDeleted || object.managedObjectContext == nil)
      #expect(try child.all("Node").isEmpty)
      try child.save()
    }
  }

  /// The child has deleted the owner, others relate a member to it, and the parent's merge applies the delete rule.
  @Test(arguments: TestStore.all) func whatDeleteRulesDeleteInAMergeIsGone(_ store: TestStore) throws {
    let world = try World(store)
    let ids = try world.coordinator.inContext { context throws in
      let objects = (1...2).map { context.make("Node", ["number": $0, "name": "old"]) }
      try context.save()
      return objects.map(\.objectID)
    }
    let (part, kept) = try world.child.performAndWait {
      let part = world.child.object(with: ids[1])
      _ = part.value(forKey: "name")
      world.child.delete(world.child.object(with: ids[0]))
      try world.child.save()
      return (part, world.parent.performAndWait { world.parent.object(with: ids[1]) })
    }
    try world.coordinator.inContext { context throws in
      context.object(with: ids[1]).setValue(context.object(with: ids[0]), forKey: "whole")
      try context.save()
    }
    world.parent.performAndWait { #expect(kept.isDeleted) }
    world.inChild { _ in #expect(part.isDeleted || part.managedObjectContext == nil) }
    try world.parent.performAndWait { try world.parent.save() }
    try world.coordinator.inContext { context throws in #expect(try context.all("Node").isEmpty) }
  }
}
