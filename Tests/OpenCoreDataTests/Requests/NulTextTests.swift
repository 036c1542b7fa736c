import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Text with a NUL in it is text like any other.
@Suite struct NulTextTests {
  private static let titles = ["a", "a\0", "a\0b", "a\0c", "\0", "\0\0x", "b"]

  private func context(_ store: TestStore) throws -> NSManagedObjectContext {
    let context = TestModel.context(try store.coordinator(TestModel.library()))
    try context.performAndWait {
      for (pages, title) in Self.titles.enumerated() { _ = context.make("Book", ["title": title, "pages": pages]) }
      try context.save()
      context.reset()
      context.persistentStoreCoordinator?.emptyRowCache()
    }
    return context
  }

  @Test(arguments: TestStore.holdingNUL) func objectsHaveTheWholeText(_ store: TestStore) throws {
    let context = try context(store)
    try context.performAndWait {
      let books = try context.all("Book", sortedBy: "pages")
      #expect(books.map { $0.text("title") } == Self.titles)
      #expect(try context.all("Book", sortedBy: "title").map { $0.text("title") } == Self.titles.sorted())
    }
  }

  @Test(arguments: TestStore.holdingNUL) func dictionariesGroupsAndAggregates(_ store: TestStore) throws {
    let context = try context(store)
    try context.performAndWait {
      let plain = DictionaryFetchTests.request(["title"], sortedBy: "pages")
      #expect(try context.fetch(plain).map { $0["title"] as? String } == Self.titles)
      plain.returnsDistinctResults = true
      #expect(try context.fetch(plain).count == Self.titles.count)
      let groups = DictionaryFetchTests.request(
        ["title", DictionaryFetchTests.computed("n", "count:(pages)", .integer32AttributeType)])
      groups.propertiesToGroupBy = ["title"]
      let found = try context.fetch(groups)
      #expect(found.map { $0["title"] as? String } == Self.titles.sorted() && found.allSatisfy { $0["n"] as? Int == 1 })
      let highest = DictionaryFetchTests.request([DictionaryFetchTests.computed("max", "max:(title)")], sortedBy: nil)
      highest.predicate = NSPredicate(format: "pages < 4")
      #expect(try context.fetch(highest).first?["max"] as? String == "a\0c")
      let upper = DictionaryFetchTests.request(
        [DictionaryFetchTests.computed("upper", "uppercase:(title)", .stringAttributeType)], sortedBy: "pages")
      #expect(try context.fetch(upper).map { $0["upper"] as? String } == Self.titles.map { $0.uppercased() })
    }
  }

  @Test(
    arguments: [
      "title == %@", "title != %@", "title BEGINSWITH %@", "title ENDSWITH %@", "title CONTAINS %@", "title LIKE %@",
      "title CONTAINS[cd] %@", "title ==[c] %@", "title IN {%@, 'b'}", "title < %@", "title >= %@", "title MATCHES %@",
      "length:(title) > length:(%@)",
    ], TestStore.holdingNUL)
  func predicates(_ format: String, _ store: TestStore) throws {
    let context = try context(store)
    try context.performAndWait {
      let all = try context.all("Book")
      for text in ["a\0b", "a\0", "\0", "a", "x"] {
        let predicate = NSPredicate(format: format, text)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = predicate
        let expected = all.filter { predicate.evaluate(with: $0) }
        #expect(Set(try context.fetch(request)) == Set(expected), "\(predicate)")
        #expect(try context.count(for: request) == expected.count)
      }
    }
  }

  @Test(arguments: TestStore.holdingNUL) func sectionsAndHistory(_ store: TestStore) throws {
    let context = try context(store)
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "title", cacheName: nil)
      try controller.performFetch()
      #expect(controller.sections?.map(\.name) == Self.titles.sorted())
    }
  }

  /// Names that the framework keeps itself are read as they were written.
  @Test func theAuthorOfATransaction() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
    let url = try TestModel.temporaryFile()
    defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url,
      options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      context.transactionAuthor = "a\0b"
      _ = context.make("Tag")
      try context.save()
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
      let result = try #require(try context.execute(request) as? NSPersistentHistoryResult)
      let transactions = try #require(result.result as? [NSPersistentHistoryTransaction])
      #expect(transactions.map(\.author) == ["a\0b"])
    }
  }
}
