import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What a piece of work makes SQLite do, and which index would spare it that.
@Suite struct ExplainTests {
  /// A library in which books have these indexes.
  private func context(_ indexes: [[String]] = []) throws -> NSManagedObjectContext {
    let model = TestModel.library()
    let book = try #require(model.entitiesByName["Book"])
    book.indexes = indexes.map { names in
      let elements = names.compactMap { book.attributesByName[$0] }.map {
        NSFetchIndexElementDescription(property: $0, collationType: .binary)
      }
      return NSFetchIndexDescription(name: "by_" + names.joined(separator: "_"), elements: elements)
    }
    let context = TestModel.context(try TestModel.coordinator(model))
    try context.performAndWait {
      let author = context.make("Author", ["name": "Ada"])
      for pages in 0..<5 {
        context.make("Novel", ["title": "\(pages)", "pages": pages, "weight": 1.5]).setValue(author, forKey: "author")
      }
      try context.save()
      context.reset()
    }
    return context
  }

  private func books(_ format: String?, _ sort: [String]) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    request.predicate = format.map { NSPredicate(format: $0) }
    request.sortDescriptors = sort.map { NSSortDescriptor(key: $0, ascending: true) }
    return request
  }

  /// The first statement of a fetch, and what is advised for it.
  private func advice(_ format: String?, _ sort: [String], _ indexes: [[String]]) throws -> (
    ExplainedQuery, IndexAdvice
  ) {
    let context = try context(indexes)
    return try context.performAndWait {
      let request = books(format, sort)
      request.includesSubentities = true
      let (found, queries) = try context.explain { try context.fetch(request) }
      #expect(queries.count == 1 && found.count <= 5)
      let query = try #require(queries.first)
      return (
        query,
        query.advice(entity: "Book", predicate: request.predicate, sortDescriptors: request.sortDescriptors ?? [])
      )
    }
  }

  @Test func statementsComeOnceInTheirOrderWithTheResult() throws {
    let context = try context()
    try context.performAndWait {
      let (names, queries) = try context.explain {
        let found = try context.fetch(books(nil, ["pages"]))
        for _ in 0..<3 { _ = try context.count(for: books(nil, [])) }
        return found.map { ($0.value(forKeyPath: "author.name") as? String) ?? "" }
      }
      #expect(names == Array(repeating: "Ada", count: 5))
      // Authors are in the row cache since they were saved.
      try #require(queries.count == 2)
      #expect(queries[0].sql.hasSuffix("ORDER BY t0.ZPAGES") && queries[0].sorts && queries[0].indexes.isEmpty)
      #expect(queries[1].sql.hasPrefix("SELECT COUNT("))
      #expect(!queries[1].sorts && queries[1].bindings.isEmpty)
    }
  }

  @Test func whatThrowsIsPassedOn() throws {
    let context = try context()
    context.performAndWait {
      let error = #expect(throws: NSError.self) {
        try context.explain { try context.fetch(books("nothing == 1", [])) }
      }
      #expect(error?.localizedDescription.contains("nothing") == true)
    }
  }

  @Test(
    arguments: [
      // (predicate, sort, indexes, wanted)
      (nil, ["pages"], [], ["pages"]),
      ("title == 'x'", ["pages"], [["pages"]], ["title", "pages"]),
      (nil, ["pages", "title"], [["pages"]], ["pages", "title"]),
      ("title == 'x'", [], [], ["title"]),
      ("title == 'x' AND pages > 3", ["weight"], [], ["title", "weight"]),
      ("pages > 3 AND weight < 2", [], [], ["pages"]),
      ("'x' == title", ["title"], [], ["title"]),
      ("title IN {'x', 'y'}", [], [], ["title"]),
      ("title BEGINSWITH 'x'", [], [], ["title"]),
    ] as [(String?, [String], [[String]], [String])])
  func theMissingIndexIsNamedAndServesWhenItIsThere(
    _ format: String?, _ sort: [String], _ indexes: [[String]], _ wanted: [String]
  ) throws {
    let (query, missing) = try advice(format, sort, indexes)
    #expect(missing == .missing(entity: "Book", properties: wanted), "\(query)")
    let (served, none) = try advice(format, sort, indexes + [wanted])
    #expect(none == .served, "\(served)")
    #expect(served.indexes.contains { $0.uppercased() == "Z_BOOK_BY_\(wanted.joined(separator: "_"))".uppercased() })
  }

  @Test func whatNoIndexServesIsSaid() throws {
    #expect(try advice("title CONTAINS[cd] 'x'", [], [["title"]]).1 == .useless(entity: "Book"))
    // An index that only has fewer bytes to be read is none that serves.
    #expect(try advice("SUBQUERY(tags, $t, $t.name == 'x').@count > 0", [], [["pages"]]).1 == .useless(entity: "Book"))
    #expect(try advice("pages > 2", ["pages"], [["pages"]]).1 == .served)
    #expect(try advice(nil, ["author.name"], []).1 == .impossible(entity: "Book", keyPath: "author.name"))
    // Reading everything takes no index.
    #expect(try advice(nil, [], []).1 == .served)
    #expect(
      IndexAdvice.missing(entity: "Book", properties: ["a", "b"]).text == "missing: an index of Book by a, b")
  }

  @Test func groupsWantTheirKeys() throws {
    for (indexes, expected) in [
      ([], IndexAdvice.missing(entity: "Book", properties: ["pages"])), ([["pages"]], .served),
    ] {
      let context = try context(indexes)
      try context.performAndWait {
        let request = NSFetchRequest<NSDictionary>(entityName: "Book")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["pages"]
        request.propertiesToGroupBy = ["pages"]
        let (rows, queries) = try context.explain { try context.fetch(request) }
        #expect(rows.count == 5 && queries.count == 1)
        #expect(queries[0].advice(entity: "Book", groupedBy: ["pages"]) == expected, "\(queries)")
      }
    }
  }

  /// Two ways to the same: the running stack, and the file by itself.
  @Test func thePlanIsThatOfTheInspectedFile() throws {
    let url = try TestModel.temporaryFile()
    defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
    let coordinator = try TestModel.coordinator(TestModel.library(), url: url)
    let context = TestModel.context(coordinator)
    for (format, sort) in [
      ("pages > 3", "title"), ("author.name == 'Ada'", "pages"), ("title LIKE '*x*'", "author.name"),
    ] {
      let queries = try context.performAndWait {
        try context.explain { try context.count(for: books(format, [sort])) }.queries
      }
      var query = StoreQuery(entity: "Book")
      query.predicate = NSPredicate(format: format)
      query.sortDescriptors = [NSSortDescriptor(key: sort, ascending: true)]
      let inspected = try InspectedStore(url).explain(query, isCount: true)
      #expect(queries.map(\.sql) == [inspected.sql])
      #expect(queries.map(\.plan) == [inspected.plan])
      #expect(!inspected.bindings.isEmpty)
    }
  }
}
