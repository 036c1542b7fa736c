import CoreData
import Dispatch
import Testing

/// What the stack keeps, and what empties it.
@Suite struct UndoLifetimeTests {
  @Test(arguments: ["rollback", "reset", "another manager", "another coordinator"], TestStore.all)
  func theStackIsEmptied(by what: String, _ store: TestStore) throws {
    let coordinator = try UndoGraph.coordinator(store)
    try coordinator.undoing { context, manager throws in
      let node = context.event { context.make("Node", ["name": "A"]) }
      try context.save()
      context.event { node.setValue("B", forKey: "name") }
      context.event { node.setValue("C", forKey: "name") }
      context.undo()
      #expect(manager.canUndo && manager.canRedo)
      switch what {
      case "rollback": context.rollback()
      case "reset": context.reset()
      case "another manager": context.undoManager = UndoManager()
      default: context.persistentStoreCoordinator = try UndoGraph.coordinator(store)
      }
      #expect(!manager.canUndo && !manager.canRedo)
      context.undo()
      context.redo()
      if what == "rollback" { #expect(node.text("name") == "A") }
    }
  }

  @Test(arguments: TestStore.all) func theStackKeepsObjectsButNotTheContext(_ store: TestStore) throws {
    let coordinator = try UndoGraph.coordinator(store), manager = UndoManager()
    weak var weakContext: NSManagedObjectContext?
    weak var weakNode: NSManagedObject?
    try {
      let context = TestModel.context(coordinator)
      weakContext = context
      try context.performAndWait {
        context.undoManager = manager
        context.event { weakNode = context.make("Node", ["name": "A"]) }
        try context.save()
        #expect(weakNode != nil && context.registeredObjects.count == 1)
      }
    }()
    #expect(weakContext == nil)
    // What it has registered is gone with it.
    #expect(weakNode == nil && !manager.canUndo)
    manager.undo()
  }

  @Test(arguments: TestStore.all) func levelsOfUndoBoundWhatIsKept(_ store: TestStore) throws {
    try UndoGraph.coordinator(store).undoing { context, manager throws in
      manager.levelsOfUndo = 3
      for number in 0..<20 {
        context.event { _ = context.make("Node", ["number": number]) }
        try context.save()
      }
      #expect(context.registeredObjects.count == 3)
      manager.removeAllActions()
      #expect(context.registeredObjects.isEmpty)
    }
  }

  @Test(arguments: TestStore.all) func aContextThatKeepsItsOwnManagerEndsWithIt(_ store: TestStore) throws {
    weak var weakManager: UndoManager?
    weak var weakNode: NSManagedObject?
    let coordinator = try UndoGraph.coordinator(store)
    ({
      let context = TestModel.context(coordinator)
      context.performAndWait {
        let manager = UndoManager()
        weakManager = manager
        context.undoManager = manager
        context.event { weakNode = context.make("Node") }
      }
      #expect(weakManager != nil && weakNode != nil)
    })()
    #expect(weakManager == nil && weakNode == nil)
  }

  @Test(arguments: TestStore.all) func aManagerThatComesLate(_ store: TestStore) throws {
    try UndoGraph.coordinator(store).inContext { context throws in
      let node = context.make("Node", ["name": "A"])
      try context.save()
      node.setValue("B", forKey: "name")
      // The event is registered with the manager that is there when it ends.
      let manager = UndoManager()
      context.undoManager = manager
      context.undo()
      #expect(node.text("name") == "A" && manager.canRedo)
      context.undoManager = manager
      #expect(manager.canRedo)
      context.undoManager = nil
      #expect(!manager.canRedo)
      context.event { node.setValue("C", forKey: "name") }
      #expect(!manager.canUndo && node.text("name") == "C")
    }
  }

  /// The last reference to a context may be let go of anywhere, while the manager is in use.
  @Test(arguments: TestStore.all) func contextsThatGoElsewhereLeaveASharedManagerAlone(_ store: TestStore) throws {
    let coordinator = try UndoGraph.coordinator(store), manager = UndoManager()
    manager.groupsByEvent = false
    let target = NSObject(), group = DispatchGroup(), rounds = 50
    var undone = 0
    for round in 0..<rounds {
      // The only reference.
      nonisolated(unsafe) var context: NSManagedObjectContext? = TestModel.context(coordinator)
      weak var weakNode: NSManagedObject?
      context?.performAndWait {
        context?.undoManager = manager
        for _ in 0..<3 { context?.event { weakNode = context?.make("Node", ["number": round]) } }
      }
      #expect(weakNode != nil && manager.undoCount == round + 3)
      DispatchQueue.global().async(group: group) { context = nil }
      // Meanwhile the application goes on with it.
      manager.beginUndoGrouping()
      manager.registerUndo(withTarget: target) { _ in undone += 1 }
      manager.endUndoGrouping()
      group.wait()
      #expect(weakNode == nil && manager.undoCount == round + 1)
    }
    while manager.canUndo { manager.undo() }
    #expect(undone == rounds)
  }
}
