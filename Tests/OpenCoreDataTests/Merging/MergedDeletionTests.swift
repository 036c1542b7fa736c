import CoreData
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// Objects that others have deleted, where that was merged.
@Suite struct MergedDeletionTests {
  /// The row is gone, and no rollback brings it back.
  @Test(arguments: TestStore.all) func aRollbackDoesNotReviveThem(_ store: TestStore) throws {
    let coordinator = try store.coordinator(TestModel.library())
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

  /// The store tells children the same as a parent that has nothing but merged deletions pending: they do not wait for it.
  @Test(arguments: TestStore.all) func childrenDoNotAskAParentForThem(_ kind: TestStore) throws {
    let coordinator = try kind.coordinator(TestModel.library())
    let other = TestModel.context(coordinator), parent = TestModel.context(coordinator)
    let child = Tree.child(of: parent)
    let names = { try child.inside { try $0.all("Author", sortedBy: "name").map { $0.text("name") } } }
    try other.inside { other in
      let gone = other.make("Author", ["name": "gone"])
      _ = other.make("Author", ["name": "left"])
      try other.save()
      let here = try parent.inside { try $0.existingObject(with: gone.objectID) }
      #expect(try names() == ["gone", "left"])
      other.delete(gone)
      try other.save()
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: [gone.objectID]], into: [parent])
      parent.performAndWait { #expect(here.isDeleted && parent.hasChanges) }
    }
    let isBusy = DispatchSemaphore(value: 0), gate = DispatchSemaphore(value: 0), isOver = DispatchSemaphore(value: 0)
    let isInTime = Atomic<Bool>(false)
    parent.later {
      isBusy.signal()
      isInTime.store(gate.wait(timeout: Patience.limit) == .success, ordering: .releasing)
      isOver.signal()
    }
    isBusy.wait()
    #expect(try names() == ["left"])
    gate.signal()
    isOver.wait()
    let hasNotWaited = isInTime.load(ordering: .acquiring)
    #expect(hasNotWaited, "the child has waited for its parent")
    // What the parent changes itself is seen as ever.
    let new = try parent.inside { $0.make("Author", ["name": "new"]) }
    #expect(try names() == ["left", "new"])
    parent.performAndWait {
      parent.delete(new)
      parent.processPendingChanges()
    }
    #expect(try names() == ["left"] && !child.ancestors.haveChanges)
    try parent.inside { parent in
      _ = parent.make("Author", ["name": "saved"])
      try parent.save()
      #expect(!parent.hasChanges)
    }
    #expect(try names() == ["left", "saved"])
  }

  enum Way: CaseIterable { case merging, refreshing }

  /// The delete rules hold for members that others have added since, too: their rows must not refer to one that is gone.
  @Test(arguments: Way.allCases, [NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule])
  func aDeletionMadeHereReachesMembersOfOthers(_ way: Way, _ rule: NSDeleteRule) throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try TestModel.coordinator(Society.family(rule), url: url)
    let a = TestModel.context(coordinator), b = TestModel.context(coordinator)
    let parent = a.make("Parent", ["name": "parent"])
    _ = a.make("Child", ["name": "first", "parent": parent])
    try a.save()
    let here = try b.existingObject(with: parent.objectID)
    #expect(here.many("children").count == 1)
    b.delete(here)
    b.processPendingChanges()
    let second = a.make("Child", ["name": "second", "parent": parent])
    try a.save()
    switch way {
    case .merging:
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [
          NSInsertedObjectsKey: [second.objectID], NSUpdatedObjectsKey: [parent.objectID],
        ], into: [b])
    case .refreshing: b.refresh(here, mergeChanges: true)
    }
    try b.save()
    let children = try PlainDatabase(url).rows("SELECT ZNAME, ZPARENT FROM ZCHILD ORDER BY ZNAME")
    #expect(children.map(\.[0].text) == (rule == .cascadeDeleteRule ? [] : ["first", "second"]))
    #expect(children.allSatisfy { $0[1] == .null })
    #expect(try b.all("Parent").isEmpty)
  }

  /// A member that others have given another owner stays with that one: it has nothing to do with the deletion any more.
  @Test(arguments: Way.allCases) func aDeletionMadeHereLeavesWhatOthersHaveMoved(_ way: Way) throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try TestModel.coordinator(Society.family(.nullifyDeleteRule), url: url)
    let a = TestModel.context(coordinator), b = TestModel.context(coordinator)
    let former = a.make("Parent", ["name": "former"]), latter = a.make("Parent", ["name": "latter"])
    let moved = a.make("Child", ["name": "moved", "parent": former])
    let left = a.make("Child", ["name": "left", "parent": former])
    try a.save()
    let here = try b.existingObject(with: former.objectID)
    let children = try [moved, left].map { try b.existingObject(with: $0.objectID) }
    #expect(here.many("children").count == 2)
    b.delete(here)
    b.processPendingChanges()
    #expect(children.allSatisfy { $0.one("parent") == nil })
    moved.setValue(latter, forKey: "parent")
    left.setValue("renamed", forKey: "name")
    try a.save()
    switch way {
    case .merging:
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSUpdatedObjectsKey: [moved, left].map(\.objectID)], into: [b])
    case .refreshing: for child in children { b.refresh(child, mergeChanges: true) }
    }
    #expect(children.map { $0.one("parent")?.objectID } == [latter.objectID, nil])
    b.refresh(here, mergeChanges: true)
    try b.save()
    let rows = try PlainDatabase(url).rows(
      "SELECT c.ZNAME, p.ZNAME FROM ZCHILD c LEFT JOIN ZPARENT p ON p.Z_PK = c.ZPARENT ORDER BY c.ZNAME")
    #expect(rows.map(\.[0].text) == ["moved", "renamed"])
    #expect(rows.map { $0[1].text } == ["latter", nil])
  }
}
