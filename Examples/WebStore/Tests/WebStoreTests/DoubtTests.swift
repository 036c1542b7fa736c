import CoreData
import Foundation
import Testing

@testable import WebClient
@testable import WebService
@testable import WebStore

/// Saves of which nobody knows whether the service has carried them out.
@Suite struct DoubtTests {
  /// What comes in the place of the answer: nothing, a gateway's word, and what is no answer of a service.
  static let answers = [
    "", "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbusy",
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 3\r\nConnection: close\r\n\r\n{}x",
    "HTTP/1.1 500 Oh\r\nContent-Type: text/html\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<html>",
    "HTTP/1.1 500 Oh\r\nContent-Type: application/json\r\nContent-Length: 14\r\nConnection: close\r\n\r\n{\"message\":\"\"}",
  ]

  @Test(arguments: answers) func anAnswerThatSaysNothingLeavesADoubt(answer: String) async throws {
    try await World.with { world in
      let stack = try world.stack([WebStoreOption.attempts: 2])
      try stack.fill(1, books: 0)
      try stack.inContext { (context) throws in
        let author = try context.all(Author.self)[0]
        author.name = "Ada"
        world.relay.answer("POST /save", .max, with: answer)
        #expect(failure { try context.save() } == "WebStoreErrorDomain 2")
        world.relay.loseAnswersToSaves(0)
        author.city = "Rome"
        try context.save()
        #expect(!context.hasChanges)
        author.city = "Oslo"
        try context.save()
      }
      let stored = try #require(try world.stored("Author").first)
      #expect(stored["name"] as? String == "Ada" && stored["city"] as? String == "Oslo")
    }
  }

  /// Something between says that it has no such path: this is no word of the service about the save.
  @Test func aDoubtStaysAsLongAsTheServiceItselfSaysNothing() async throws {
    try await World.with { world in
      let stack = try world.stack([WebStoreOption.attempts: 1])
      try stack.inContext { (context) throws in
        Author(context: context).name = "Ada"
        try world.saveInDoubt(context)
        world.relay.answer(
          "GET /saves/", 1,
          with: "HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 14\r\n"
            + "Connection: close\r\n\r\n{\"message\":\"\"}")
        #expect(failure { try context.save() } == "WebStoreErrorDomain 3")
        try context.save()
        #expect(!context.hasChanges)
      }
      #expect(try world.stored("Author").map { $0["name"] as? String } == ["Ada"])
    }
  }

  /// Nobody saves again what belonged to a context that is gone.
  @Test func theDoubtOfAContextThatIsGoneIsDropped() async throws {
    try await World.with { world in
      let stack = try world.stack([WebStoreOption.attempts: 1])
      try stack.inContext { (context) throws in
        Author(context: context).name = "Ada"
        try world.saveInDoubt(context)
      }
      #expect(stack.web?.memory.withLock { $0.doubts.map { $0.context == nil } } == [true])
      let asked = try stack.asked { try stack.fill(1, books: 0) }
      #expect(asked == ["POST ids", "POST save"] && stack.web?.memory.withLock { $0.doubts.isEmpty } == true)
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
}
