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

  /// The object that comes back begins with the version of a new one, which is less than the one that is known.
  @Test func anObjectThatWasDeletedAndCameBackIsReadAnew() async throws {
    try await World.with { world in
      let (mine, theirs) = (try world.stack(), try world.stack())
      try mine.fill(1, books: 0)
      let context = mine.newContext()
      try context.performAndWait { () throws in
        let author = try context.all(Author.self)[0]
        for name in ["a", "b", "c"] {
          author.name = name
          try context.save()
        }
        try theirs.inContext { (context) throws in
          let author = try context.all(Author.self)[0]
          context.delete(author)
          try world.saveInDoubt(context)
          context.rollback()
          Book(context: context).title = "Another"
          try context.save()
          author.name = "theirs"
          try context.save()
        }
        #expect(try mine.inContext { try $0.all(Author.self).map(\.name) } == ["theirs"])
        context.refreshAllObjects()
        author.city = "Rome"
        try context.save()
      }
      let stored = try #require(try world.stored("Author").first)
      #expect(stored["name"] as? String == "theirs" && stored["city"] as? String == "Rome")
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
