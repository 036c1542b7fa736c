import CoreData
import Foundation
import Testing

@testable import WebClient
@testable import WebService
@testable import WebStore

/// What is asked for, and how often.
@Suite struct ReadingTests {
  @Test func aSaveIsTwoRequestsAndAFetchBringsValues() async throws {
    try await World.with { world in
      let stack = try world.stack()
      #expect(try stack.asked { try stack.fill(3) } == ["POST ids", "POST save"])
      let other = try world.stack()
      try other.inContext { (context) throws in
        let asked = try other.asked { () throws in
          let books = try context.all(Book.self, by: ["title"])
          #expect(books.map(\.title) == ["Book 0.0", "Book 0.1", "Book 1.0", "Book 1.1", "Book 2.0", "Book 2.1"])
          #expect(books.map(\.year) == [2000, 2001, 2000, 2001, 2000, 2001] && books[0].isbn == nil)
        }
        #expect(asked == ["POST query"])
      }
    }
  }

  @Test func theURIsAreThoseOfTheFile() async throws {
    try await World.with { world in
      let stack = try world.stack()
      try stack.fill(2)
      let uris = try stack.inContext { try $0.all(Author.self).map { $0.objectID.uriRepresentation() } }
      let served = world.service.application.store
      let context = served.newContext()
      try context.performAndWait { () throws in
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        #expect(Set(try context.fetch(request).map { $0.objectID.uriRepresentation() }) == Set(uris))
      }
    }
  }

  /// The wrong way, and two right ones.
  @Test func whatToOneRelationshipsLeadToComesAloneInCompanyOrAlong() async throws {
    try await World.with { world in
      try world.stack().fill(30, books: 1)
      func asked(_ size: Int, _ prepare: (NSFetchRequest<Book>) -> Void) throws -> [String] {
        let stack = try world.stack([WebStoreOption.companySize: size])
        return try stack.asked { () throws in
          try stack.inContext { (context) throws in
            let request = NSFetchRequest<Book>(entityName: "Book")
            prepare(request)
            #expect(Set(try context.fetch(request).compactMap { $0.author?.name }).count == 30)
          }
        }
      }
      #expect(try asked(1) { _ in } == ["POST query"] + Array(repeating: "POST objects", count: 30))
      #expect(try asked(10) { _ in } == ["POST query"] + Array(repeating: "POST objects", count: 3))
      #expect(try asked(100) { _ in } == ["POST query", "POST objects"])
      #expect(try asked(1) { $0.relationshipKeyPathsForPrefetching = ["author"] } == ["POST query"])
    }
  }

  @Test func membersComeAloneOrAlong() async throws {
    try await World.with { world in
      try world.stack().fill(5, books: 3)
      for paths in [nil, ["books"], ["books.author.books"]] {
        let stack = try world.stack()
        let asked = try stack.asked { () throws in
          try stack.inContext { (context) throws in
            let request = NSFetchRequest<Author>(entityName: "Author")
            request.relationshipKeyPathsForPrefetching = paths
            let titles = try context.fetch(request).flatMap { ($0.books as? Set<Book> ?? []).map(\.title) }
            #expect(Set(titles).count == 15)
          }
        }
        #expect(asked == ["POST query"] + (paths == nil ? Array(repeating: "GET objects", count: 5) : []))
      }
    }
  }

  @Test func conditionsAreTheServicesAsFarAsTheyCanBeSaid() async throws {
    try await World.with { world in
      let stack = try world.stack()
      try stack.fill(6)
      let author = try stack.inContext { try $0.all(Author.self, "name == 'Author 3'")[0].objectID }
      func found(_ format: String, _ arguments: [Any] = []) throws -> (count: Int, rows: Int, notes: Int) {
        let stack = try world.stack()
        return try stack.inContext { (context) throws in
          let request = NSFetchRequest<Book>(entityName: "Book")
          request.predicate = NSPredicate(
            format: format,
            argumentArray: arguments.map { argument in
              (argument as? NSManagedObjectID).flatMap { id in
                stack.coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()).map {
                  context.object(with: $0)
                }
              } ?? argument
            })
          stack.web?.resetTraffic()
          let books = try context.fetch(request)
          _ = books.map(\.title)
          return (books.count, stack.web?.traffic.rows ?? 0, stack.web?.traffic.notes.count ?? 0)
        }
      }
      for (format, arguments, count) in [
        ("year == 2001", [], 6), ("year IN %@ AND NOT title BEGINSWITH[cd] 'BÖOK 0'", [[2000, 2002]], 5),
        ("author.city == nil OR author.name ENDSWITH '2'", [], 8), ("author == %@", [author], 2),
        ("title LIKE[c] 'book ?.1' AND year BETWEEN {2000, 2001}", [], 6), ("title CONTAINS '3.'", [], 2),
        ("author.books.@count == 2", [], 12), ("isbn == nil AND price == nil", [], 12), ("FALSEPREDICATE", [], 0),
      ] as [(String, [Any], Int)] {
        let found = try found(format, arguments)
        #expect(found.count == count && found.rows == count && found.notes == 0, "\(format): \(found)")
      }
      // One of two conditions can be said.
      let partly = try found("year == 2001 AND title MATCHES 'Book [0-2].*'")
      #expect(partly.count == 3 && partly.rows == 6 && partly.notes == 1)
      let book = try stack.inContext { (context) throws in
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.predicate = NSPredicate(block: { object, _ in (object as? Book)?.title == "Book 4.1" })
        return try context.fetch(request).map(\.title)
      }
      #expect(book == ["Book 4.1"])
    }
  }

  @Test func ordersLimitsAndCountsAreTheServices() async throws {
    try await World.with { world in
      let stack = try world.stack()
      try stack.fill(20, books: 1)
      try stack.inContext { (context) throws in
        let request = NSFetchRequest<Author>(entityName: "Author")
        request.sortDescriptors = [
          NSSortDescriptor(key: "name", ascending: false, selector: Selector("localizedStandardCompare:"))
        ]
        (request.fetchLimit, request.fetchOffset) = (3, 1)
        stack.web?.resetTraffic()
        #expect(try context.fetch(request).map(\.name) == ["Author 18", "Author 17", "Author 16"])
        #expect(stack.web?.traffic.rows == 3 && stack.web?.traffic.requests == 1)
        #expect(try context.count(for: request) == 3)
        #expect(stack.web?.traffic.rows == 3 && stack.web?.traffic.requests == 2)
        // An order without a name: everything comes, and is put in order here.
        request.sortDescriptors = [
          NSSortDescriptor(key: "name", ascending: true) { first, second in
            ("\(second)".count, "\(second)") < ("\(first)".count, "\(first)") ? .orderedAscending : .orderedDescending
          }
        ]
        #expect(try context.fetch(request).map(\.name) == ["Author 18", "Author 17", "Author 16"])
        #expect(stack.web?.traffic.notes == ["sorted here: its order has no name"])
        request.predicate = NSPredicate(format: "name MATCHES '.* 1.'")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        #expect(try context.fetch(request).map(\.name) == ["Author 11", "Author 12", "Author 13"])
        #expect(try context.count(for: request) == 3)
      }
    }
  }

  @Test func aLargeResultComesInPagesOfOneMoment() async throws {
    var limits = ServedStore.Limits()
    limits.pageSize = 10
    try await World.with(limits: limits) { world in
      let stack = try world.stack()
      try stack.fill(35, books: 1)
      try stack.inContext { (context) throws in
        let asked = try stack.asked { () throws in #expect(try context.all(Author.self, by: ["name"]).count == 35) }
        #expect(asked == ["POST query"] + Array(repeating: "GET pages", count: 3))
        // A batch: the names of all, and a page of values when one is read.
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.fetchBatchSize = 7
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let reading = try stack.asked { () throws in
          let books = try context.fetch(request)
          #expect(books.count == 35 && Set(books.prefix(14).map(\.title)).count == 14)
        }
        #expect(reading == ["POST query", "POST objects", "POST objects"])
        // No more than is needed where a limit is checked here.
        let first = NSFetchRequest<Author>(entityName: "Author")
        first.predicate = NSPredicate(format: "name MATCHES 'Author .*'")
        first.fetchLimit = 5
        var count = 0
        #expect(try stack.asked { count = try context.fetch(first).count } == ["POST query"] && count == 5)
      }
    }
  }

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
        #expect(try context.fetch(request).compactMap { $0["year"] as? Int } == [2000, 2001])
        request.propertiesToGroupBy = ["year"]
        #expect(failure { _ = try context.fetch(request) } == "WebStoreErrorDomain 6")
      }
    }
  }

  /// What another client has changed is seen as soon as it comes.
  @Test func aFetchBringsNewerValues() async throws {
    try await World.with { world in
      let (mine, theirs) = (try world.stack(), try world.stack())
      try mine.fill(2)
      try mine.inContext { _ = try $0.all(Author.self).map(\.name) }
      try theirs.inContext { (context) throws in
        try context.all(Author.self, "name == 'Author 1'")[0].name = "Ada"
        try context.save()
      }
      let names = try mine.inContext { try $0.all(Author.self, by: ["name"]).map(\.name) }
      #expect(names == ["Ada", "Author 0"])
    }
  }
}
