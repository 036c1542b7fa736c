import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite("Fetches that go on beside their context", .timeLimit(.minutes(60)))
struct AsynchronousFetchTests {
  typealias Fetch = NSAsynchronousFetchRequest<NSManagedObject>

  private func books(_ change: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }) -> NSFetchRequest<NSManagedObject>
  {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    change(request)
    return request
  }

  /// Executes a request, and gives what `read` makes of the result on the context's queue.
  private func run<Result, Value: Sendable>(
    _ context: NSManagedObjectContext, _ request: NSFetchRequest<Result>,
    during: (NSPersistentStoreAsynchronousResult) -> Void = { _ in },
    _ read: @escaping (NSAsynchronousFetchResult<Result>) -> Value
  ) throws -> Value {
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var value: Value?
    nonisolated(unsafe) let request = request
    let running = try context.performAndWait { () throws -> NSPersistentStoreAsynchronousResult? in
      let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
        value = read(result)
        done.signal()
      }
      return try context.execute(asynchronous) as? NSPersistentStoreAsynchronousResult
    }
    during(try #require(running))
    #expect(done.wait(timeout: Patience.limit) == .success)
    return try #require(value)
  }

  @Test("Objects, IDs, dictionaries and counts", arguments: TestStore.all)
  func results(_ kind: TestStore) throws {
    let context = try DictionaryFetchTests.context(kind)
    let titles = try run(context, books()) { result in
      #expect(result.managedObjectContext === context && result.operationError == nil)
      #expect(result.fetchRequest.fetchRequest.entityName == "Book")
      #expect(result.progress?.fractionCompleted == 1)
      return result.finalResult?.map { $0.text("title") }
    }
    #expect(titles == ["Four", "One", "Three", "Two"])
    let page = books {
      $0.fetchLimit = 2
      $0.fetchOffset = 1
      $0.returnsObjectsAsFaults = false
    }
    #expect(
      try run(context, page) { $0.finalResult?.map { "\($0.text("title") ?? "")\($0.isFault)" } } == [
        "Onefalse", "Threefalse",
      ])
    let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
    ids.resultType = .managedObjectIDResultType
    #expect(try run(context, ids) { $0.finalResult?.count } == 4)
    let dictionaries = DictionaryFetchTests.request(["pages"])
    #expect(
      try run(context, dictionaries) { $0.finalResult?.compactMap { $0["pages"] as? Int } } == [10, 100, 50, 300])
    let count = NSFetchRequest<NSNumber>(entityName: "Book")
    count.resultType = .countResultType
    #expect(try run(context, count) { $0.finalResult } == [4])
  }

  @Test("What is pending when it ends is taken into account", arguments: TestStore.all)
  func pending(_ kind: TestStore) throws {
    let context = try DictionaryFetchTests.context(kind)
    let page = books { $0.fetchLimit = 3 }
    let titles = try run(
      context, page,
      during: { _ in
        context.performAndWait {
          _ = context.make("Book", ["title": "A"])
          if let first = try? context.fetch(books { $0.fetchLimit = 2 }).last { context.delete(first) }
        }
      }
    ) { $0.finalResult?.map { $0.text("title") } }
    // The context may have come to it before the changes, or after them.
    #expect([["A", "One", "Three"], ["Four", "One", "Three"]].contains(titles))
    #expect(
      try run(context, books { $0.fetchLimit = 3 }) { $0.finalResult?.map { $0.text("title") } } == [
        "A", "One", "Three",
      ])
  }

  @Test("Bad input is refused at once; any completion block will do", arguments: TestStore.all)
  func badInput(_ store: TestStore) throws {
    let context = try DictionaryFetchTests.context(store)
    let error = try run(context, books { $0.predicate = NSPredicate(format: "colour == 1") }) {
      ($0.operationError as NSError?)?.localizedDescription
    }
    #expect(error == "keypath colour not found in entity Book")
    let request = NSFetchRequest<NSDictionary>(entityName: "Book")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["colour"]
    context.performAndWait {
      let error = #expect(throws: NSError.self) {
        try context.execute(NSAsynchronousFetchRequest(fetchRequest: request))
      }
      #expect(error?.localizedDescription.hasPrefix("Invalid keypath colour") == true)
    }
    nonisolated(unsafe) var seen = 0
    let typed = Fetch(fetchRequest: books()) { seen = $0.finalResult?.count ?? -1 }
    let any = NSAsynchronousFetchRequest<any NSFetchRequestResult>(
      fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Book"))
    try context.performAndWait { () throws in
      let result = NSAsynchronousFetchResult(any, context, nil) {}
      result.finalResult = try context.fetch(any.fetchRequest)
      typed.completionBlock?(result)
      #expect(seen == 4 && Fetch(fetchRequest: books()).completionBlock == nil)
    }
  }

  // MARK: Cancelling

  /// A fetch that would take days: for each book all chains of three books.
  private func endless(_ store: TestStore) throws -> (NSManagedObjectContext, NSPredicate) {
    let context = TestModel.context(try store.coordinator(TestModel.library(), url: store.place()))
    try context.performAndWait { () throws in
      let author = context.make("Author")
      for number in 0..<1500 { _ = context.make("Book", ["title": "\(number)", "pages": 1, "author": author]) }
      try context.save()
    }
    // What is asked of the innermost needs all of them, so that there is no shorter way.
    let format =
      "SUBQUERY(author.books, $a, SUBQUERY(author.books, $b, SUBQUERY(author.books, $c, "
      + "$a.pages + $b.pages + $c.pages < 0).@count > 0).@count > 0).@count > 0"
    return (context, NSPredicate(format: format))
  }

  @Test("Cancelling stops the statement in SQLite, by the result or by a progress")
  func cancelling() throws {
    let (context, predicate) = try endless(.sqlite)
    for byProgress in [false, true] {
      let progress = Progress(totalUnitCount: 1)
      progress.becomeCurrent(withPendingUnitCount: 1)
      let error = try run(
        context, books { $0.predicate = predicate },
        during: { running in
          progress.resignCurrent()
          usleep(50_000)
          if byProgress { progress.cancel() } else { running.cancel() }
        }
      ) { result in
        #expect(result.finalResult == nil)
        return (result.operationError as NSError?)?.code
      }
      #expect(error == CocoaError.userCancelled.rawValue)
    }
    // The connection is good for the next.
    #expect(try context.performAndWait { () throws -> Int in try context.count(for: books()) } == 1500)
  }

  /// In memory a subquery is evaluated to its end, whoever cancels it.
  @Test(
    "Cancelling the task of an asynchronous perform stops its fetches and counts", arguments: TestStore.ofTables)
  func tasks(_ store: TestStore) async throws {
    let (context, predicate) = try endless(store)
    nonisolated(unsafe) let slow = predicate
    for counts in [false, true] {
      let task = Task {
        try await context.perform { () throws -> Int in
          let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
          request.predicate = slow
          return counts ? try context.count(for: request) : try context.fetch(request).count
        }
      }
      // Not by a task: fetches like this one may occupy all threads that run tasks.
      Thread.detachNewThread {
        usleep(50_000)
        task.cancel()
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    let left = try await context.perform { () throws -> Int in try context.all("Book").count }
    #expect(left == 1500)
  }
}
