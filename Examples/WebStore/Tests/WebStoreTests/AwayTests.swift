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
        world.relay.comeBack()
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
        world.relay.comeBack()
        #expect(try context.all(Book.self).isEmpty)
      }
    }
  }

  /// The service has saved, and the store never hears of it: the same request is sent again and carried out once.
  @Test func aSaveWhoseAnswerIsLostIsSentAgainAndCarriedOutOnce() async throws {
    try await World.with { world in
      let stack = try world.stack()
      try stack.fill(1, books: 0)
      try stack.inContext { (context) throws in
        world.relay.loseAnswersToSaves(2)
        stack.web?.resetTraffic()
        let author = try context.all(Author.self)[0]
        author.name = "Ada"
        let other = Author(context: context)
        other.name = "Grace"
        try context.save()
        #expect(stack.web?.traffic.retries ?? 0 >= 1 && !context.hasChanges)
        author.name = "Ada L."
        other.name = "Grace H."
        try context.save()
      }
      #expect(Set(try world.stored("Author").compactMap { $0["name"] as? String }) == ["Ada L.", "Grace H."])
    }
  }

  /// No answer at all: the next save of the context asks what became of the one before, and goes on from there.
  @Test(arguments: [false, true]) func aSaveInDoubtIsSettledByTheNext(restarting: Bool) async throws {
    try await World.withSteps { world in
      let stack = try world.stack([WebStoreOption.attempts: 2])
      let context = stack.newContext()
      try await onThread {
        try stack.fill(2, books: 0)
        try context.performAndWait { () throws in
          let authors = try context.all(Author.self, by: ["name"])
          authors[0].name = "Ada"
          context.delete(authors[1])
          Book(context: context).title = "First"
          world.relay.loseAnswersToSaves(.max)
          #expect(failure { try context.save() } == "WebStoreErrorDomain 2")
          #expect(context.hasChanges && authors[0].hasChanges && context.deletedObjects.count == 1)
          world.relay.loseAnswersToSaves(0)
        }
      }
      // The service has its history, and a new process knows what was carried out.
      if restarting {
        try await world.endService()
        try await world.startService()
      }
      try await onThread {
        try context.performAndWait { () throws in
          let book = try #require(context.insertedObjects.first as? Book)
          (book.title, book.pages) = ("Second", 5)
          try context.save()
          #expect(!context.hasChanges)
          book.title = "Third"
          try context.save()
        }
        #expect(try world.stored("Author").map { $0["name"] as? String } == ["Ada"])
        #expect(try world.stored("Book").map { $0["title"] as? String } == ["Third"])
        #expect(try world.stored("Book").first?["pages"] as? Int64 == 5)
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

  @Test func whatIsNoServiceIsSaid() async throws {
    try await World.with { world in
      for (url, code) in [
        ("ftp://127.0.0.1/", "WebStoreErrorDomain 4"),
        ("http://127.0.0.1:\(world.service.port)/nothing/", "WebStoreErrorDomain 3"),
      ] {
        #expect(failure { _ = try Stack(try #require(URL(string: url))) } == code, "\(url)")
      }
      #expect(failure { _ = try world.stack([WebStoreOption.attempts: "many"]) } == "WebStoreErrorDomain 5")
      // A service of another model.
      let other = try #require(Model.books.copy() as? NSManagedObjectModel)
      other.entitiesByName["Tag"]?.properties.append(NSAttributeDescription.named("color"))
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: other)
      #expect(
        failure {
          try coordinator.addPersistentStore(
            ofType: WebIncrementalStore.type, configurationName: nil, at: world.relay.url)
        } == "NSCocoaErrorDomain \(NSPersistentStoreIncompatibleVersionHashError)")
      world.relay.leave()
      #expect(failure { _ = try world.stack() } == "WebStoreErrorDomain 1")
    }
  }
}

extension NSAttributeDescription {
  fileprivate static func named(_ name: String) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType, attribute.isOptional) = (name, .stringAttributeType, true)
    return attribute
  }
}
