import CoreData
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// `automaticallyMergesChangesFromParent`.
@Suite struct AutomaticMergeTests {
  /// Whether `context` comes to show that name of its one author that the test holds.
  private func shows(_ name: String, _ object: NSManagedObject, in context: NSManagedObjectContext) -> Bool {
    Soak.wait { context.performAndWait { object.value(forKey: "name") as? String == name } }
  }

  private func author(in context: NSManagedObjectContext) throws -> NSManagedObjectID {
    try context.performAndWait {
      let author = context.make("Author", ["name": "old"])
      try context.save()
      return author.objectID
    }
  }

  private func rename(_ id: NSManagedObjectID, _ name: String, in context: NSManagedObjectContext) throws {
    try context.performAndWait {
      let object = try context.existingObject(with: id)
      context.refresh(object, mergeChanges: false)
      object.setValue(name, forKey: "name")
      try context.save()
    }
  }

  @Test(arguments: TestStore.all) func savesOfOtherContextsArriveOnTheContextsQueue(_ store: TestStore) throws {
    let coordinator = try store.coordinator(TestModel.library())
    let writer = TestModel.context(coordinator), reader = TestModel.context(coordinator)
    let deaf = TestModel.context(coordinator)
    reader.automaticallyMergesChangesFromParent = true
    let id = try author(in: writer)
    let here = try reader.performAndWait { try reader.existingObject(with: id) }
    let unmoved = try deaf.performAndWait { try deaf.existingObject(with: id) }
    try rename(id, "new", in: writer)
    #expect(shows("new", here, in: reader))
    #expect(deaf.performAndWait { unmoved.value(forKey: "name") as? String } == "old")

    reader.automaticallyMergesChangesFromParent = false
    try rename(id, "newest", in: writer)
    reader.performAndWait {}
    #expect(reader.performAndWait { here.value(forKey: "name") as? String } == "new")
  }

  @Test(arguments: TestStore.all) func childrenMergeWhatTheirParentSaves(_ store: TestStore) throws {
    let coordinator = try store.coordinator(TestModel.library())
    let parent = TestModel.context(coordinator)
    let id = try author(in: parent)
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.automaticallyMergesChangesFromParent = true
    child.parent = parent
    let here = try child.performAndWait { try child.existingObject(with: id) }
    parent.performAndWait { parent.object(with: id).setValue("unsaved", forKey: "name") }
    child.performAndWait {}
    #expect(child.performAndWait { here.value(forKey: "name") as? String } == "old")
    try parent.performAndWait { try parent.save() }
    #expect(shows("unsaved", here, in: child))
  }

  @Test(arguments: TestStore.all) func ownSavesAreNotMerged(_ store: TestStore) throws {
    let context = TestModel.context(try store.coordinator(TestModel.library()))
    context.automaticallyMergesChangesFromParent = true
    let merges = RecordedNotifications(.NSManagedObjectContextDidMergeChangesObjectIDs, of: context)
    _ = try author(in: context)
    context.performAndWait {}
    #expect(merges.all.isEmpty)
  }

  /// While the reader's queue is busy, what is saved meanwhile waits, and comes as one merge.
  @Test(arguments: TestStore.all) func savesThatComeFastAreMergedTogether(_ store: TestStore) throws {
    let coordinator = try store.coordinator(TestModel.library())
    let writer = TestModel.context(coordinator), reader = TestModel.context(coordinator)
    reader.automaticallyMergesChangesFromParent = true
    let merges = RecordedNotifications(.NSManagedObjectContextDidMergeChangesObjectIDs, of: reader)
    let isBusy = DispatchSemaphore(value: 0), mayGoOn = DispatchSemaphore(value: 0)
    reader.perform {
      isBusy.signal()
      mayGoOn.wait()
    }
    isBusy.wait()
    let ids = try (0..<20).map { _ in try author(in: writer) }
    mayGoOn.signal()
    #expect(Soak.wait { !merges.all.isEmpty })
    reader.performAndWait {}
    #expect(merges.all.count == 1)
    #expect(merges.ids(NSInsertedObjectIDsKey) == Set(ids))
  }

  /// A context that is gone is not waited for, and one whose coordinator is exchanged listens to the new one.
  @Test(arguments: TestStore.all) func contextsComeAndGo(_ store: TestStore) throws {
    let first = try store.coordinator(TestModel.library()), second = try store.coordinator(TestModel.library())
    let writer = TestModel.context(second)
    let reader = TestModel.context(first)
    reader.automaticallyMergesChangesFromParent = true
    reader.persistentStoreCoordinator = second
    do {
      let gone = TestModel.context(second)
      gone.automaticallyMergesChangesFromParent = true
    }
    let id = try author(in: writer)
    let here = try reader.performAndWait { try reader.existingObject(with: id) }
    try rename(id, "new", in: writer)
    #expect(shows("new", here, in: reader))
  }

  /// The view context of a container, on the main queue: what was changed here stays over what is merged, and is saved.
  @Test func theViewContextKeepsItsOwnChanges() async throws {
    let container = NSPersistentContainer(name: "Automatic", managedObjectModel: TestModel.library())
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))]
    container.loadPersistentStores { _, error in #expect(error == nil) }
    let view = container.viewContext, background = container.newBackgroundContext()
    let id = try author(in: background)
    let merges = RecordedNotifications(.NSManagedObjectContextDidMergeChangesObjectIDs, of: view)
    let fresh = try await view.perform { () throws -> NSManagedObjectID in
      view.automaticallyMergesChangesFromParent = true
      let author = try view.existingObject(with: id)
      author.setValue("mine", forKey: "name")
      return view.make("Author", ["name": "fresh"]).objectID
    }
    try background.performAndWait {
      let author = try background.existingObject(with: id)
      author.setValue("theirs", forKey: "name")
      author.setValue(44, forKey: "age")
      _ = background.make("Author", ["name": "another"])
      try background.save()
    }
    // The merge was handed to the main queue before the save returned.
    try await view.perform(schedule: .enqueued) { () throws in
      #expect(MainQueue.isCurrent && merges.ids(NSUpdatedObjectIDsKey) == [id] && merges.all.count == 1)
      let author = view.object(with: id)
      #expect(author.text("name") == "mine" && author.number("age") == 44)
      #expect(author.committedValues(forKeys: ["name"])["name"] as? String == "theirs")
      #expect(author.isUpdated && Set(author.changedValues().keys) == ["name"])
      #expect(view.insertedObjects.map(\.objectID) == [fresh])
      #expect(try view.names("Author") == ["another", "fresh", "mine"])
      // No conflict: the change is on top of what was merged.
      try view.save()
    }
    #expect(
      try container.persistentStoreCoordinator.inContext { try $0.names("Author") } == ["another", "fresh", "mine"])
    #expect(try container.persistentStoreCoordinator.inContext { try $0.named("mine", "Author").number("age") } == 44)
  }

  /// A context that was pinned by another's token stays where it is; one that is pinned to the current state moves on.
  @Test(arguments: TestStore.all(that: .generations)) func whoIsPinnedByATokenIsLeftAlone(_ store: TestStore) throws {
    let coordinator = try store.coordinator(TestModel.library(), url: try store.place())
    let writer = TestModel.context(coordinator), giver = TestModel.context(coordinator)
    let pinned = TestModel.context(coordinator), current = TestModel.context(coordinator)
    let id = try author(in: writer)
    let token = try giver.performAndWait { () throws in
      try giver.setQueryGenerationFrom(.current)
      #expect(try giver.all("Author").count == 1)
      return try #require(giver.queryGenerationToken)
    }
    let merges = [pinned, current].map {
      RecordedNotifications(.NSManagedObjectContextDidMergeChangesObjectIDs, of: $0)
    }
    let (here, there) = (
      try pinned.performAndWait { () throws in
        pinned.automaticallyMergesChangesFromParent = true
        try pinned.setQueryGenerationFrom(token)
        return try pinned.existingObject(with: id)
      },
      try current.performAndWait { () throws in
        current.automaticallyMergesChangesFromParent = true
        try current.setQueryGenerationFrom(.current)
        return try current.existingObject(with: id)
      }
    )
    let first = current.performAndWait { current.queryGenerationToken }
    try rename(id, "new", in: writer)
    _ = try author(in: writer)
    // What was handed to the queues comes before these.
    try pinned.performAndWait { () throws in
      #expect(here.text("name") == "old" && pinned.queryGenerationToken == token)
      #expect(try pinned.all("Author").count == 1)
      pinned.refresh(here, mergeChanges: false)
      #expect(here.text("name") == "old" && merges[0].all.isEmpty)
    }
    try current.performAndWait { () throws in
      #expect(try current.all("Author").count == 2 && there.text("name") == "new")
      #expect(current.queryGenerationToken != first && !merges[1].all.isEmpty)
    }
    // Unpinned, it hears of the saves that come.
    try pinned.performAndWait { try pinned.setQueryGenerationFrom(nil) }
    try rename(id, "newest", in: writer)
    #expect(shows("newest", here, in: pinned))
  }
}
