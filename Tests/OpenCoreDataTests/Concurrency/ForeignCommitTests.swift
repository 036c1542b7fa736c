import CoreData
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// Commits of other connections: another process, and another coordinator of this one.
@Suite(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) struct ForeignCommitTests {
  private func store(_ count: Int = 3) throws -> (url: URL, coordinator: NSPersistentStoreCoordinator) {
    let url = try TestModel.temporaryFile()
    let coordinator = try TestModel.coordinator(TestModel.library(), url: url)
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      for number in 0..<count { _ = context.make("Author", ["name": "A\(number)", "age": number]) }
      try context.save()
    }
    return (url, coordinator)
  }

  private func ages(_ context: NSManagedObjectContext) throws -> [Int] {
    try context.all("Author", sortedBy: "name").map { $0.value(forKey: "age") as? Int ?? -1 }
  }

  @Test func theNextFetchSeesThem() throws {
    let (url, coordinator) = try store()
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      #expect(try ages(context) == [0, 1, 2])
      // Without a new version of the row, too: other programs do not know of Z_OPT.
      try Shell.sql(url, "UPDATE ZAUTHOR SET ZAGE = ZAGE + 10")
      #expect(try context.all("Author").count == 3)
      context.refreshAllObjects()
      #expect(try ages(context) == [10, 11, 12])
      try Shell.sql(
        url, "INSERT INTO ZAUTHOR VALUES (4, 1, 1, 99, 'Z'); UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_ENT = 1")
      #expect(try ages(context) == [10, 11, 12, 99])
      try Shell.sql(url, "DELETE FROM ZAUTHOR WHERE Z_PK = 1")
      #expect(try context.all("Author").count == 3)
      let new = context.make("Author", ["name": "new"])
      try context.save()
      #expect(new.objectID.uriRepresentation().lastPathComponent == "p5")
    }
  }

  /// A context that reads for the first time gets a connection of its own, which cannot know what it has not seen.
  @Test func aConnectionThatIsNewKnowsThatTheCacheIsOld() throws {
    let (url, coordinator) = try store()
    let first = TestModel.context(coordinator)
    let second = TestModel.context(coordinator)
    try first.performAndWait {
      #expect(try ages(first) == [0, 1, 2])
      try Shell.sql(url, "UPDATE ZAUTHOR SET ZAGE = ZAGE + 10")
      // `first` is in the middle of its block and keeps its connection.
      #expect(try second.performAndWait { try ages(second) } == [10, 11, 12])
    }
  }

  @Test func faultsThatFireAfterAFetchAreNew() throws {
    let (url, coordinator) = try store()
    let context = TestModel.context(coordinator)
    let ids = try context.performAndWait { try context.all("Author", sortedBy: "name").map(\.objectID) }
    try Shell.sql(url, "UPDATE ZAUTHOR SET ZAGE = 50")
    let second = TestModel.context(coordinator)
    try second.performAndWait {
      let tags = try second.all("Tag").count
      #expect(tags == 0)
      #expect(second.object(with: ids[0]).value(forKey: "age") as? Int == 50)
    }
  }

  /// Refreshing is how a program asks for what others have written; the faults that fire then are answered by the row cache.
  @Test(arguments: [false, true]) func refreshedObjectsAreNew(_ isChild: Bool) throws {
    let (url, coordinator) = try store()
    let top = TestModel.context(coordinator)
    let context = isChild ? NSManagedObjectContext(.privateQueue) : top
    if isChild { context.parent = top }
    let author = try context.performAndWait { () throws in
      let author = try #require(try context.all("Author", sortedBy: "name").first)
      #expect(author.value(forKey: "age") as? Int == 0)
      return author
    }
    func age() -> Int? { author.value(forKey: "age") as? Int }
    try Shell.sql(url, "UPDATE ZAUTHOR SET ZAGE = 50")
    context.performAndWait {
      context.refreshAllObjects()
      #expect(age() == 50)
    }
    // In one block as well, for all objects.
    try context.performAndWait {
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag")) == 0)
      try Shell.sql(url, "UPDATE ZAUTHOR SET ZAGE = 80")
      context.refreshAllObjects()
      #expect(age() == 80)
    }
  }

  /// A controller follows changes once it has a delegate.
  private final class Follower: NSFetchedResultsControllerDelegate {}

  /// A list that looks for the places of what another coordinator has inserted reads the rows together.
  @Test func insertedObjectsThatAreMergedLoadTogether() throws {
    let (url, coordinator) = try store()
    let context = TestModel.context(coordinator)
    let other = TestModel.context(try TestModel.coordinator(TestModel.library(), url: url))
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
      let follower = Follower()
      controller.delegate = follower
      try controller.performFetch()
      let uris = try other.performAndWait { () throws in
        let authors = (0..<600).map { other.make("Author", ["name": "B\($0)", "age": $0]) }
        let tags = (0..<5).map { other.make("Tag", ["name": "T\($0)"]) }
        try other.save()
        return (authors + tags).map { $0.objectID.uriRepresentation() }
      }
      var names: Set<String?> = []
      let statements = StatementLog.collect(thisThread: true) {
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSInsertedObjectsKey: uris], into: [context])
        for uri in uris.suffix(5) {
          let tag = coordinator.managedObjectID(forURIRepresentation: uri).map { context.object(with: $0) }
          names.insert(tag?.value(forKey: "name") as? String)
        }
      }.statements
      #expect(controller.fetchedObjects?.count == 603 && names == Set((0..<5).map { "T\($0)" }))
      // 256 at a time, and each of the five tags, whose rows nobody has looked for.
      let selects = statements.filter { $0.hasPrefix("SELECT") }
      #expect((2...12).contains(selects.count), "\(selects.count) statements: \(selects.prefix(10))")
      // A controller does not keep its delegate.
      withExtendedLifetime(follower) {}
    }
  }

  @Test func aSaveNoticesAndConflicts() throws {
    let (url, coordinator) = try store()
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      let author = try #require(try context.all("Author", sortedBy: "name").first)
      author.setValue("mine", forKey: "name")
      try Shell.sql(url, "UPDATE ZAUTHOR SET ZNAME = 'theirs', Z_OPT = Z_OPT + 1 WHERE Z_PK = \(author.key)")
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectMergeError)
      #expect(author.value(forKey: "name") as? String == "mine")
      context.refresh(author, mergeChanges: true)
      try context.save()
      let keep = try Shell.sql(url, "SELECT ZNAME, Z_OPT FROM ZAUTHOR WHERE Z_PK = \(author.key)")
      #expect(keep == ["mine|3"])
    }
  }

  /// The member that a delete rule leads to was deleted by somebody else, and has left the context when that was noticed.
  @Test func deletionReachesAnObjectThatIsGone() throws {
    let url = try TestModel.temporaryFile()
    let model = Society.family(.nullifyDeleteRule, childRule: .cascadeDeleteRule)
    let context = TestModel.context(try TestModel.coordinator(model, url: url))
    try context.performAndWait {
      let parent = context.make("Parent", ["name": "P"])
      let children = ["A", "B"].map { context.make("Child", ["name": $0, "parent": parent]) }
      try context.save()
      context.refreshAllObjects()
      #expect(children.allSatisfy { $0.one("parent") === parent })
      try Shell.sql(url, "DELETE FROM ZPARENT")
      #expect(try context.all("Parent").isEmpty)
      context.refresh(parent, mergeChanges: false)
      #expect(parent.text("name") == nil)
      context.delete(children[0])
      try context.save()
      context.delete(children[1])
      try context.save()
      #expect(try context.all("Child").isEmpty)
    }
  }

  @Test func relationshipsAreReadAgain() throws {
    let (url, coordinator) = try store()
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      let author = try #require(try context.all("Author", sortedBy: "name").first)
      #expect((author.value(forKey: "books") as? NSSet)?.count == 0)
      try Shell.sql(
        url,
        "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZAUTHOR) VALUES (1, 2, 1, 'B', \(author.key)); "
          + "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 2")
      #expect(try context.all("Book").count == 1)
      context.refresh(author, mergeChanges: true)
      #expect((author.value(forKey: "books") as? NSSet)?.count == 1)
    }
  }

  /// Another coordinator of the same process is as foreign as another process.
  @Test func twoCoordinatorsOnOneFile() throws {
    let (url, coordinator) = try store()
    let other = try TestModel.coordinator(TestModel.library(), url: url)
    let reader = TestModel.context(coordinator), writer = TestModel.context(other)
    for round in 1...5 * Soak.factor {
      try writer.performAndWait {
        for author in try writer.all("Author") { author.setValue(round * 10, forKey: "age") }
        try writer.save()
      }
      try reader.performAndWait {
        reader.refreshAllObjects()
        #expect(try ages(reader) == [round * 10, round * 10, round * 10])
        let tag = reader.make("Tag", ["name": "own \(round)"])
        try reader.save()
        #expect(!tag.hasChanges)
      }
    }
  }

  /// A reader that does nothing for a while does not hold the log: another process can empty it.
  @Test func idleLeasesLetTheLogBeEmptied() throws {
    let (url, coordinator) = try store()
    let container = TestModel.context(coordinator)
    let isRead = DispatchSemaphore(value: 0), mayEnd = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      container.performAndWait {
        _ = try? container.all("Author")
        isRead.signal()
        mayEnd.wait()
        #expect((try? container.all("Author").count) == 3)
      }
      isRead.signal()
    }
    isRead.wait()
    try Shell.sql(url, "UPDATE ZAUTHOR SET ZAGE = 1")
    let other = try OtherProcess(url)
    let isEmptied = try Soak.wait { try other.run("PRAGMA wal_checkpoint(TRUNCATE);") == ["0|0|0"] }
    #expect(isEmptied, "the log is still in use")
    mayEnd.signal()
    isRead.wait()
  }

  /// Who is told that nothing is new must find the cache as it is then: what was cached before is forgotten under the lock.
  @Test func whoAsksNextFindsTheCacheEmptied() throws {
    let (url, coordinator) = try store()
    let store = try #require(coordinator.persistentStores.first as? SQLiteStore)
    #expect(store.writer.seesForeignCommit() != nil)
    try Shell.sql(url, "UPDATE ZAUTHOR SET ZAGE = ZAGE + 10")
    let isForgotten = Atomic(false)
    store.writer.othersHaveCommitted = { [unowned store] in
      nonisolated(unsafe) var answer: Bool? = false
      let writer = store.writer, isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        answer = writer.seesForeignCommit()
        isDone.signal()
      }
      isDone.wait()
      #expect(answer == nil, "asked in between")
      isForgotten.store(true, ordering: .releasing)
    }
    let isForeign = store.writer.seesForeignCommit(), wasForgotten = isForgotten.load(ordering: .acquiring)
    #expect(isForeign == true && wasForgotten)
    #expect(store.writer.seesForeignCommit() == false)
  }
}
