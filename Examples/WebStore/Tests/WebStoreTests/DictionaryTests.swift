import CoreData
import Foundation
import Testing

@testable import WebClient
@testable import WebService
@testable import WebStore

/// Dictionaries, which the store makes of documents.
@Suite struct DictionaryTests {
  @Test func dictionariesHaveAttributes() async throws {
    try await World.with { world in
      let stack = try world.stack()
      try stack.fill(4)
      try stack.inContext { (context) throws in
        let request = NSFetchRequest<NSDictionary>(entityName: "Book")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["year"]
        request.returnsDistinctResults = true
        request.sortDescriptors = [NSSortDescriptor(key: "year", ascending: true)]
        #expect(try context.fetch(request).map { $0["year"] as? Int64 } == [2000, 2001])
        request.propertiesToGroupBy = ["year"]
        #expect(failure { _ = try context.fetch(request) } == "WebStoreErrorDomain 6")
      }
    }
  }

  /// The cache is smaller than the result, and than a page of it.
  @Test func theCacheMayBeSmallerThanTheResult() async throws {
    var limits = ServedStore.Limits()
    limits.told.pageSize = 10
    try await World.with(limits: limits) { world in
      try world.stack().fill(35, books: 1)
      let stack = try world.stack([WebStoreOption.cacheLimit: 3])
      try stack.inContext { (context) throws in
        let request = NSFetchRequest<NSDictionary>(entityName: "Author")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["name", "city"]
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let rows = try context.fetch(request)
        #expect(Set(rows.map { $0["name"] as? String }).count == 35 && rows.compactMap { $0["city"] }.count == 18)
        // Whole objects, too: what was dropped is asked for again.
        #expect(Set(try context.all(Book.self).compactMap { $0.author?.name }).count == 35)
        // The answer to the same fetch is known, and its objects are not.
        world.relay.leave()
        #expect(failure { _ = try context.fetch(request) } == "WebStoreErrorDomain 1")
      }
    }
  }

  /// Limit and offset count the different dictionaries, whoever checks the condition, as those of a file do.
  @Test(arguments: [nil, "title MATCHES 'Book .*'", "title MATCHES 'Book .*' AND year != 2002"])
  func limitAndOffsetCountDifferentDictionaries(condition: String?) async throws {
    try await World.with { world in
      let file = world.file.deletingLastPathComponent().appending(path: "Own.sqlite")
      var lists: [[Int64?]] = []
      for stack in [try Stack(file), try world.stack()] {
        try stack.fill(3, books: 6)
        lists.append(
          try stack.inContext { context in
            let request = NSFetchRequest<NSDictionary>(entityName: "Book")
            request.predicate = condition.map { NSPredicate(format: $0) }
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["year"]
            request.returnsDistinctResults = true
            request.sortDescriptors = [NSSortDescriptor(key: "year", ascending: true)]
            (request.fetchOffset, request.fetchLimit) = (1, 3)
            return try context.fetch(request).map { $0["year"] as? Int64 }
          })
      }
      #expect(lists[0] == lists[1] && lists[0].count == 3, "\(lists)")
    }
  }
}
