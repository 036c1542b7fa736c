import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Undo where something has happened since that was not registered.
@Suite struct UndoMeanwhileTests {
  /// A saved node with one change to undo, and another context.
  private func changed(
    _ store: TestStore, _ body: (NSManagedObjectContext, NSManagedObject, NSManagedObjectContext) throws -> Void
  ) throws {
    let coordinator = try UndoGraph.coordinator(store)
    let other = TestModel.context(coordinator)
    try coordinator.undoing { context, manager throws in
      let node = context.make("Node", ["name": "A", "number": 1])
      try context.save()
      manager.removeAllActions()
      node.setValue("B", forKey: "name")
      try context.save()
      try body(context, node, other)
    }
  }

  private func inOther(
    _ other: NSManagedObjectContext, _ node: NSManagedObject, _ change: (NSManagedObject) -> Void
  ) throws {
    try other.performAndWait {
      change(other.object(with: node.objectID))
      try other.save()
    }
  }

  @Test(arguments: TestStore.all) func onlyWhatTheEventHasChangedIsPutBack(_ store: TestStore) throws {
    try changed(store) { context, node, other throws in
      try inOther(other, node) { $0.setValue(2, forKey: "number") }
      context.refresh(node, mergeChanges: true)
      context.undo()
      #expect(node.text("name") == "A" && node.number("number") == 2)
      #expect(node.changedValues() as NSDictionary == ["name": "A"])
      try context.save()
    }
  }

  @Test(arguments: TestStore.all) func whatIsPutBackToTheRowsValueDoesNotHideLaterOnes(_ store: TestStore) throws {
    try changed(store) { context, node, other throws in
      context.event { node.setValue("C", forKey: "name") }
      context.undo()
      try inOther(other, node) { $0.setValue("other", forKey: "name") }
      context.refresh(node, mergeChanges: true)
      #expect(node.text("name") == "other" && !node.hasChanges)
    }
  }

  @Test(arguments: TestStore.all) func aValueThatOthersHaveChangedToo(_ store: TestStore) throws {
    try changed(store) { context, node, other throws in
      try inOther(other, node) { $0.setValue("other", forKey: "name") }
      context.refresh(node, mergeChanges: true)
      context.undo()
      #expect(node.text("name") == "A" && node.hasChanges)
      context.redo()
      #expect(node.text("name") == "other" && !node.hasChanges)
    }
  }

  @Test(arguments: [true, false], TestStore.all)
  func anObjectThatOthersHaveDeleted(isFault: Bool, _ store: TestStore) throws {
    try changed(store) { context, node, other throws in
      context.shouldDeleteInaccessibleFaults = false
      let second = context.event { context.make("Node", ["name": "second"]) }
      context.event {
        second.setValue("2", forKey: "name")
        node.setValue("C", forKey: "name")
      }
      try context.save()
      if isFault { context.refreshAllObjects() }
      try inOther(other, node) { other.delete($0) }
      context.undo()
      // The rest is put back all the same.
      #expect(second.text("name") == "second")
      if isFault {
        #expect(node.isFault && !node.hasChanges)
        try context.save()
      } else {
        #expect {
          try context.save()
        } throws: {
          ($0 as NSError).code == NSManagedObjectMergeError
        }
      }
    }
  }

  @Test(arguments: TestStore.all) func aDeletionThatOthersHaveMadeToo(_ store: TestStore) throws {
    try changed(store) { context, node, other throws in
      context.event { context.delete(node) }
      try inOther(other, node) { other.delete($0) }
      let id = node.objectID
      context.mergeChanges(
        fromContextDidSave: Notification(
          name: .NSManagedObjectContextDidSaveObjectIDs, userInfo: [NSDeletedObjectIDsKey: Set([id])]))
      context.undo()
      #expect(node.isInserted && node.text("name") == "B" && node.objectID == id)
      try context.save()
      try other.performAndWait { () throws in
        other.reset()
        #expect(try other.names("Node") == ["B"])
      }
    }
  }

  @Test(arguments: TestStore.all) func whatIsMergedIsNotUndone(_ store: TestStore) throws {
    try changed(store) { context, node, other throws in
      let friend = context.event { context.make("Node", ["name": "F"]) }
      try context.save()
      context.event { friend.setValue(node, forKey: "best") }
      let count = context.undoManager?.undoCount
      try inOther(other, node) { other.delete($0) }
      context.mergeChanges(
        fromContextDidSave: Notification(
          name: .NSManagedObjectContextDidSaveObjectIDs, userInfo: [NSDeletedObjectIDsKey: Set([node.objectID])]))
      #expect(node.isDeleted && friend.one("best") == nil && context.undoManager?.undoCount == count)
      context.undo()
      context.redo()
      #expect(friend.one("best") == nil)
      try context.save()
    }
  }

  @Test(arguments: TestStore.all) func bothEndsStayInStep(_ store: TestStore) throws {
    try UndoGraph.coordinator(store).undoing { context, manager throws in
      let nodes = (0..<4).map { context.make("Node", ["number": $0]) }
      nodes[0].setValue(nodes[1], forKey: "parent")
      try context.save()
      context.event { nodes[0].setValue(nodes[2], forKey: "parent") }
      manager.disableUndoRegistration()
      context.event { nodes[0].setValue(nodes[3], forKey: "parent") }
      manager.enableUndoRegistration()
      context.undo()
      #expect(nodes[0].one("parent") === nodes[1])
      #expect(nodes.map { $0.many("children").count } == [0, 1, 0, 0])
      context.redo()
      #expect(nodes[0].one("parent") === nodes[3])
      #expect(nodes.map { $0.many("children").count } == [0, 0, 0, 1])
    }
  }

  @Test(arguments: TestStore.all) func aMemberThatIsGoneIsLeftOut(_ store: TestStore) throws {
    try UndoGraph.coordinator(store).undoing { context, manager throws in
      let nodes = (0..<3).map { context.make("Node", ["number": $0]) }
      nodes[0].setValue(NSOrderedSet(array: [nodes[1], nodes[2]]), forKey: "items")
      nodes[0].setValue(nodes[1], forKey: "best")
      try context.save()
      context.event {
        nodes[0].setValue(NSOrderedSet(), forKey: "items")
        nodes[0].setValue(nil, forKey: "best")
      }
      manager.disableUndoRegistration()
      context.delete(nodes[1])
      try context.save()
      manager.enableUndoRegistration()
      context.undo()
      #expect(nodes[0].list("items") == [nodes[2]] && nodes[0].one("best") == nil)
      try context.save()
    }
  }

  @Test(arguments: TestStore.all)
  func whatRefersToAnInsertionThatIsUndoneFollowsTheDeleteRules(_ store: TestStore) throws {
    try UndoGraph.coordinator(store).undoing { context, manager throws in
      let whole = context.event { context.make("Node", ["number": 0]) }
      manager.disableUndoRegistration()
      let part = context.make("Node", ["number": 1]), child = context.make("Node", ["number": 2])
      context.event {
        part.setValue(whole, forKey: "whole")
        child.setValue(whole, forKey: "parent")
      }
      manager.enableUndoRegistration()
      context.undo()
      #expect(try context.all("Node") == [child] && child.one("parent") == nil)
      try context.save()
    }
  }

  @Test(arguments: TestStore.all) func contextsWithParents(_ store: TestStore) throws {
    let coordinator = try UndoGraph.coordinator(store)
    let parent = TestModel.context(coordinator), child = NSManagedObjectContext(.privateQueue)
    child.parent = parent
    parent.performAndWait { parent.undoManager = UndoManager() }
    try child.performAndWait {
      child.undoManager = UndoManager()
      let node = child.event { child.make("Node", ["name": "A", "number": 1]) }
      let friend = child.event { child.make("Node", ["name": "F", "number": 2]) }
      try child.save()
      child.event { node.setValue(friend, forKey: "parent") }
      child.event { child.delete(node) }
      try child.save()
      try parent.performAndWait { () throws in
        #expect(try parent.names("Node") == ["F"])
        #expect(parent.undoManager?.undoCount == 2)
      }
      child.undo()
      #expect(node.isInserted && node.one("parent") === friend && friend.many("children") == [node])
      try child.save()
      let picture = try UndoGraph.picture(child)
      try parent.performAndWait {
        try parent.expect(picture)
        // Each has its own; what a child has saved is an event of the parent's.
        parent.undo()
        #expect(try parent.names("Node") == ["F"])
        parent.redo()
        try parent.expect(picture)
        try parent.save()
      }
      try coordinator.inContext { try $0.expect(picture) }
    }
  }
}
