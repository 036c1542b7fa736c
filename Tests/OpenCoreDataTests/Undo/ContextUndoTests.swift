import CoreData
import Testing

/// Undo and redo of what an event does to objects, before anything is saved.
@Suite struct ContextUndoTests {
  @Test(arguments: TestStore.all) func withoutAnUndoManagerNothingHappens(_ store: TestStore) throws {
    try UndoGraph.coordinator(store).inContext { context throws in
      #expect(context.undoManager == nil)
      let node = context.event { context.make("Node", ["name": "A"]) }
      context.undo()
      context.redo()
      #expect(node.isInserted && node.text("name") == "A")
    }
  }

  @Test(arguments: TestStore.all) func insertions(_ store: TestStore) throws {
    try UndoGraph.coordinator(store).undoing { context, manager throws in
      let node = context.event { context.make("Node", ["name": "A", "number": 1]) }
      let id = node.objectID
      #expect(manager.canUndo)
      context.undo()
      #expect(try context.all("Node").isEmpty && !context.hasChanges && context.insertedObjects.isEmpty)
      #expect(node.managedObjectContext == nil && !manager.canUndo && manager.canRedo)
      context.redo()
      #expect(try context.all("Node") == [node] && node.isInserted && node.objectID == id)
      #expect(node.text("name") == "A" && node.number("number") == 1 && context.registeredObject(for: id) === node)
      context.undo()
      context.undo()
      #expect(try context.all("Node").isEmpty)
      try context.save()
      #expect(try context.all("Node").isEmpty)
    }
  }

  @Test(arguments: TestStore.all) func updates(_ store: TestStore) throws {
    try UndoGraph.coordinator(store).undoing { context, manager throws in
      let node = context.event { context.make("Node", ["name": "A", "number": 1]) }
      try context.save()
      context.event { node.setValue("B", forKey: "name") }
      context.event {
        node.setValue("C", forKey: "name")
        node.setValue(2, forKey: "number")
      }
      context.undo()
      #expect(node.text("name") == "B" && node.number("number") == 1)
      #expect(node.changedValues() as NSDictionary == ["name": "B"])
      context.undo()
      #expect(node.text("name") == "A" && node.changedValues().isEmpty)
      context.redo()
      context.redo()
      #expect(node.text("name") == "C" && node.number("number") == 2 && node.isUpdated && !manager.canRedo)
    }
  }

  @Test(arguments: TestStore.all) func anObjectThatIsAsItWasSavedHasNoChanges(_ store: TestStore) throws {
    try UndoGraph.coordinator(store).undoing { context, _ throws in
      let (node, other) = (context.make("Node"), context.make("Node"))
      try context.save()
      context.refreshAllObjects()
      context.event {
        node.setValue("B", forKey: "name")
        node.setValue(other, forKey: "parent")
        node.mutableOrderedSetValue(forKey: "items").add(other)
        node.mutableSetValue(forKey: "friends").add(other)
      }
      #expect(context.updatedObjects == [node, other])
      context.undo()
      #expect(!node.hasChanges && !other.hasChanges && !context.hasChanges && context.updatedObjects.isEmpty)
      context.redo()
      #expect(context.updatedObjects == [node, other] && node.text("name") == "B")
      try context.save()
      context.undo()
      #expect(context.updatedObjects == [node, other])
    }
  }

  @Test(arguments: TestStore.all) func anObjectThatHadChangesKeepsThem(_ store: TestStore) throws {
    try UndoGraph.coordinator(store).undoing { context, _ throws in
      let node = context.make("Node", ["name": "A", "number": 1])
      try context.save()
      context.event { node.setValue("B", forKey: "name") }
      context.event { node.setValue(2, forKey: "number") }
      context.undo()
      #expect(node.isUpdated && node.changedValues() as NSDictionary == ["name": "B"])
      // Equal to the row, and still set before the event that was undone.
      context.event { node.setValue("A", forKey: "name") }
      context.event { node.setValue(2, forKey: "number") }
      context.undo()
      #expect(node.isUpdated)
    }
  }

  @Test(arguments: TestStore.all) func deletions(_ store: TestStore) throws {
    try UndoGraph.coordinator(store).undoing { context, _ throws in
      let node = context.make("Node", ["name": "A"])
      try context.save()
      context.event { context.delete(node) }
      #expect(node.isDeleted)
      context.undo()
      #expect(!node.isDeleted && !node.hasChanges && !context.hasChanges)
      #expect(try context.all("Node") == [node] && node.text("name") == "A")
      context.redo()
      #expect(node.isDeleted && context.deletedObjects == [node])
      #expect(try context.all("Node").isEmpty)
    }
  }

  @Test(arguments: TestStore.all) func aDeletionThatIsAlsoAChange(_ store: TestStore) throws {
    try UndoGraph.coordinator(store).undoing { context, _ throws in
      let node = context.make("Node", ["name": "A"])
      try context.save()
      context.event {
        node.setValue("B", forKey: "name")
        context.delete(node)
      }
      context.undo()
      #expect(node.text("name") == "A" && !node.isDeleted)
    }
  }

  @Test(arguments: TestStore.all) func membersThatCameJustBeforeADeletion(_ store: TestStore) throws {
    try UndoGraph.coordinator(store).undoing { context, _ throws in
      let (node, child) = (context.make("Node"), context.make("Node"))
      try context.save()
      context.event {
        child.setValue(node, forKey: "parent")
        context.delete(node)
      }
      context.undo()
      #expect(child.one("parent") == nil && node.many("children").isEmpty && !context.hasChanges)
    }
  }

  @Test(arguments: TestStore.all) func objectsThatComeAndGoInOneEventLeaveNothingToUndo(_ store: TestStore) throws {
    try UndoGraph.coordinator(store).undoing { context, manager throws in
      context.event { context.delete(context.make("Node")) }
      #expect(!manager.canUndo)
      let node = context.event { context.make("Node", ["name": "A"]) }
      context.event {
        node.setValue("B", forKey: "name")
        node.setValue("A", forKey: "name")
      }
      #expect(manager.undoCount == 1)
    }
  }

  @Test(arguments: TestStore.all) func anUnsavedObjectThatWasDeletedComesBackWithAll(_ store: TestStore) throws {
    try UndoGraph.coordinator(store).undoing { context, _ throws in
      let (node, other) = (context.make("Node", ["name": "A"]), context.make("Node", ["name": "B"]))
      node.setValue(other, forKey: "parent")
      node.mutableOrderedSetValue(forKey: "items").add(other)
      context.processPendingChanges()
      let before = try UndoGraph.picture(context)
      context.event { context.delete(node) }
      #expect(node.managedObjectContext == nil && other.many("children").isEmpty && other.one("owner") == nil)
      context.undo()
      try context.expect(before)
      #expect(node.isInserted)
      #expect(other.many("children") == [node] && node.list("items") == [other])
      context.undo()
      #expect(try context.all("Node").isEmpty && !context.hasChanges)
      context.redo()
      try context.expect(before)
    }
  }

  @Test(arguments: TestStore.all) func pendingChangesAreProcessedFirst(_ store: TestStore) throws {
    try UndoGraph.coordinator(store).undoing { context, manager throws in
      let node = context.make("Node", ["name": "A"])
      try context.save()
      node.setValue("B", forKey: "name")
      #expect(node.text("name") == "B")
      context.undo()
      #expect(node.text("name") == "A" && node.managedObjectContext === context)
      context.redo()
      node.setValue("C", forKey: "name")
      // What is new leaves nothing to redo.
      context.undo()
      context.undo()
      context.redo()
      node.setValue("D", forKey: "name")
      context.redo()
      #expect(node.text("name") == "D" && !manager.canRedo)
      // The manager asks for what is pending, too.
      manager.undo()
      #expect(node.text("name") == "B")
    }
  }
}
