import CoreData
import Testing

/// Two contexts have saved the deletion of one object, and both undo it: each inserts the object again, under the ID that it
/// had. The first save makes the row; to the second one that is a conflict, which policies and merges solve.
@Suite struct DeletionUndoneTwiceTests {
  /// Two contexts that have deleted node 1, with a parent, a child, a partner and a tag, and have undone that. The first has
  /// saved it under another name, and with another weight.
  private struct Stack {
    let first: NSManagedObjectContext, second: NSManagedObjectContext
    let coordinator: NSPersistentStoreCoordinator
    /// What the second context has to merge.
    let saved: Notification

    init(_ store: TestStore, _ url: URL?, policy: NSMergePolicy = .error) throws {
      coordinator = try UndoGraph.coordinator(store, url: url)
      try coordinator.inContext { context in
        let node = context.make("Node", ["number": 1, "name": "old", "weight": 1.0])
        let others = (2...5).map { context.make("Node", ["number": $0]) }
        node.setValue(others[0], forKey: "parent")
        others[1].setValue(node, forKey: "owner")
        node.setValue(others[2], forKey: "partner")
        node.mutableSetValue(forKey: "tags").add(context.make("Tag", ["number": 10]))
        node.mutableOrderedSetValue(forKey: "followers").add(others[3])
        try context.save()
      }
      let contexts = [0, 1].map { [coordinator] _ in
        let context = TestModel.context(coordinator)
        context.performAndWait { context.undoManager = UndoManager() }
        // Both nullify the other ends.
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        return context
      }
      (first, second) = (contexts[0], contexts[1])
      for context in contexts {
        try context.performAndWait {
          _ = try UndoGraph.picture(context)
          context.delete(try Self.node(context))
        }
      }
      for context in contexts { try context.performAndWait { try context.save() } }
      for context in contexts { context.performAndWait { context.undo() } }
      second.mergePolicy = policy
      let recorded = RecordedNotifications(.NSManagedObjectContextDidSave, of: first)
      try first.performAndWait { [first] in
        let node = try Self.node(first)
        node.setValue("first", forKey: "name")
        node.setValue(2.0, forKey: "weight")
        try first.save()
      }
      saved = recorded.merged
      try second.performAndWait { [second] in try Self.node(second).setValue("second", forKey: "name") }
    }

    static func node(_ context: NSManagedObjectContext) throws -> NSManagedObject {
      try #require(try context.all("Node").first { $0.number("number") == 1 })
    }

    /// The node's name, its weight and the members of its relationships in a new context, after both ends of all relationships
    /// were compared there and in both contexts.
    func stored() throws -> String {
      for context in [first, second] {
        try context.performAndWait {
          context.refreshAllObjects()
          let all = try context.all("Node") + context.all("Tag")
          #expect(BothEnds.disagreements(of: all) == [])
        }
      }
      return try coordinator.inContext { context in
        let all = try context.all("Node") + context.all("Tag")
        #expect(BothEnds.disagreements(of: all) == [])
        #expect(all.count == 6)
        let node = try Self.node(context)
        let names = ["parent", "items", "partner", "tags", "followers"]
        let numbers = names.map {
          BothEnds.members(node, $0).map { "\($0.number("number") ?? 0)" }.joined(separator: ",")
        }
        let weight = node.value(forKey: "weight") as? Double
        return "\(node.text("name") ?? "nil") \(weight ?? 0) \(numbers.joined(separator: " "))"
      }
    }
  }

  @Test(arguments: TestStore.all) func theSecondSaveIsAConflict(_ store: TestStore) throws {
    let url = try store.place()
    defer { store.remove(url) }
    let stack = try Stack(store, url)
    try stack.second.performAndWait {
      for _ in 0..<2 {
        var error: NSError?
        do { try stack.second.save() } catch let thrown { error = thrown as NSError }
        #expect(error?.code == NSManagedObjectMergeError)
        let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? []
        let conflict = try #require(conflicts.first { $0.sourceObject.number("number") == 1 })
        #expect(conflict.newVersionNumber > 0)
        #expect(conflict.cachedSnapshot?["name"] as? String == "first")
      }
      stack.second.rollback()
      let node = try Stack.node(stack.second)
      #expect(node.text("name") == "first")
      node.setValue("third", forKey: "name")
      try stack.second.save()
    }
    #expect(try stack.stored() == "third 2.0 2 3 4 10 5")
  }

  @Test(arguments: ["object trump", "overwrite", "store trump", "rollback"], TestStore.all)
  func thePolicySolvesIt(_ policy: String, _ store: TestStore) throws {
    let url = try store.place()
    defer { store.remove(url) }
    let policies: [String: NSMergePolicy] = [
      "object trump": .mergeByPropertyObjectTrump, "overwrite": .overwrite, "store trump": .mergeByPropertyStoreTrump,
      "rollback": .rollback,
    ]
    let stack = try Stack(store, url, policy: try #require(policies[policy]))
    try stack.second.performAndWait {
      try stack.second.save()
      #expect(!stack.second.hasChanges)
    }
    let stored = try stack.stored()
    let isOurs = ["object trump", "overwrite"].contains(policy)
    #expect(stored == (isOurs ? "second 1.0 2 3 4 10 5" : "first 2.0 2 3 4 10 5"))
    // Either object can be saved again.
    for context in [stack.first, stack.second] {
      try context.performAndWait {
        context.refreshAllObjects()
        try Stack.node(context).setValue("again", forKey: "name")
        try context.save()
      }
    }
  }

  /// What is nil here is not what was set here.
  @Test(arguments: TestStore.all) func objectTrumpKeepsValuesThatOnlyTheStoreHas(_ store: TestStore) throws {
    let url = try store.place()
    defer { store.remove(url) }
    let stack = try Stack(store, url, policy: .mergeByPropertyObjectTrump)
    try stack.second.performAndWait {
      try Stack.node(stack.second).setValue(nil, forKey: "name")
      try stack.second.save()
    }
    #expect(try stack.stored() == "first 1.0 2 3 4 10 5")
  }

  @Test(arguments: TestStore.all) func mergingTheFirstSaveSolvesIt(_ store: TestStore) throws {
    let url = try store.place()
    defer { store.remove(url) }
    let stack = try Stack(store, url)
    try stack.second.performAndWait {
      stack.second.mergeChanges(fromContextDidSave: stack.saved)
      let node = try Stack.node(stack.second)
      #expect(!node.isInserted)
      #expect(node.isUpdated)
      #expect(node.text("name") == "second")
      let all = try stack.second.all("Node") + stack.second.all("Tag")
      #expect(BothEnds.disagreements(of: all) == [])
      try stack.second.save()
    }
    #expect(try stack.stored() == "second 1.0 2 3 4 10 5")
  }

  /// A child's save hands the object up under its ID.
  @Test(arguments: TestStore.all) func aChildMayHaveUndoneIt(_ store: TestStore) throws {
    let url = try store.place()
    defer { store.remove(url) }
    let stack = try Stack(store, url, policy: .mergeByPropertyObjectTrump)
    let child = Tree.child(of: stack.second)
    try child.performAndWait {
      try Stack.node(child).setValue("child", forKey: "name")
      try child.save()
    }
    try stack.second.performAndWait { try stack.second.save() }
    #expect(try stack.stored() == "child 1.0 2 3 4 10 5")
  }
}
