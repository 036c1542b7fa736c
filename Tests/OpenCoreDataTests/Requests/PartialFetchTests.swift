import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Objects of which a request asks for some properties, and dictionaries with a batch size.
@Suite struct PartialFetchTests {
  @Test(
    arguments: [(asFaults: true, batchSize: 0), (true, 2), (false, 0), (false, 2)], TestStore.all)
  func objectsHaveAllTheirValuesWhateverIsAskedFor(
    _ way: (asFaults: Bool, batchSize: Int), _ store: TestStore
  ) throws {
    let (asFaults, batchSize) = way
    let context = try DictionaryFetchTests.context(store)
    try context.performAndWait {
      context.reset()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      request.propertiesToFetch = ["title"]
      request.returnsObjectsAsFaults = asFaults
      request.fetchBatchSize = batchSize
      let books = try context.fetch(request)
      #expect(books.map { $0.text("title") } == ["Four", "One", "Three", "Two"])
      // What was not asked for is there, too, and can be changed and saved.
      #expect(books.map { $0.number("pages") } == [10, 100, 50, 300])
      #expect(books[1].value(forKeyPath: "author.name") as? String == "Ann")
      books[0].setValue(11, forKey: "pages")
      try context.save()
      context.reset()
      let saved = try context.fetch(request)[0]
      #expect(saved.number("pages") == 11 && saved.text("title") == "Four" && saved.value(forKey: "cover") != nil)
    }
  }

  @Test func whatWasNotAskedForIsNotReadRowByRow() throws {
    let context = try DictionaryFetchTests.context(.sqlite)
    try context.performAndWait {
      context.reset()
      for store in context.persistentStoreCoordinator?.sqlStores ?? [] { store.rows.removeAll() }
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.propertiesToFetch = ["title"]
      let statements = try StatementLog.collect(thisThread: true) {
        for book in try context.fetch(request) { _ = (book.value(forKey: "title"), book.value(forKey: "pages")) }
      }.statements.filter { $0.contains("ZBOOK") }
      #expect(statements.count == 1)
    }
  }

  @Test(arguments: TestStore.all) func dictionariesAreTheSameWithABatchSize(kind: TestStore) throws {
    let context = try DictionaryFetchTests.context(kind)
    try context.performAndWait {
      for (offset, limit) in [(0, 0), (1, 2), (3, 4), (9, 1)] {
        var answers: [[NSDictionary]] = []
        for batchSize in [0, 1, 2, 100] {
          let request = DictionaryFetchTests.request(["title", "pages", "author.name"])
          (request.fetchOffset, request.fetchLimit, request.fetchBatchSize) = (offset, limit, batchSize)
          answers.append(try context.fetch(request))
          #expect(try context.count(for: request) == answers[0].count)
        }
        #expect(answers[0].count == min(limit == 0 ? .max : limit, max(0, 4 - offset)))
        #expect(answers.allSatisfy { $0 == answers[0] })
      }
      let sums = DictionaryFetchTests.request([DictionaryFetchTests.computed("sum", "sum:(pages)")], sortedBy: nil)
      sums.fetchBatchSize = 1
      #expect(try context.fetch(sums).map { $0["sum"] as? Int } == [460])
    }
  }
}
