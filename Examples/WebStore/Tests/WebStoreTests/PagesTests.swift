import CoreData
import Foundation
import Synchronization
import Testing
import WebProtocol

@testable import WebClient
@testable import WebService
@testable import WebStore

/// Results that come in pages.
@Suite struct PagesTests {
  @Test func aLargeResultComesInPagesOfOneMoment() async throws {
    var limits = ServedStore.Limits()
    limits.told.pageSize = 10
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
        // A store that knows nothing of them yet.
        let other = try world.stack()
        let reading = try other.asked { () throws in
          try other.inContext { (context) throws in
            let books = try context.fetch(request)
            #expect(books.count == 35 && Set(books.prefix(14).map(\.title)).count == 14)
          }
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

  /// The answer of a page may have been lost.
  @Test func anyPageMayBeAskedForAgain() async throws {
    var limits = ServedStore.Limits()
    limits.told.pageSize = 2
    try await World.with(limits: limits) { world in
      try world.stack().fill(5, books: 0)
      let connection = WebConnection(world.relay.url, try WebStoreOptions([WebStoreOption.timeout: 3600]))
      var query = QueryMessage(entity: "Author")
      query.sort = [try #require(OrderCoding.order(NSSortDescriptor(key: "name", ascending: true)))]
      func names(_ answer: QueryAnswer) -> [String] {
        (answer.documents ?? []).compactMap { $0.values["name"]?.text }
      }
      let first: QueryAnswer = try connection.post("query", query)
      // What is written meanwhile is in none of the pages.
      try world.stack().fill(1, books: 0)
      let second = try #require(first.next)
      for _ in 1...3 {
        let page: QueryAnswer = try connection.get("pages/\(second)")
        #expect(names(page) == ["Author 2", "Author 3"])
        let third: QueryAnswer = try connection.get("pages/\(try #require(page.next))")
        #expect(names(third) == ["Author 4"] && third.next == nil)
      }
      for name in ["\(second)0", "x\(second)", "x", "", "-1"] {
        #expect(throws: StatusError.self, "\(name)") { let _: QueryAnswer = try connection.get("pages/\(name)") }
      }
    }
  }

  @Test func aFetchBeginsAgainWhereTheServiceHasNoNextPage() async throws {
    var limits = ServedStore.Limits()
    limits.told.pageSize = 10
    try await World.with(limits: limits) { world in
      try world.stack().fill(35, books: 0)
      let stack = try world.stack()
      let losses = Mutex(1)
      let request = NSFetchRequest<Author>(entityName: "Author")
      request.predicate = NSPredicate { _, _ in
        losses.withLock { losses in
          if losses > 0 { world.service.application.store.pages.closeAll() }
          losses = max(0, losses - 1)
        }
        return true
      }
      try stack.inContext { (context) throws in
        var count = 0
        let asked = try stack.asked { () throws in count = Set(try context.fetch(request).map(\.name)).count }
        #expect(
          count == 35 && asked == ["POST query", "GET pages", "POST query"] + Array(repeating: "GET pages", count: 3))
        // A service that has room for no page at all is an error, and no endless loop.
        losses.withLock { $0 = .max }
        #expect(failure { _ = try context.fetch(request) } == "WebStoreErrorDomain 3")
      }
    }
  }

  @Test func resultsMakeWayForNewOnesAndGoWithTime() throws {
    let clock = Mutex(ContinuousClock.now)
    let pages = OpenPages(limit: 2, patience: .seconds(300)) { clock.withLock { $0 } }
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Model.books)
    let store = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    context.persistentStoreCoordinator = coordinator
    let author = try context.performAndWait {
      let author = Author(context: context)
      try context.obtainPermanentIDs(for: [author])
      return author.objectID
    }
    let result = OpenPages.Result(context: context, identifiers: [author, author], include: [])
    func has(_ name: String) -> Bool { pages.find(OpenPages.page(1, of: name)) != nil }
    let first = pages.keep(result), second = pages.keep(result)
    #expect(pages.find(OpenPages.page(2, of: first)) == nil && has(first))
    // The second one was asked for longer ago.
    let third = pages.keep(result)
    #expect(has(first) && !has(second) && has(third))
    // One whose last page was given goes first.
    pages.noteRead(third)
    let fourth = pages.keep(result)
    #expect(has(first) && !has(third) && has(fourth))
    clock.withLock { $0 += .seconds(200) }
    #expect(has(fourth))
    clock.withLock { $0 += .seconds(200) }
    pages.dropOld()
    #expect(pages.count == 1 && has(fourth))
    try coordinator.remove(store)
  }
}
