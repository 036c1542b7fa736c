import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// How a pinned context reads: in as few statements as any other, though the row cache has moved on.
@Suite struct QueryGenerationReadingTests {
  private static let count = 600

  /// Authors with a book each; everything changes once the reader is pinned.
  private func pinnedReader(_ store: TestStore) throws -> (
    coordinator: NSPersistentStoreCoordinator, reader: NSManagedObjectContext
  ) {
    let coordinator = try store.coordinator(TestModel.library(), url: try store.place())
    let writer = TestModel.context(coordinator), reader = TestModel.context(coordinator)
    try writer.performAndWait { () throws in
      for number in 0..<Self.count {
        let author = writer.make("Author", ["name": "A\(number)", "age": 1])
        _ = writer.make("Book", ["title": "B\(number)", "author": author])
      }
      try writer.save()
    }
    try reader.performAndWait { () throws in
      try reader.setQueryGenerationFrom(.current)
      #expect(try reader.count(for: NSFetchRequest<NSManagedObject>(entityName: "Author")) == Self.count)
    }
    try writer.performAndWait { () throws in
      for author in try writer.all("Author") { author.setValue(2, forKey: "age") }
      let last = writer.make("Author", ["name": "last", "age": 2])
      for book in try writer.all("Book") { book.setValue(last, forKey: "author") }
      try writer.save()
    }
    return (coordinator, reader)
  }

  private func selects(_ body: () throws -> Void) rethrows -> Int {
    try StatementLog.collect(thisThread: true, body).statements.filter { $0.hasPrefix("SELECT") }.count
  }

  private func request(_ entity: String, isWithRows: Bool) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.includesPropertyValues = isWithRows
    return request
  }

  @Test(arguments: TestStore.all(that: .generations)) func whatAFetchHasReadIsAtHand(_ store: TestStore) throws {
    let (_, reader) = try pinnedReader(store)
    try reader.performAndWait { () throws in
      let count = try selects {
        for author in try reader.fetch(request("Author", isWithRows: true)) { #expect(author.number("age") == 1) }
      }
      #expect(count == 1)
    }
  }

  @Test(arguments: TestStore.all(that: .generations)) func faultsFireInCompany(_ store: TestStore) throws {
    let (_, reader) = try pinnedReader(store)
    try reader.performAndWait { () throws in
      let count = try selects {
        for author in try reader.fetch(request("Author", isWithRows: false)) { #expect(author.number("age") == 1) }
      }
      #expect(count == 1 + 3)
      reader.refreshAllObjects()
      // What was read is kept with the generation.
      let again = try selects {
        for author in try reader.fetch(request("Author", isWithRows: false)) { #expect(author.number("age") == 1) }
      }
      #expect(again == 1)
    }
  }

  /// The cache's books lead to another author by now.
  @Test func membersOfToOneRelationshipsFireInCompany() throws {
    let (_, reader) = try pinnedReader(.sqlite)
    try reader.performAndWait { () throws in
      let count = try selects {
        for book in try reader.fetch(request("Book", isWithRows: true)) {
          #expect(book.one("author")?.text("name") == book.text("title")?.replacingOccurrences(of: "B", with: "A"))
          #expect(book.one("author")?.number("age") == 1)
        }
      }
      #expect(count <= 1 + 4, "\(count) statements")
    }
  }

  @Test(arguments: TestStore.all(that: .generations)) func whatIsPrefetchedIsAtHand(_ store: TestStore) throws {
    let (_, reader) = try pinnedReader(store)
    try reader.performAndWait { () throws in
      let fetch = request("Author", isWithRows: true)
      fetch.relationshipKeyPathsForPrefetching = ["books"]
      let authors = try reader.fetch(fetch)
      let count = selects {
        for author in authors {
          #expect(author.many("books").map { $0.text("title") } == [author.text("name").map { "B" + $0.dropFirst() }])
        }
      }
      #expect(count == 0)
    }
  }

  /// Two contexts that share a generation share what it has read.
  @Test(arguments: TestStore.all(that: .generations)) func alignedContextsShareRows(_ store: TestStore) throws {
    let (coordinator, reader) = try pinnedReader(store)
    let second = TestModel.context(coordinator)
    let token = try reader.performAndWait { () throws in
      #expect(try reader.fetch(request("Author", isWithRows: true)).count == Self.count)
      return reader.queryGenerationToken
    }
    try second.performAndWait { () throws in
      try second.setQueryGenerationFrom(token)
      let authors = try second.fetch(request("Author", isWithRows: false))
      let count = selects { for author in authors { #expect(author.number("age") == 1) } }
      #expect(count == 0)
    }
  }

  /// A transaction that began while a save became visible: nobody knows which state it sees, but it sees one.
  @Test func aGenerationOfAnUnknownMomentReadsOneState() throws {
    let coordinator = try TestModel.coordinator(TestModel.library(), url: try TestModel.temporaryFile())
    let store = try #require(coordinator.sqlStores.first)
    let writer = TestModel.context(coordinator), reader = TestModel.context(coordinator)
    try writer.performAndWait { () throws in
      for number in 0..<Self.count { _ = writer.make("Author", ["name": "A\(number)", "age": 1]) }
      try writer.save()
    }
    try reader.performAndWait { () throws in
      try reader.setQueryGenerationFrom(.current)
      // Between COMMIT and the publication of its rows.
      try store.writer.transaction({ try $0.execute("UPDATE ZAUTHOR SET ZAGE = 2, Z_OPT = 2") }) {
        let authors = try? reader.fetch(request("Author", isWithRows: false))
        #expect(authors?.count == Self.count)
        let count = selects { for author in authors ?? [] { #expect(author.number("age") == 2) } }
        #expect(count == 3)
        store.forgetEverything()
      }
      #expect(reader.reads.transaction(on: store).pinnedCommit == 0)
      try writer.performAndWait { () throws in
        for author in try writer.all("Author") { author.setValue(3, forKey: "age") }
        try writer.save()
      }
      reader.refreshAllObjects()
      #expect(try reader.all("Author").allSatisfy { $0.number("age") == 2 })
    }
  }

  /// Rows that were read at an unknown moment are nobody else's.
  @Test func rowsOfAnUnknownMomentAreNotShared() throws {
    let url = try TestModel.temporaryFile()
    let model = TestModel.library()
    let first = TestModel.context(try TestModel.coordinator(model, url: url))
    try first.performAndWait { () throws in
      _ = first.make("Author", ["name": "A", "age": 1])
      try first.save()
    }
    // A coordinator that has not seen a save of its own yet.
    let coordinator = try TestModel.coordinator(model, url: url)
    let store = try #require(coordinator.sqlStores.first)
    let old = TestModel.context(coordinator), new = TestModel.context(coordinator)
    try old.performAndWait { () throws in
      try old.setQueryGenerationFrom(.current)
      let author = try #require(try old.fetch(request("Author", isWithRows: false)).first)
      try store.writer.transaction({ try $0.execute("UPDATE ZAUTHOR SET ZAGE = 2, Z_OPT = 2") }) {
        #expect(try! new.performAndWait { try new.all("Author").map { $0.number("age") } } == [2])
      }
      #expect(author.number("age") == 1)
    }
  }
}
