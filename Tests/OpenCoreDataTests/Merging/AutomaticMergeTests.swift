import CoreData
import Synchronization
import Testing

@testable import OpenCoreData

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

  @Test func savesOfOtherContextsArriveOnTheContextsQueue() throws {
    let coordinator = try TestModel.coordinator(TestModel.library())
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

  @Test func childrenMergeWhatTheirParentSaves() throws {
    let coordinator = try TestModel.coordinator(TestModel.library())
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

  @Test func ownSavesAreNotMerged() throws {
    let context = TestModel.context(try TestModel.coordinator(TestModel.library()))
    context.automaticallyMergesChangesFromParent = true
    let merges = RecordedNotifications(.NSManagedObjectContextDidMergeChangesObjectIDs, of: context)
    _ = try author(in: context)
    context.performAndWait {}
    #expect(merges.all.isEmpty)
  }

  /// While the reader's queue is busy, what is saved meanwhile waits, and comes as one merge.
  @Test func savesThatComeFastAreMergedTogether() throws {
    let coordinator = try TestModel.coordinator(TestModel.library())
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
  @Test func contextsComeAndGo() throws {
    let first = try TestModel.coordinator(TestModel.library()), second = try TestModel.coordinator(TestModel.library())
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
}
