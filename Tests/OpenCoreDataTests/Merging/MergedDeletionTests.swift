import CoreData
import Testing

@testable import OpenCoreData

/// Objects that others have deleted, where that was merged.
@Suite struct MergedDeletionTests {
  /// The row is gone, and no rollback brings it back.
  @Test func aRollbackDoesNotReviveThem() throws {
    let coordinator = try TestModel.coordinator(TestModel.library())
    let a = TestModel.context(coordinator), b = TestModel.context(coordinator)
    let author = a.make("Author", ["name": "gone"])
    try a.save()
    let id = author.objectID
    let here = try b.existingObject(with: id)
    #expect(here.value(forKey: "name") as? String == "gone")
    here.setValue("changed", forKey: "name")
    a.delete(author)
    try a.save()
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: [id]], into: [b])
    #expect(here.isDeleted)
    b.rollback()
    #expect(here.value(forKey: "name") == nil)
    #expect(here.isDeleted)
    #expect(throws: NSError.self) { try b.existingObject(with: id) }
    try b.save()
    #expect(try b.all("Author").isEmpty)
  }
}
