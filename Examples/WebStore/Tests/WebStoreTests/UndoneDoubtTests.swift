import CoreData
import Foundation
import Testing

@testable import WebClient
@testable import WebService
@testable import WebStore

/// Saves in doubt that the service has carried out, and what the context does before the next one.
@Suite struct UndoneDoubtTests {
  /// The service has carried out the save, and the context has other wishes by then.
  @Test func whatIsUndoneAfterASaveInDoubtIsUndoneAtTheService() async throws {
    try await World.with { world in
      let stack = try world.stack([WebStoreOption.attempts: 1])
      let context = stack.newContext()
      try context.performAndWait { () throws in
        let (author, other) = (Author(context: context), Author(context: context))
        (author.name, author.city, other.name) = ("Ada", "Rome", "Grace")
        let books = ["A", "B", "C"].map { title in
          let book = Book(context: context)
          (book.title, book.author) = (title, author)
          return book
        }
        let tags = ["old", "new"].map { name in
          let tag = WebClient.Tag(context: context)
          tag.name = name
          return tag
        }
        books[0].addToTags(tags[0])
        try context.save()

        author.city = "Oslo"
        books[0].removeFromTags(tags[0])
        books[0].addToTags(tags[1])
        books[1].author = other
        let added = Author(context: context)
        added.name = "Nobody"
        try world.saveInDoubt(context)
        #expect(try world.stored("Author").contains { $0["name"] as? String == "Nobody" })

        // All of it is undone, and one other property changed.
        author.city = "Rome"
        books[0].addToTags(tags[0])
        books[0].removeFromTags(tags[1])
        books[1].author = author
        context.delete(added)
        books[2].pages = 7
        try context.save()
        #expect(!context.hasChanges)
        // The versions fit: objects that only the store has sent can be saved again.
        (author.born, books[0].year, books[1].year) = (Date(timeIntervalSinceReferenceDate: 0), 1990, 1991)
        try context.save()
      }
      try world.stack().inContext { (context) throws in
        let authors = try context.all(Author.self, by: ["name"])
        #expect(authors.map(\.name) == ["Ada", "Grace"] && authors[0].city == "Rome" && authors[0].born != nil)
        let books = try context.all(Book.self, by: ["title"])
        #expect(books.map { $0.author?.name } == ["Ada", "Ada", "Ada"] && books.map(\.pages) == [0, 0, 7])
        #expect(books.map(\.year) == [1990, 1991, 0])
        #expect((books[0].tags as? Set<WebClient.Tag>)?.map(\.name) == ["old"])
      }
    }
  }

  @Test(arguments: [false, true])
  func aDeletionInDoubtThatIsRolledBackIsUndoneAtTheService(asFaults: Bool) async throws {
    try await World.with { world in
      let stack = try world.stack([WebStoreOption.attempts: 1])
      try stack.fill(2, books: 1)
      try stack.inContext { (context) throws in
        let tag = WebClient.Tag(context: context)
        tag.name = "old"
        for book in try context.all(Book.self) { book.addToTags(tag) }
        try context.save()
      }
      let context = stack.newContext()
      try context.performAndWait { () throws in
        let authors = try context.all(Author.self, by: ["name"]), books = try context.all(Book.self, by: ["title"])
        #expect(books.map { $0.author } == authors && authors.map(\.city) == ["Oslo", nil])
        context.delete(authors[0])
        try world.saveInDoubt(context)
        #expect(try world.stored("Author").count == 1 && world.stored("Book").count == 1)
        context.rollback()
        #expect(!context.hasChanges)
        // Faults have their values in what the coordinator has read before.
        if asFaults { context.refreshAllObjects() }
        authors[1].city = "Lima"
        try context.save()
        (authors[0].city, books[0].pages) = ("Pune", 3)
        try context.save()
      }
      try world.stack().inContext { (context) throws in
        let authors = try context.all(Author.self, by: ["name"]), books = try context.all(Book.self, by: ["title"])
        #expect(authors.map(\.city) == ["Pune", "Lima"] && books.map(\.pages) == [3, 0])
        #expect(books.map { $0.author } == authors)
        #expect(books.map { ($0.tags as? Set<WebClient.Tag>)?.map(\.name) } == [["old"], ["old"]])
      }
    }
  }

  /// Two saves in doubt, one after the other, and both were carried out.
  @Test func aDoubtMayFollowADoubt() async throws {
    try await World.with { world in
      let stack = try world.stack([WebStoreOption.attempts: 1])
      try stack.fill(1, books: 0)
      let context = stack.newContext()
      try context.performAndWait { () throws in
        let author = try context.all(Author.self)[0]
        author.name = "first"
        let added = Author(context: context)
        added.name = "added"
        try world.saveInDoubt(context)
        (author.name, author.city) = ("second", "Rome")
        added.city = "Lima"
        try world.saveInDoubt(context)
        (author.name, author.city) = ("third", "Oslo")
        context.delete(added)
        try context.save()
        author.name = "fourth"
        try context.save()
        #expect(!context.hasChanges)
      }
      let stored = try world.stored("Author")
      #expect(stored.map { $0["name"] as? String } == ["fourth"] && stored.map { $0["city"] as? String } == ["Oslo"])
    }
  }

  /// Of objects that the context holds no more the service's state stands.
  @Test func aContextThatIsResetReadsWhatTheServiceHas() async throws {
    try await World.with { world in
      let stack = try world.stack([WebStoreOption.attempts: 1])
      try stack.fill(2, books: 0)
      let context = stack.newContext()
      try context.performAndWait { () throws in
        try context.all(Author.self, by: ["name"])[0].name = "Ada"
        try world.saveInDoubt(context)
        context.reset()
        Book(context: context).title = "Another"
        try context.save()
        #expect(try context.all(Author.self, by: ["name"]).map(\.name) == ["Ada", "Author 1"])
        try context.all(Author.self, by: ["name"])[0].name = "Grace"
        try context.save()
      }
      #expect(try world.stored("Author").contains { $0["name"] as? String == "Grace" })
    }
  }
}

extension World {
  /// Saves, and loses the answer.
  func saveInDoubt(_ context: NSManagedObjectContext) throws {
    relay.loseAnswersToSaves(.max)
    #expect(failure { try context.save() } == "WebStoreErrorDomain 2")
    relay.loseAnswersToSaves(0)
  }
}
