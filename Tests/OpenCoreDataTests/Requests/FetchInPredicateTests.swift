import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite("FETCH in the predicate of a fetch, and fetched properties")
struct FetchInPredicateTests {
  private func check(_ body: (NSManagedObjectContext) throws -> Void) throws {
    let context = try DictionaryFetchTests.context(.sqlite)
    try context.performAndWait { try body(context) }
  }

  /// The titles of the books that a predicate selects, and the statements that it took.
  private func titles(
    _ context: NSManagedObjectContext, _ format: String, _ arguments: Any...
  ) throws -> (titles: [String?], sql: [String]) {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    request.predicate = NSPredicate(format: format, argumentArray: arguments)
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    var found: [String?] = []
    let log = try StatementLog.collect(thisThread: true) { found = try context.fetch(request).map { $0.text("title") } }
    return (found, log.statements.filter { $0.hasPrefix("SELECT") })
  }

  @Test("Objects that another request finds")
  func objects() throws {
    try check { context throws in
      let old = NSFetchRequest<NSManagedObject>(entityName: "Author")
      old.predicate = NSPredicate(format: "age > 50")
      let found = try titles(context, "author IN FETCH(%@, %@, NO)", old, context)
      #expect(found.titles == ["Three"])
      #expect(found.sql.count == 1)
      #expect(found.sql[0].contains("WHERE t0.ZAUTHOR IN (SELECT t1.Z_PK FROM ZAUTHOR t1 WHERE t1.ZAGE > ?) ORDER BY"))
      #expect(try titles(context, "NOT (author IN FETCH(%@, %@, NO))", old, context).titles == ["Four", "One", "Two"])
      old.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
      old.predicate = nil
      old.fetchLimit = 1
      #expect(try titles(context, "author IN FETCH(%@, %@, NO)", old, context).titles == ["One", "Two"])
      #expect(try titles(context, "FETCH(%@, %@, YES) == pages / 50", old, context).titles == ["Three"])
    }
  }

  @Test("A number, and what is not saved")
  func numbers() throws {
    try check { context throws in
      let authors = NSFetchRequest<NSManagedObject>(entityName: "Author")
      let found = try titles(context, "pages > FETCH(%@, %@, YES) * 100", authors, context)
      #expect(found.titles == ["Two"] && found.sql.count == 1)
      #expect(found.sql[0].contains("(SELECT COUNT(*) FROM ZAUTHOR t1)"))
      let new = context.make("Author", ["name": "New"])
      #expect(try titles(context, "pages > FETCH(%@, %@, YES) * 100", authors, context).titles == [])
      context.delete(new)
    }
  }

  @Test("One of each group: what is there twice")
  func duplicates() throws {
    try check { context throws in
      for pages in [100, 100, 300] { _ = context.make("Book", ["title": "Again \(pages)", "pages": pages]) }
      try context.save()
      let first = NSFetchRequest<NSDictionary>(entityName: "Book")
      first.resultType = .dictionaryResultType
      first.propertiesToFetch = [DictionaryFetchTests.computed("objectID", "SELF", .objectIDAttributeType)]
      first.propertiesToGroupBy = ["pages"]
      let found = try titles(context, "NOT (SELF IN FETCH(%@, %@, NO))", first, context)
      #expect(found.titles.count == 3)
      #expect(
        found.sql[0].contains(
          "(t0.Z_PK IN (SELECT t2.Z_PK FROM ZBOOK t2 WHERE t2.Z_PK IN (SELECT t1.Z_PK FROM ZBOOK t1 GROUP BY t1.ZPAGES)))"
        ),
        "\(found.sql[0])")
    }
  }

  @Test("Fetched properties are fetched for the object, and again when it is refreshed")
  func fetchedProperties() throws {
    let model = TestModel.library()
    let others = NSFetchedPropertyDescription()
    others.name = "others"
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
    request.predicate = NSPredicate(
      format: "author == $FETCH_SOURCE.author AND SELF != $FETCH_SOURCE AND title != $FETCHED_PROPERTY.name")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    others.fetchRequest = request
    let book = try #require(model.entitiesByName["Book"])
    book.properties.append(others)
    let context = TestModel.context(try TestModel.coordinator(model))
    try context.performAndWait { () throws in
      let author = context.make("Author", ["name": "A"])
      let books = ["x", "y", "z", "others"].map { context.make("Book", ["title": $0, "author": author]) }
      let titles = { (value: Any?) in (value as? [NSManagedObject])?.map { $0.text("title") } }
      #expect(titles(books[0].value(forKey: "others")) == ["y", "z"])
      try context.save()
      #expect(titles(books[1].value(forKey: "others")) == ["x", "z"])
      #expect((books[1].value(forKeyPath: "others.@count") as? NSNumber) == 2)
      books[2].setValue("w", forKey: "title")
      #expect(titles(books[1]["others"]) == ["x", "w"])
      context.refresh(books[1], mergeChanges: true)
      #expect(titles(books[1].value(forKey: "others")) == ["w", "x"])
      context.delete(books[0])
      context.refresh(books[1], mergeChanges: false)
      #expect(titles(books[1].value(forKey: "others")) == ["w"])
      let error = #expect(throws: NSError.self) {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: "others.@count > 1")
        _ = try context.fetch(request)
      }
      #expect(error?.localizedDescription == "keypath others.@count not found in entity Book")
    }
  }
}
