import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Contexts that take over what others have saved.
@Suite struct MergeChangesTests {
  /// Two contexts of one coordinator, the second merging whatever the first saves.
  private func pair(_ store: TestStore) throws -> (NSManagedObjectContext, NSManagedObjectContext) {
    let coordinator = try store.coordinator(TestModel.library())
    return (TestModel.context(coordinator), TestModel.context(coordinator))
  }

  /// Saves `source`, and has `target` merge the notification of it.
  private func save(
    _ source: NSManagedObjectContext, mergingInto target: NSManagedObjectContext,
    _ name: Notification.Name = .NSManagedObjectContextDidSave
  ) throws {
    nonisolated(unsafe) var saved: Notification?
    let token = NotificationCenter.default.addObserver(forName: name, object: source, queue: nil) { saved = $0 }
    defer { NotificationCenter.default.removeObserver(token) }
    try source.save()
    target.mergeChanges(fromContextDidSave: try #require(saved))
  }

  @Test(
    arguments: [Notification.Name.NSManagedObjectContextDidSave, .NSManagedObjectContextDidSaveObjectIDs], TestStore.all
  )
  func updatesInsertsAndDeletesArrive(_ name: Notification.Name, _ store: TestStore) throws {
    let (a, b) = try pair(store)
    let changed = a.make("Author", ["name": "old"]), gone = a.make("Author", ["name": "gone"])
    try a.save()
    let here = try b.existingObject(with: changed.objectID), lost = try b.existingObject(with: gone.objectID)
    #expect(here.value(forKey: "name") as? String == "old")

    let events = RecordedNotifications(.NSManagedObjectContextObjectsDidChange, of: b)
    let merges = RecordedNotifications(.NSManagedObjectContextDidMergeChangesObjectIDs, of: b)
    changed.setValue("new", forKey: "name")
    let new = a.make("Author", ["name": "born"])
    let goneID = gone.objectID
    a.delete(gone)
    try save(a, mergingInto: b, name)

    #expect(here.value(forKey: "name") as? String == "new")
    #expect(!b.updatedObjects.contains(here))
    #expect(b.insertedObjects.isEmpty)
    #expect(lost.isDeleted)
    #expect(b.deletedObjects == [lost])
    #expect(try b.all("Author", sortedBy: "name").map { $0.value(forKey: "name") as? String } == ["born", "new"])
    #expect(events.all.count == 1)
    #expect(events.ids(NSInsertedObjectsKey) == [new.objectID])
    #expect(events.ids(NSRefreshedObjectsKey) == [changed.objectID])
    #expect(events.ids(NSDeletedObjectsKey) == [goneID])
    #expect(events.ids(NSUpdatedObjectsKey) == [])
    #expect(merges.all.count == 1)
    #expect(merges.ids(NSInsertedObjectIDsKey) == [new.objectID])
    #expect(merges.ids(NSUpdatedObjectIDsKey) == [changed.objectID])
    #expect(merges.ids(NSRefreshedObjectIDsKey) == [changed.objectID])
    #expect(merges.ids(NSDeletedObjectIDsKey) == [goneID])

    // What is left of the merge has nothing to be written.
    try b.save()
    #expect(b.deletedObjects.isEmpty)
    #expect(!b.hasChanges)
  }

  @Test(arguments: TestStore.all) func changesMadeHereStayOnTop(_ store: TestStore) throws {
    let (a, b) = try pair(store)
    let author = a.make("Author", ["name": "old", "age": 1])
    try a.save()
    let here = try b.existingObject(with: author.objectID)
    here.setValue("mine", forKey: "name")
    author.setValue("theirs", forKey: "name")
    author.setValue(2, forKey: "age")
    try save(a, mergingInto: b)
    #expect(here.value(forKey: "name") as? String == "mine")
    #expect(here.value(forKey: "age") as? Int == 2)
    #expect(here.changedValues().keys.sorted() == ["name"])
    // The new version is known: no conflict.
    try b.save()
    a.refreshAllObjects()
    #expect(author.value(forKey: "name") as? String == "mine")
    #expect(author.value(forKey: "age") as? Int == 2)
  }

  @Test(arguments: TestStore.all) func relationshipsFollow(_ store: TestStore) throws {
    let (a, b) = try pair(store)
    let author = a.make("Author", ["name": "A"]), other = a.make("Author", ["name": "B"])
    let book = a.make("Book", ["title": "one", "author": author])
    try a.save()
    let here = try b.existingObject(with: author.objectID), there = try b.existingObject(with: other.objectID)
    let hereBook = try b.existingObject(with: book.objectID)
    #expect((here.value(forKey: "books") as? NSSet)?.count == 1)
    #expect((there.value(forKey: "books") as? NSSet)?.count == 0)
    // A book of our own, not saved yet.
    let mine = b.make("Book", ["title": "mine", "author": here])
    book.setValue(other, forKey: "author")
    _ = a.make("Book", ["title": "two", "author": other])
    try save(a, mergingInto: b)
    #expect(here.value(forKey: "books") as? NSSet == NSSet(object: mine))
    #expect((there.value(forKey: "books") as? NSSet)?.count == 2)
    #expect(hereBook.value(forKey: "author") as? NSManagedObject === there)
    try b.save()
    a.refreshAllObjects()
    #expect((author.value(forKey: "books") as? NSSet)?.count == 1)
    #expect((other.value(forKey: "books") as? NSSet)?.count == 2)
  }

  /// A reference made here to what is gone would keep every later save from succeeding.
  @Test(arguments: TestStore.all) func referencesMadeHereToDeletedObjectsAreDropped(_ store: TestStore) throws {
    let (a, b) = try pair(store)
    let author = a.make("Author", ["name": "gone"]), tag = a.make("Tag", ["name": "gone"])
    try a.save()
    let book = b.make("Book", ["title": "orphan"])
    book.setValue(try b.existingObject(with: author.objectID), forKey: "author")
    book.mutableSetValue(forKey: "tags").add(try b.existingObject(with: tag.objectID))
    a.delete(author)
    a.delete(tag)
    try save(a, mergingInto: b)
    #expect(book.value(forKey: "author") == nil)
    #expect((book.value(forKey: "tags") as? NSSet)?.count == 0)
    try b.save()
    #expect(try a.all("Book").map { $0.value(forKey: "title") as? String } == ["orphan"])
  }

  @Test(arguments: TestStore.all) func faultsStayFaults(_ store: TestStore) throws {
    let (a, b) = try pair(store)
    let author = a.make("Author", ["name": "old"])
    try a.save()
    let fault = b.object(with: author.objectID)
    let events = RecordedNotifications(.NSManagedObjectContextObjectsDidChange, of: b)
    author.setValue("new", forKey: "name")
    try save(a, mergingInto: b)
    #expect(fault.isFault)
    #expect(events.ids(NSRefreshedObjectsKey).isEmpty)
    #expect(fault.value(forKey: "name") as? String == "new")
  }

  /// An object that is not in use here is no reason to make one.
  @Test(arguments: TestStore.all) func deletionsOfUnknownObjectsAreNothing(_ store: TestStore) throws {
    let (a, b) = try pair(store)
    let author = a.make("Author")
    try a.save()
    let events = RecordedNotifications(.NSManagedObjectContextObjectsDidChange, of: b)
    a.delete(author)
    try save(a, mergingInto: b)
    #expect(events.all.isEmpty)
    #expect(b.registeredObjects.isEmpty)
    #expect(!b.hasChanges)
  }

  // MARK: Between coordinators

  @Test(arguments: [true, false], TestStore.all(that: .reopening))
  func changesOfAnotherCoordinatorArriveByTheirURIs(_ areTexts: Bool, _ store: TestStore) throws {
    let url = try store.place()
    let a = TestModel.context(try store.coordinator(TestModel.library(), url: url))
    let b = TestModel.context(try store.coordinator(TestModel.library(), url: url))
    let changed = a.make("Author", ["name": "old"]), gone = a.make("Author", ["name": "gone"])
    try a.save()
    let here = try b.all("Author", sortedBy: "name")
    #expect(here.map { $0.value(forKey: "name") as? String } == ["gone", "old"])
    changed.setValue("new", forKey: "name")
    let goneID = gone.objectID
    a.delete(gone)
    let born = a.make("Author", ["name": "born"])
    try a.save()
    func form(_ id: NSManagedObjectID) -> Any { areTexts ? id.uriRepresentation() : id }
    let data: [AnyHashable: Any] = [
      NSInsertedObjectsKey: [form(born.objectID)], NSUpdatedObjectsKey: [form(changed.objectID)],
      NSDeletedObjectsKey: [form(goneID)],
    ]
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: data, into: [b])
    #expect(here[1].value(forKey: "name") as? String == "new")
    #expect(here[0].isDeleted)
    #expect(try b.all("Author").count == 2)
    // The version is the new one, so nothing is in conflict.
    here[1].setValue("newest", forKey: "name")
    try b.save()
  }

  @Test(arguments: TestStore.all(that: .reopening))
  func aNotificationOfAnotherCoordinatorIsMergedToo(_ store: TestStore) throws {
    let url = try store.place()
    let a = TestModel.context(try store.coordinator(TestModel.library(), url: url))
    let b = TestModel.context(try store.coordinator(TestModel.library(), url: url))
    let author = a.make("Author", ["name": "old"])
    try a.save()
    let here = try #require(try b.all("Author").first)
    #expect(here.value(forKey: "name") as? String == "old")
    author.setValue("new", forKey: "name")
    try save(a, mergingInto: b)
    #expect(here.value(forKey: "name") as? String == "new")
  }

  /// IDs of a store that is not here mean nothing here.
  @Test(arguments: TestStore.all) func identifiersOfOtherStoresAreLeftOut(_ store: TestStore) throws {
    let (a, _) = try pair(store)
    let (_, b) = try pair(store)
    _ = a.make("Author")
    try save(a, mergingInto: b)
    #expect(b.registeredObjects.isEmpty)
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [NSUpdatedObjectsKey: [URL(fileURLWithPath: "/nothing")], "unknown": 1], into: [b])
    #expect(!b.hasChanges)
  }
}
