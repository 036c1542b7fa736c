import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Merging where it meets parents, undo and pending deletions.
@Suite struct MergeMeetingTests {
  private func merge(_ key: String, _ id: NSManagedObjectID, into contexts: [NSManagedObjectContext]) {
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [key: [id]], into: contexts)
  }

  private func names(_ coordinator: NSPersistentStoreCoordinator) throws -> [String?] {
    let context = TestModel.context(coordinator)
    return try withExtendedLifetime(context) {
      try context.all("Author", sortedBy: "name").map { $0.value(forKey: "name") as? String }
    }
  }

  /// A deletion that is pending here has its row yet, whoever tells of it.
  @Test(arguments: TestStore.all) func aPendingDeletionIsWritten(_ store: TestStore) throws {
    let coordinator = try store.coordinator(TestModel.library())
    let parent = TestModel.context(coordinator)
    let author = parent.make("Author", ["name": "gone"])
    try parent.save()
    let child = Tree.child(of: parent)
    try child.performAndWait {
      child.delete(try child.existingObject(with: author.objectID))
      try child.save()
    }
    merge(NSDeletedObjectsKey, author.objectID, into: [parent])
    try parent.performAndWait { try parent.save() }
    #expect(try names(coordinator) == [])
  }

  /// What is said to be deleted and is there all the same, is there.
  @Test(arguments: TestStore.all) func aRowThatIsThereIsNotDeleted(_ store: TestStore) throws {
    let coordinator = try store.coordinator(TestModel.library())
    let a = TestModel.context(coordinator), b = TestModel.context(coordinator)
    let author = a.make("Author", ["name": "old"])
    try a.save()
    let here = try b.existingObject(with: author.objectID)
    author.setValue("new", forKey: "name")
    try a.save()
    merge(NSDeletedObjectsKey, author.objectID, into: [b])
    #expect(!here.isDeleted)
    #expect(here.value(forKey: "name") as? String == "new")
  }

  /// Deleted by others, and inserted again by their undoing it.
  @Test(arguments: [true, false], TestStore.all)
  func anObjectComesBackWithItsRow(_ together: Bool, _ store: TestStore) throws {
    let coordinator = try store.coordinator(TestModel.library())
    let a = TestModel.context(coordinator), b = TestModel.context(coordinator)
    a.undoManager = UndoManager()
    let author = a.make("Author", ["name": "back"])
    try a.save()
    let id = author.objectID
    let here = try b.existingObject(with: id)
    nonisolated(unsafe) var saves: [Notification] = []
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSaveObjectIDs, object: a, queue: nil
    ) { saves.append($0) }
    defer { NotificationCenter.default.removeObserver(token) }
    a.delete(author)
    try a.save()
    if !together {
      b.mergeChanges(fromContextDidSave: saves[0])
      #expect(here.isDeleted)
    }
    a.undo()
    try a.save()
    let isSame = author.objectID == id
    if together { b.mergeChanges(fromContextDidSave: saves[0]) }
    b.mergeChanges(fromContextDidSave: saves[1])
    #expect(try b.all("Author").map { $0.value(forKey: "name") as? String } == ["back"])
    if isSame {
      #expect(!here.isDeleted && here.value(forKey: "name") as? String == "back")
      #expect(!b.hasChanges)
    }
  }

  /// After a rollback an object that others have deleted is a fault whose row is missing, and nothing in between.
  @Test(arguments: TestStore.all) func rollbackAfterAMergedDeletion(_ store: TestStore) throws {
    let coordinator = try store.coordinator(TestModel.library())
    let a = TestModel.context(coordinator), b = TestModel.context(coordinator)
    let author = a.make("Author", ["name": "gone"])
    try a.save()
    let id = author.objectID
    let here = try b.existingObject(with: id)
    a.delete(author)
    try a.save()
    merge(NSDeletedObjectsKey, id, into: [b])
    #expect(here.isDeleted)
    b.rollback()
    #expect(here.isFault && !here.isDeleted && !b.hasChanges)
    #expect(here.value(forKey: "name") == nil)
    #expect(here.isDeleted)
    try b.save()
  }

  /// The parent was asked for an object before it had it.
  @Test(arguments: TestStore.all) func aGhostBecomesTheInsertedObject(_ store: TestStore) throws {
    let coordinator = try store.coordinator(TestModel.library())
    let parent = TestModel.context(coordinator), child = Tree.child(of: parent)
    let object = child.performAndWait { child.make("Author", ["name": "new"]) }
    let ghost = parent.performAndWait { parent.object(with: object.objectID) }
    try child.performAndWait { try child.save() }
    try parent.performAndWait {
      #expect(ghost.isInserted && ghost.value(forKey: "name") as? String == "new")
      try parent.save()
    }
    #expect(try names(coordinator) == ["new"])
  }

  /// A permanent ID holds, whatever becomes of the context that asked for it.
  @Test(arguments: TestStore.all) func permanentIDsOutliveTheChild(_ store: TestStore) throws {
    let coordinator = try store.coordinator(TestModel.library())
    let parent = TestModel.context(coordinator)
    let id = try {
      let child = Tree.child(of: parent)
      return try child.performAndWait {
        let object = child.make("Author", ["name": "new"])
        try child.save()
        try child.obtainPermanentIDs(for: [object])
        return object.objectID
      }
    }()
    try parent.performAndWait {
      try parent.save()
      #expect(try parent.existingObject(with: id).value(forKey: "name") as? String == "new")
    }
    #expect(id.uriRepresentation().absoluteString.contains("/p"))
  }

  /// Parents are brought up to date before their children, in whatever order they come.
  @Test(arguments: TestStore.all(that: .reopening)) func remoteChangesReachNestedContexts(_ store: TestStore) throws {
    let url = try store.place()
    let other = TestModel.context(try store.coordinator(TestModel.library(), url: url))
    let parent = TestModel.context(try store.coordinator(TestModel.library(), url: url))
    let child = Tree.child(of: parent)
    let author = other.make("Author", ["name": "old", "age": 1])
    try other.save()
    let uri = author.objectID.uriRepresentation()
    let found = try #require(try parent.performAndWait { try parent.all("Author").first })
    let here = try child.performAndWait { try child.existingObject(with: found.objectID) }
    parent.performAndWait { found.setValue(7, forKey: "age") }
    author.setValue("new", forKey: "name")
    try other.save()
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: [uri]], into: [child, parent])
    parent.performAndWait { #expect(found.value(forKey: "name") as? String == "new") }
    child.performAndWait {
      #expect(here.value(forKey: "name") as? String == "new")
      #expect(here.value(forKey: "age") as? Int == 7)
    }
  }

  /// Merging moves a pinned context on; one that was pinned by a token is left alone by the automatic kind.
  @Test(arguments: TestStore.all(that: .generations)) func pinnedContextsMoveOnWithAMerge(_ store: TestStore) throws {
    let coordinator = try store.coordinator(TestModel.library(), url: try store.place())
    let writer = TestModel.context(coordinator), pinned = TestModel.context(coordinator)
    let author = writer.make("Author", ["age": 1])
    try writer.save()
    func set(_ age: Int) throws {
      author.setValue(age, forKey: "age")
      try writer.save()
    }
    try pinned.performAndWait {
      try pinned.setQueryGenerationFrom(.current)
      let here = try #require(try pinned.all("Author").first)
      #expect(here.value(forKey: "age") as? Int == 1)
      try set(2)
      pinned.refresh(here, mergeChanges: true)
      #expect(here.value(forKey: "age") as? Int == 1)
      merge(NSUpdatedObjectsKey, author.objectID, into: [pinned])
      #expect(here.value(forKey: "age") as? Int == 2)
      try set(3)
      pinned.refresh(here, mergeChanges: true)
      #expect(here.value(forKey: "age") as? Int == 2)
    }
  }
}
