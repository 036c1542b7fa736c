import CoreData
import Dispatch
import Testing

/// What is one action of the undo manager.
@Suite struct UndoGroupingTests {
  private func names(_ node: NSManagedObject, _ manager: UndoManager, _ context: NSManagedObjectContext) -> [String] {
    var names = [node.text("name") ?? "nil"]
    while manager.canUndo, manager.undoCount > 1 {
      context.undo()
      names.append(node.text("name") ?? "nil")
    }
    return names
  }

  @Test(arguments: TestStore.all) func everyEventOfAPrivateQueueIsAGroup(_ store: TestStore) throws {
    try UndoGraph.coordinator(store).undoing { context, manager throws in
      let node = context.event { context.make("Node", ["name": "A"]) }
      for name in ["B", "C", "D"] { context.event { node.setValue(name, forKey: "name") } }
      #expect(manager.undoCount == 4 && manager.groupingLevel == 0)
      #expect(names(node, manager, context) == ["D", "C", "B", "A"])
    }
  }

  @Test(arguments: TestStore.all) func everyBlockThatIsPerformedIsAGroup(_ store: TestStore) throws {
    let coordinator = try UndoGraph.coordinator(store)
    let context = TestModel.context(coordinator)
    nonisolated(unsafe) var node: NSManagedObject!
    context.performAndWait { context.undoManager = UndoManager() }
    context.perform { node = context.make("Node", ["name": "A"]) }
    context.perform { node.setValue("B", forKey: "name") }
    context.perform {
      node.setValue("C", forKey: "name")
      node.setValue(7, forKey: "number")
    }
    context.performAndWait {
      #expect(context.undoManager?.undoCount == 3)
      context.undo()
      #expect(node.text("name") == "B" && node.number("number") == nil)
    }
  }

  @Test(arguments: [true, false], TestStore.all) func explicitGroups(groupsByEvent: Bool, _ store: TestStore) throws {
    try UndoGraph.coordinator(store).undoing { context, manager throws in
      manager.groupsByEvent = groupsByEvent
      let node = context.event { context.make("Node", ["name": "A"]) }
      manager.beginUndoGrouping()
      for name in ["B", "C", "D"] { context.event { node.setValue(name, forKey: "name") } }
      node.setValue("E", forKey: "name")
      // What is pending belongs to the group.
      manager.endUndoGrouping()
      manager.setActionName("Rename")
      context.processPendingChanges()
      context.event { node.setValue("F", forKey: "name") }
      #expect(manager.undoCount == 3 && manager.undoActionName == "")
      context.undo()
      #expect(node.text("name") == "E" && manager.undoActionName == "Rename")
      context.undo()
      #expect(node.text("name") == "A" && manager.redoActionName == "Rename")
      context.redo()
      #expect(node.text("name") == "E" && manager.undoMenuItemTitle == "Undo Rename")
    }
  }

  @Test(arguments: TestStore.all) func actionsOfTheApplicationInTheSameEvent(_ store: TestStore) throws {
    final class Counter: Sendable {
      nonisolated(unsafe) var value = 0
      func add(_ number: Int, _ manager: UndoManager) {
        value += number
        manager.registerUndo(withTarget: self) { $0.add(-number, manager) }
      }
    }
    let context = TestModel.context(try UndoGraph.coordinator(store)), counter = Counter()
    nonisolated(unsafe) let manager = UndoManager()
    nonisolated(unsafe) var node: NSManagedObject!
    context.performAndWait { context.undoManager = manager }
    context.perform {
      node = context.make("Node", ["name": "A"])
      counter.add(1, manager)
    }
    context.perform { counter.add(10, manager) }
    context.perform {
      counter.add(100, manager)
      node.setValue("B", forKey: "name")
    }
    context.performAndWait {
      #expect(manager.undoCount == 3 && manager.groupingLevel == 0)
      context.undo()
      #expect(node.text("name") == "A" && counter.value == 11)
      context.undo()
      #expect(node.text("name") == "A" && counter.value == 1)
      context.undo()
      #expect(node.managedObjectContext == nil && counter.value == 0)
      for _ in 0..<3 { context.redo() }
      #expect(node.text("name") == "B" && counter.value == 111)
      // A rollback forgets the context's actions alone.
      context.rollback()
      #expect(manager.undoCount == 3)
      for _ in 0..<3 { context.undo() }
      #expect(counter.value == 0 && node.managedObjectContext == nil)
    }
  }

  /// The object is put back first, then comes the action of the application, whichever of the two was first in the event.
  @Test(arguments: [true, false], TestStore.all)
  func anActionOfTheApplicationThatChangesObjects(isFirst: Bool, _ store: TestStore) throws {
    try UndoGraph.coordinator(store).undoing { context, manager throws in
      let node = context.event { context.make("Node", ["name": "A"]) }
      var before: [String?] = []
      func register() {
        manager.registerUndo(withTarget: node) {
          before.append($0.text("name"))
          $0.setValue("own", forKey: "name")
        }
      }
      context.event {
        if isFirst { register() }
        node.setValue("B", forKey: "name")
        if !isFirst { register() }
      }
      #expect(manager.undoCount == 2 && manager.redoCount == 0)
      context.undo()
      #expect(node.text("name") == "own" && before == ["A"])
      #expect(manager.undoCount == 1 && manager.redoCount == 1)
      context.redo()
      #expect(node.text("name") == "B" && manager.undoCount == 2 && manager.redoCount == 0)
      // What was redone is the objects' part, which had recorded what the action changed.
      context.undo()
      #expect(node.text("name") == "own" && before == ["A"])
      context.undo()
      #expect(node.managedObjectContext == nil && manager.undoCount == 0 && manager.redoCount == 2)
    }
  }

  @Test(arguments: TestStore.all) func levelsOfUndo(_ store: TestStore) throws {
    try UndoGraph.coordinator(store).undoing { context, manager throws in
      manager.levelsOfUndo = 2
      let node = context.event { context.make("Node", ["name": "A"]) }
      for name in ["B", "C", "D"] { context.event { node.setValue(name, forKey: "name") } }
      for _ in 0..<5 { context.undo() }
      #expect(node.text("name") == "B" && !manager.canUndo)
    }
  }

  @Test(arguments: TestStore.all) func whileRegistrationIsDisabled(_ store: TestStore) throws {
    try UndoGraph.coordinator(store).undoing { context, manager throws in
      let node = context.event { context.make("Node", ["name": "A"]) }
      node.setValue("B", forKey: "name")
      context.processPendingChanges()
      manager.disableUndoRegistration()
      node.setValue(5, forKey: "number")
      context.processPendingChanges()
      manager.enableUndoRegistration()
      node.setValue("C", forKey: "name")
      context.undo()
      #expect(node.text("name") == "B" && node.number("number") == 5)
      #expect(manager.undoCount == 2 && manager.redoCount == 1)
      context.undo()
      #expect(node.text("name") == "A" && node.number("number") == 5)
      #expect(manager.undoCount == 1 && manager.redoCount == 2)
      // Undone without leaving anything to redo.
      context.redo()
      #expect(node.text("name") == "B" && manager.undoCount == 2 && manager.redoCount == 1)
      manager.disableUndoRegistration()
      context.undo()
      manager.enableUndoRegistration()
      #expect(node.text("name") == "A" && manager.undoCount == 1 && manager.redoCount == 1)
      context.redo()
      #expect(node.text("name") == "C" && manager.undoCount == 2 && manager.redoCount == 0)
      // What was changed unregistered stays to the end.
      context.undo()
      #expect(node.text("name") == "A" && node.number("number") == 5)
    }
  }

  @Test(arguments: TestStore.all) func aManagerOfSeveralContexts(_ store: TestStore) throws {
    let coordinator = try UndoGraph.coordinator(store)
    let one = TestModel.context(coordinator), other = TestModel.context(coordinator)
    nonisolated(unsafe) let manager = UndoManager()
    let first = one.performAndWait { () -> NSManagedObject in
      one.undoManager = manager
      return one.event { one.make("Node", ["name": "A"]) }
    }
    let second = other.performAndWait { () -> NSManagedObject in
      other.undoManager = manager
      return other.event { other.make("Node", ["name": "B"]) }
    }
    one.performAndWait { one.event { first.setValue("C", forKey: "name") } }
    // Each is put back on its own queue.
    manager.undo()
    one.performAndWait { #expect(first.text("name") == "A") }
    manager.undo()
    other.performAndWait { #expect(second.managedObjectContext == nil) }
    manager.redo()
    manager.redo()
    one.performAndWait { #expect(first.text("name") == "C") }
    other.performAndWait {
      #expect(second.isInserted)
      other.reset()
    }
    #expect(manager.undoCount == 2)
    one.performAndWait { one.undoManager = nil }
    #expect(!manager.canUndo)
  }

  @Test(arguments: TestStore.all) @MainActor func theMainQueuesEventsAreTheRunLoops(_ store: TestStore) throws {
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = try UndoGraph.coordinator(store)
    let manager = UndoManager()
    context.undoManager = manager
    let node = context.event { context.make("Node", ["name": "A"]) }
    context.event { node.setValue("B", forKey: "name") }
    #expect(manager.groupingLevel == 1 && manager.undoCount == 1)
    // No turn of the run loop has ended between the two.
    context.undo()
    #expect(node.managedObjectContext == nil && manager.groupingLevel == 0)
    context.redo()
    #expect(node.text("name") == "B")
    manager.groupsByEvent = false
    context.event { node.setValue("C", forKey: "name") }
    context.event { node.setValue("D", forKey: "name") }
    #expect(manager.undoCount == 3)
    context.undo()
    #expect(node.text("name") == "C")
  }
}
