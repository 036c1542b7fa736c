import CoreData
import Testing

/// Objects of all contexts of a tree have their permanent IDs as soon as the context at the top has saved.
@Suite struct PermanentIDsInChildrenTests {
  private func isFound(_ object: NSManagedObject, _ coordinator: NSPersistentStoreCoordinator) throws -> Bool {
    let id = try #require(
      coordinator.managedObjectID(forURIRepresentation: object.objectID.uriRepresentation()))
    return try coordinator.inContext { try $0.existingObject(with: id).number("number") == 7 }
  }

  @Test(arguments: TestStore.all) func idsArePermanentAfterTheTopHasSaved(_ store: TestStore) throws {
    let tree = try Tree(store, UndoGraph.model())
    let (object, owner) = try tree.leaf.performAndWait {
      let object = tree.leaf.make("Node", ["number": 7]), owner = tree.leaf.make("Node", ["number": 8])
      object.setValue(owner, forKey: "parent")
      try tree.leaf.save()
      return (object, owner)
    }
    // A context keeps saved objects only as long as others do.
    let middles = try tree.middle.performAndWait {
      let objects = tree.middle.insertedObjects
      try tree.middle.save()
      return objects
    }
    let temporary = object.objectID
    #expect(temporary.isTemporaryID)
    try tree.root.performAndWait { try tree.root.save() }
    #expect(!object.objectID.isTemporaryID && object.objectID != temporary)
    #expect(object.objectID.persistentStore === tree.coordinator.persistentStores[0])
    #expect(try isFound(object, tree.coordinator))
    tree.leaf.performAndWait {
      #expect(owner.objectIDs(forRelationshipNamed: "children") == [object.objectID])
      #expect(object.objectIDs(forRelationshipNamed: "parent") == [owner.objectID])
      #expect(tree.leaf.registeredObject(for: object.objectID) === object)
      #expect(tree.leaf.object(with: object.objectID) === object)
      #expect(tree.leaf.object(with: temporary) === object)
    }
    #expect(Set(middles.map(\.objectID)) == [object.objectID, owner.objectID])
  }

  /// An ID that one context has asked for is the ID of the object everywhere.
  @Test(arguments: TestStore.all) func idsThatWereAskedForArrive(_ store: TestStore) throws {
    let tree = try Tree(store, UndoGraph.model())
    let object = try tree.leaf.performAndWait {
      let object = tree.leaf.make("Node", ["number": 7])
      try tree.leaf.save()
      return object
    }
    try tree.middle.performAndWait {
      let there = try #require(tree.middle.insertedObjects.first)
      try tree.middle.obtainPermanentIDs(for: [there])
      #expect(there.objectID == object.objectID)
    }
    #expect(!object.objectID.isTemporaryID)
  }

  /// Nothing waits for the child's queue, which is busy.
  @Test(arguments: TestStore.all) func idsArriveWhileTheChildIsBlocked(_ store: TestStore) throws {
    let tree = try Tree(store, UndoGraph.model())
    let object = try tree.leaf.performAndWait {
      let object = tree.leaf.make("Node", ["number": 7])
      try tree.leaf.save()
      return object
    }
    try tree.middle.performAndWait { try tree.middle.save() }
    let isBlocked = DispatchSemaphore(value: 0), mayGoOn = DispatchSemaphore(value: 0)
    let isOver = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      tree.leaf.performAndWait {
        tree.middle.performAndWait {
          isBlocked.signal()
          mayGoOn.wait()
        }
      }
      isOver.signal()
    }
    isBlocked.wait()
    try tree.root.performAndWait { try tree.root.save() }
    #expect(!object.objectID.isTemporaryID)
    #expect(try isFound(object, tree.coordinator))
    mayGoOn.signal()
    isOver.wait()
  }

  /// Threads ask for the ID while the top saves: it is the temporary one, then the permanent one, and stays that.
  @Test func threadsAskWhileTheTopSaves() throws {
    for _ in 0..<10 * Soak.factor {
      let tree = try Tree(.sqlite, UndoGraph.model())
      nonisolated(unsafe) let object = try tree.leaf.performAndWait {
        let object = tree.leaf.make("Node", ["number": 7])
        try tree.leaf.save()
        return object
      }
      try tree.middle.performAndWait { try tree.middle.save() }
      Soak.threads(3) { number in
        if number == 0 { return try tree.root.performAndWait { try tree.root.save() } }
        if number == 1 { return tree.leaf.performAndWait { _ = try? tree.leaf.all("Node").count } }
        var wasPermanent = false
        for _ in 0..<2000 {
          let isPermanent = !object.objectID.isTemporaryID
          #expect(isPermanent || !wasPermanent)
          wasPermanent = isPermanent
        }
      }
      #expect(!object.objectID.isTemporaryID)
    }
  }
}
