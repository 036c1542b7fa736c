import CoreData
import Foundation
import Testing

@testable import WebClient
@testable import WebService
@testable import WebStore

/// A service that goes and comes back, and answers that get lost.
@Suite struct AwayTests {
  @Test func whatWasReadIsThereWhileTheServiceIsAway() async throws {
    try await World.with { world in
      let stack = try world.stack()
      try stack.fill(3)
      let context = stack.newContext()
      try context.performAndWait { () throws in
        let books = try context.all(Book.self, by: ["title"])
        #expect(books[0].author?.name == "Author 0")
        #expect(((books[0].author?.books as? Set<Book>) ?? []).count == 2)
        let author = try #require(books[0].author?.objectID)
        world.relay.leave()
        stack.coordinator.emptyRowCache()
        stack.web?.resetTraffic()
        try stack.inContext { (context) throws in
          // Faults, members and the fetch that was made before.
          #expect(try context.existingObject(with: author).value(forKey: "name") as? String == "Author 0")
          let again = try context.all(Book.self, by: ["title"])
          #expect(again.map(\.title) == books.map(\.title))
          #expect((try context.existingObject(with: author).value(forKey: "books") as? NSSet)?.count == 2)
          #expect(stack.web?.traffic.answeredFromMemory ?? 0 >= 3 && stack.web?.absence != nil)
          // What nobody has read.
          #expect(failure { _ = try context.all(WebClient.Tag.self) } == "WebStoreErrorDomain 1")
        }
        // A save fails, and nothing of it is lost.
        books[0].title = "Changed"
        let added = Author(context: context)
        added.name = "New"
        do {
          try context.save()
          Issue.record("A save without a service succeeded.")
        } catch let error as NSError {
          #expect(error.isWeb(.away) && error.userInfo[NSUnderlyingErrorKey] is NSError, "\(error)")
        }
        #expect(books[0].hasChanges && added.isInserted && context.hasChanges)
        try world.relay.comeBack()
        try context.save()
        #expect(!context.hasChanges && stack.web?.absence == nil)
        #expect(try world.stored("Author").count == 4)
        #expect(try world.stored("Book").contains { $0["title"] as? String == "Changed" })
      }
    }
  }

  @Test func readsAreTriedAgain() async throws {
    try await World.with { world in
      let stack = try world.stack([WebStoreOption.attempts: 3])
      world.relay.leave()
      stack.web?.resetTraffic()
      try stack.inContext { (context) throws in
        #expect(failure { _ = try context.all(Book.self) } == "WebStoreErrorDomain 1")
        #expect(stack.web?.traffic.requests == 3 && stack.web?.traffic.retries == 2)
        // Once it is known to be away, one try has to do.
        #expect(failure { _ = try context.all(Book.self) } == "WebStoreErrorDomain 1")
        #expect(stack.web?.traffic.requests == 4)
        try world.relay.comeBack()
        #expect(try context.all(Book.self).isEmpty)
      }
    }
  }

  /// IDs that were given out before the service was started anew are still those of their objects.
  @Test func idsOutliveTheService() async throws {
    try await World.withSteps { world in
      let stack = try world.stack()
      let context = stack.newContext()
      let uri = try await onThread {
        try context.performAndWait { () throws in
          let author = Author(context: context)
          author.name = "Ada"
          try context.obtainPermanentIDs(for: [author])
          return author.objectID.uriRepresentation()
        }
      }
      try await world.endService()
      try await world.startService()
      try await onThread {
        try stack.inContext { (context) throws in
          Author(context: context).name = "Grace"
          try context.save()
        }
        try context.performAndWait { try context.save() }
        try world.stack().inContext { (context) throws in
          let authors = try context.all(Author.self, by: ["name"])
          #expect(authors.map(\.name) == ["Ada", "Grace"] && authors[0].objectID.uriRepresentation() == uri)
        }
      }
    }
  }
}
