import CoreData
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// Contexts that are pinned to one state of the store while others save.
@Suite struct QueryGenerationTests {
  private struct Library {
    let coordinator: NSPersistentStoreCoordinator
    let reader: NSManagedObjectContext
    let writer: NSManagedObjectContext

    /// Two authors with two books each.
    init(_ store: TestStore, options: [AnyHashable: Any]? = nil) throws {
      coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
      try store.add(to: coordinator, url: try store.place(), options: options)
      reader = TestModel.context(coordinator)
      writer = TestModel.context(coordinator)
      try write { context in
        for name in ["A", "B"] {
          let author = context.make("Author", ["name": name, "age": 30])
          for number in 1...2 { _ = context.make("Book", ["title": "\(name)\(number)", "author": author, "pages": 1]) }
        }
      }
    }

    func write(_ body: (NSManagedObjectContext) throws -> Void) throws {
      try writer.performAndWait { () throws in
        try body(writer)
        try writer.save()
      }
    }

    func setAge(_ age: Int) throws {
      try write { for author in try $0.all("Author") { author.setValue(age, forKey: "age") } }
    }
  }

  private func ages(_ context: NSManagedObjectContext) throws -> [Int] {
    try context.all("Author", sortedBy: "name").map { $0.number("age") ?? -1 }
  }

  private func bookTitled(_ title: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
    try #require(try context.all("Book").first { $0.text("title") == title })
  }

  private func count(_ context: NSManagedObjectContext, _ entity: String) throws -> Int {
    try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
  }

  @Test(arguments: TestStore.all) func aContextIsUnpinnedUnlessItIsAskedTo(_ store: TestStore) throws {
    let library = try Library(store)
    try library.reader.performAndWait { () throws in
      #expect(library.reader.queryGenerationToken == nil)
      #expect(try count(library.reader, "Author") == 2)
      try library.write { _ = $0.make("Author") }
      #expect(try count(library.reader, "Author") == 3)
    }
  }

  @Test(arguments: TestStore.all(that: .generations))
  func fetchesCountsAndPredicatesAreOfOneState(_ store: TestStore) throws {
    let library = try Library(store), reader = library.reader
    try reader.performAndWait { try reader.setQueryGenerationFrom(.current) }
    try reader.performAndWait { () throws in #expect(try ages(reader) == [30, 30]) }
    try library.setAge(40)
    try library.write { context in
      context.delete(try context.named("B", "Author"))
      _ = context.make("Author", ["name": "C", "age": 40])
    }
    // In blocks of their own, so that nothing but the generation keeps the state.
    for _ in 0..<2 {
      try reader.performAndWait { () throws in
        reader.refreshAllObjects()
        #expect(try reader.all("Author", sortedBy: "name").map { $0.text("name") } == ["A", "B"])
        #expect(try ages(reader) == [30, 30])
        #expect(try count(reader, "Author") == 2)
        let young = NSFetchRequest<NSManagedObject>(entityName: "Author")
        young.predicate = NSPredicate(format: "age = 30 AND books.@count = 2")
        #expect(try reader.fetch(young).count == 2)
        young.returnsObjectsAsFaults = false
        #expect(try reader.fetch(young).allSatisfy { $0.number("age") == 30 })
      }
    }
    let unpinned = TestModel.context(library.coordinator)
    try unpinned.performAndWait { () throws in #expect(try ages(unpinned) == [40, 40]) }
  }

  /// The row cache has the newer rows, or none, since they are gone.
  @Test func faultsAndRelationshipsThatFireAfterASaveAreOfTheOldState() throws {
    let library = try Library(.sqlite), reader = library.reader
    let (author, book) = try reader.performAndWait { () throws in
      try reader.setQueryGenerationFrom(.current)
      return (try reader.named("A", "Author"), try bookTitled("B1", reader))
    }
    reader.performAndWait { reader.refreshAllObjects() }
    let id = try library.writer.performAndWait { try bookTitled("A2", library.writer).objectID }
    try library.write { context in
      let other = try context.named("B", "Author")
      try bookTitled("A1", context).setValue(other, forKey: "author")
      try context.named("A", "Author").setValue("new", forKey: "name")
      context.delete(try bookTitled("B1", context))
      context.delete(try context.existingObject(with: id))
    }
    try reader.performAndWait { () throws in
      #expect(author.isFault && book.isFault)
      #expect(author.text("name") == "A")
      #expect(Set(author.many("books").map { $0.text("title") }) == ["A1", "A2"])
      #expect(book.text("title") == "B1" && !book.isDeleted)
      #expect(book.one("author")?.text("name") == "B")
      #expect(try reader.existingObject(with: id).text("title") == "A2")
      reader.refresh(book, mergeChanges: false)
      #expect(book.text("title") == "B1")
    }
  }

  @Test(arguments: TestStore.all(that: .generations)) func currentPinsAtTheNextRead(_ store: TestStore) throws {
    let library = try Library(store), reader = library.reader
    try reader.performAndWait { () throws in
      try reader.setQueryGenerationFrom(.current)
      #expect(reader.queryGenerationToken == .current)
      try library.setAge(50)
      #expect(try ages(reader) == [50, 50])
      let token = try #require(reader.queryGenerationToken)
      #expect(token != .current)
      try library.setAge(60)
      reader.refreshAllObjects()
      #expect(try ages(reader) == [50, 50])
      #expect(reader.queryGenerationToken == token)
    }
  }

  /// What fires first finds its row in the cache; it pins all the same.
  @Test(arguments: TestStore.all(that: .generations)) func aFaultThatTheCacheAnswersPins(_ store: TestStore) throws {
    let library = try Library(store), reader = library.reader
    try reader.performAndWait { () throws in
      let authors = try reader.all("Author", sortedBy: "name")
      reader.refreshAllObjects()
      try reader.setQueryGenerationFrom(.current)
      #expect(authors[0].number("age") == 30)
      try library.setAge(50)
      #expect(authors[1].number("age") == 30)
      #expect(try count(reader, "Author") == 2)
    }
  }

  @Test(arguments: TestStore.all(that: .generations)) func anotherContextsTokenAligns(_ store: TestStore) throws {
    let library = try Library(store), reader = library.reader, second = TestModel.context(library.coordinator)
    let token = try reader.performAndWait { () throws in
      try reader.setQueryGenerationFrom(.current)
      #expect(try ages(reader) == [30, 30])
      return try #require(reader.queryGenerationToken)
    }
    try library.setAge(40)
    try second.performAndWait { () throws in
      let authors = try second.all("Author")
      #expect(try ages(second) == [40, 40])
      try second.setQueryGenerationFrom(token)
      // Objects that are registered keep what they have read, until they are refreshed.
      #expect(try ages(second) == [40, 40] && authors.count == 2)
      second.refreshAllObjects()
      #expect(try ages(second) == [30, 30])
      #expect(second.queryGenerationToken == token)
      try second.setQueryGenerationFrom(nil)
      #expect(second.queryGenerationToken == nil)
      second.refreshAllObjects()
      #expect(try ages(second) == [40, 40])
    }
    try reader.performAndWait { () throws in
      reader.refreshAllObjects()
      #expect(try ages(reader) == [30, 30])
    }
  }

  @Test(arguments: TestStore.all(that: .generations)) func aSaveAdvancesToTheLatestState(_ store: TestStore) throws {
    let library = try Library(store), reader = library.reader
    try reader.performAndWait { () throws in
      try reader.setQueryGenerationFrom(.current)
      let authors = try reader.all("Author")
      #expect(try ages(reader) == [30, 30] && authors.count == 2)
      let token = reader.queryGenerationToken
      try library.setAge(40)
      _ = reader.make("Tag", ["name": "mine"])
      try reader.save()
      let next = try #require(reader.queryGenerationToken)
      #expect(next != token && next != .current)
      #expect(try count(reader, "Tag") == 1)
      #expect(authors.map { $0.number("age") } == [30, 30], "registered objects are not refreshed")
      reader.refreshAllObjects()
      #expect(try ages(reader) == [40, 40])
      // It is pinned again.
      try library.setAge(50)
      reader.refreshAllObjects()
      #expect(try ages(reader) == [40, 40])
      #expect(reader.queryGenerationToken == next)
    }
  }

  @Test(arguments: TestStore.all(that: .generations))
  func theNotificationOfASaveHasTheTokenOfAPinnedContext(_ store: TestStore) throws {
    let library = try Library(store), reader = library.reader
    let told = Mutex<[NSQueryGenerationToken?]>([])
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: reader, queue: nil
    ) { notification in
      let token = notification.userInfo?[NSManagedObjectContextQueryGenerationKey] as? NSQueryGenerationToken
      told.withLock { $0.append(token) }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    try reader.performAndWait { () throws in
      _ = reader.make("Tag")
      try reader.save()
      try reader.setQueryGenerationFrom(.current)
      _ = try ages(reader)
      _ = reader.make("Tag")
      try reader.save()
      let tokens = told.withLock { $0 }
      #expect(tokens.count == 2 && tokens[0] == nil)
      #expect(tokens[1] != nil && tokens[1] != .current && tokens[1] == reader.queryGenerationToken)
    }
  }

  /// The new state is that of the save, though nothing has been read of it yet.
  @Test(arguments: TestStore.all(that: .generations)) func theTokenAfterASaveIsOfItsState(_ store: TestStore) throws {
    let library = try Library(store), reader = library.reader, second = TestModel.context(library.coordinator)
    let token = try reader.performAndWait { () throws in
      try reader.setQueryGenerationFrom(.current)
      _ = try ages(reader)
      _ = reader.make("Tag", ["name": "mine"])
      try reader.save()
      return try #require(reader.queryGenerationToken)
    }
    try library.write { _ = $0.make("Tag", ["name": "later"]) }
    try second.performAndWait { () throws in
      try second.setQueryGenerationFrom(token)
      #expect(try second.all("Tag").map { $0.text("name") } == ["mine"])
    }
  }

  @Test(arguments: TestStore.all(that: .generations)) func aSaveThatFailsKeepsTheGeneration(_ store: TestStore) throws {
    let library = try Library(store), reader = library.reader
    try reader.performAndWait { () throws in
      try reader.setQueryGenerationFrom(.current)
      let author = try reader.named("A", "Author")
      #expect(author.number("age") == 30)
      let token = reader.queryGenerationToken
      try library.setAge(40)
      author.setValue("mine", forKey: "name")
      let error = #expect(throws: NSError.self) { try reader.save() }
      #expect(error?.code == NSManagedObjectMergeError)
      #expect(reader.queryGenerationToken == token)
      reader.rollback()
      reader.refreshAllObjects()
      #expect(author.number("age") == 30)
    }
  }

  /// What is changed on top of an old state conflicts, until the context has moved on and refreshed it.
  @Test(arguments: [true, false], TestStore.all(that: .generations))
  func changesOnTopOfAnOldStateConflict(isRead: Bool, _ store: TestStore) throws {
    let library = try Library(store), reader = library.reader
    try reader.performAndWait { () throws in
      try reader.setQueryGenerationFrom(.current)
      let author = try reader.named("A", "Author")
      reader.refreshAllObjects()
      try library.setAge(40)
      library.coordinator.emptyRowCache()
      if isRead { #expect(author.number("age") == 30) }
      _ = reader.make("Book", ["title": "new", "author": author])
      for _ in 0..<2 {
        let error = #expect(throws: NSError.self) { try reader.save() }
        #expect(error?.code == NSManagedObjectMergeError)
        reader.refresh(author, mergeChanges: true)
        #expect(author.number("age") == 30)
      }
      try reader.setQueryGenerationFrom(.current)
      reader.refresh(author, mergeChanges: true)
      try reader.save()
      #expect(author.number("age") == 40)
      #expect(author.many("books").count == 3)
    }
  }

  @Test(arguments: TestStore.all(that: .generations)) func resetAdvances(_ store: TestStore) throws {
    let library = try Library(store), reader = library.reader
    try reader.performAndWait { () throws in
      try reader.setQueryGenerationFrom(.current)
      #expect(try ages(reader) == [30, 30])
      try library.setAge(40)
      reader.reset()
      #expect(try ages(reader) == [40, 40])
      try library.setAge(50)
      reader.refreshAllObjects()
      #expect(try ages(reader) == [40, 40], "it is pinned again")
    }
  }

  @Test(arguments: TestStore.all(that: .generations)) func settingItAgainAdvances(_ store: TestStore) throws {
    let library = try Library(store), reader = library.reader
    try reader.performAndWait { () throws in
      for age in [40, 50] {
        try reader.setQueryGenerationFrom(.current)
        reader.refreshAllObjects()
        _ = try ages(reader)
        try library.setAge(age)
        reader.refreshAllObjects()
        #expect(try ages(reader) == [age - 10, age - 10])
      }
    }
  }

  @Test(arguments: TestStore.all(that: .batchUpdates, .generations))
  func aBatchUpdateDoesNotAdvance(_ store: TestStore) throws {
    let library = try Library(store), reader = library.reader
    try reader.performAndWait { () throws in
      try reader.setQueryGenerationFrom(.current)
      #expect(try ages(reader) == [30, 30])
      let update = NSBatchUpdateRequest(entityName: "Author")
      update.propertiesToUpdate = ["age": 99]
      _ = try reader.execute(update)
      reader.refreshAllObjects()
      #expect(try ages(reader) == [30, 30])
    }
  }

  @Test(arguments: TestStore.all(that: .generations))
  func pendingChangesLieOverThePinnedState(_ store: TestStore) throws {
    let library = try Library(store), reader = library.reader
    try reader.performAndWait { () throws in
      try reader.setQueryGenerationFrom(.current)
      let author = try reader.named("A", "Author")
      author.setValue(31, forKey: "age")
      _ = reader.make("Author", ["name": "Z", "age": 1])
      try library.setAge(40)
      #expect(try ages(reader) == [31, 30, 1])
      #expect(try count(reader, "Author") == 3)
    }
  }

  // MARK: Several stores, and such as have no generations

  @Test func storesWithoutALogStayUnpinnedSilently() throws {
    let library = try Library(.sqlite, options: [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]),
      reader = library.reader
    try reader.performAndWait { () throws in
      try reader.setQueryGenerationFrom(.current)
      #expect(reader.queryGenerationToken == nil)
      #expect(try ages(reader) == [30, 30])
    }
    try library.setAge(40)
    try reader.performAndWait { () throws in
      reader.refreshAllObjects()
      #expect(try ages(reader) == [40, 40])
      #expect(reader.queryGenerationToken == nil)
    }
  }

  @Test func storesInMemoryStayUnpinnedBesidePinnedOnes() throws {
    let library = try Library(.sqlite), reader = library.reader
    let memory = try library.coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    func add(_ name: String) throws {
      try library.write { context in
        let tag = context.make("Tag", ["name": name])
        context.assign(tag, to: memory)
        _ = context.make("Tag", ["name": name])
      }
    }
    try add("first")
    try reader.performAndWait { () throws in
      try reader.setQueryGenerationFrom(.current)
      #expect(try reader.all("Tag").count == 2)
    }
    try add("second")
    try reader.performAndWait { () throws in #expect(try reader.all("Tag").count == 3) }
    try reader.performAndWait { () throws in
      let one = NSFetchRequest<NSManagedObject>(entityName: "Tag")
      one.affectedStores = [memory]
      #expect(try reader.fetch(one).count == 2)
    }
  }

  @Test(arguments: TestStore.all(that: .generations))
  func aStoreThatIsAddedLaterIsLeftOutUntilTheContextMovesOn(_ store: TestStore) throws {
    let library = try Library(store), reader = library.reader
    try reader.performAndWait { () throws in
      try reader.setQueryGenerationFrom(.current)
      #expect(try count(reader, "Author") == 2)
      let second = try store.add(to: library.coordinator, url: try store.place())
      try library.write { context in context.assign(context.make("Author", ["name": "far"]), to: second) }
      #expect(try count(reader, "Author") == 2)
      #expect(try reader.all("Author").count == 2)
      try reader.setQueryGenerationFrom(.current)
      #expect(try count(reader, "Author") == 3)
    }
  }

  @Test func historyIsReadAsItIsNow() throws {
    let url = try TestModel.temporaryFile()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: [NSPersistentHistoryTrackingKey: true])
    let reader = TestModel.context(coordinator), writer = TestModel.context(coordinator)
    try reader.performAndWait { () throws in
      try reader.setQueryGenerationFrom(.current)
      #expect(try reader.all("Tag").isEmpty)
      let token = coordinator.currentPersistentHistoryToken(fromStores: nil)
      try writer.performAndWait { () throws in
        _ = writer.make("Tag")
        try writer.save()
      }
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
      let result = try reader.execute(request) as? NSPersistentHistoryResult
      #expect((result?.result as? [NSPersistentHistoryTransaction])?.count == 1)
      #expect(try reader.all("Tag").isEmpty)
    }
  }
}
