import CoreData
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// What belongs to one event of a context: the block of a `perform`, and on the main queue what is done without one.
@Suite struct EventTests {
  private func context(_ store: TestStore) throws -> NSManagedObjectContext {
    TestModel.context(try store.coordinator(TestModel.library()))
  }

  private static func mainContext(_ store: TestStore) throws -> NSManagedObjectContext {
    let main = NSManagedObjectContext(.mainQueue)
    main.persistentStoreCoordinator = try store.coordinator(TestModel.library())
    return main
  }

  /// An author with a book, deleted: the book goes with it when the changes are processed.
  private static func deleteAuthor(_ context: NSManagedObjectContext) throws {
    let author = context.make("Author", ["name": "a"])
    _ = context.make("Book", ["author": author])
    try context.save()
    context.delete(author)
  }

  private static func deletions(_ context: NSManagedObjectContext) -> Int { context.deletedObjects.count }

  @Test(arguments: TestStore.all)
  func performProcessesChangesAndPerformAndWaitDoesNot(_ store: TestStore) async throws {
    let context = try context(store)
    try context.performAndWait {
      try Self.deleteAuthor(context)
    }
    #expect(context.performAndWait { Self.deletions(context) } == 1)
    await withCheckedContinuation { done in context.perform { done.resume() } }
    #expect(context.performAndWait { Self.deletions(context) } == 2)
    context.performAndWait { context.rollback() }
    try await context.perform { try Self.deleteAuthor(context) }
    #expect(context.performAndWait { Self.deletions(context) } == 2)
  }

  /// What each block of `perform` has changed is told when it ends, before the next begins; a block of `performAndWait` is no
  /// event, and what it has changed is told with the next one.
  @Test(arguments: TestStore.all) func whatEachPerformHasChangedIsToldByItself(_ store: TestStore) async throws {
    let context = try context(store)
    let told = Mutex<[String]>([])
    let note: @Sendable (String) -> Void = { text in told.withLock { $0.append(text) } }
    nonisolated(unsafe) var tokens: [any NSObjectProtocol] = []
    defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
    tokens.append(
      NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
      ) { notification in
        for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey] {
          let objects = notification.userInfo?[key] as? Set<NSManagedObject> ?? []
          if !objects.isEmpty { note("\(key) " + objects.map { $0.text("name") ?? "nil" }.sorted().joined()) }
        }
      })
    nonisolated(unsafe) var author: NSManagedObject?
    await withCheckedContinuation { done in
      context.perform {
        // Handed over first, it is another event all the same.
        context.perform {
          note("second")
          author?.setValue("B", forKey: "name")
          author?.setValue("C", forKey: "name")
        }
        context.perform { done.resume() }
        author = context.make("Author", ["name": "A"])
        context.performAndWait { _ = context.make("Author", ["name": "Z"]) }
        note("end")
      }
    }
    #expect(told.withLock { $0 } == ["end", "inserted AZ", "second", "updated C"])
    told.withLock { $0 = [] }
    context.performAndWait { author?.setValue("D", forKey: "name") }
    context.performAndWait { author?.setValue("E", forKey: "name") }
    #expect(told.withLock { $0 } == [])
    await context.perform { note("third") }
    #expect(told.withLock { $0 } == ["third", "updated E"])
    // The asynchronous ones are events of their own as well.
    await context.perform { author?.setValue("F", forKey: "name") }
    await context.perform { author?.setValue("G", forKey: "name") }
    #expect(told.withLock { $0.suffix(2) } == ["updated F", "updated G"])
    context.performAndWait {
      author?.setValue("H", forKey: "name")
      context.processPendingChanges()
    }
    #expect(told.withLock { $0.last } == "updated H")
  }

  /// Blocks that a block hands over run after it and in their order, each as an event of its own.
  @Test(arguments: TestStore.all) func reentrantCallsQueueUpInOrder(_ store: TestStore) async throws {
    let context = try context(store)
    let order = Mutex<[String]>([])
    let note: @Sendable (String) -> Void = { text in order.withLock { $0.append(text) } }
    await withCheckedContinuation { done in
      context.perform {
        note("begin")
        context.perform {
          note("1")
          context.perform {
            note("3")
            done.resume()
          }
        }
        context.perform { note("2") }
        context.performAndWait { note("inline") }
        note("end")
      }
    }
    #expect(order.withLock { $0 } == ["begin", "inline", "end", "1", "2", "3"])
  }

  @Test(arguments: TestStore.all)
  func immediateRunsAtOnceInsideOfTheContextAndEnqueuedLater(_ store: TestStore) async throws {
    let context = try context(store)
    let order = Mutex<[String]>([])
    let note: @Sendable (String) -> Void = { text in order.withLock { $0.append(text) } }
    let tasks = context.performAndWait {
      let later = Task.immediate { await context.perform(schedule: .enqueued) { note("enqueued") } }
      let now = Task.immediate {
        await context.perform(schedule: .immediate) { note("immediate") }
        note("after")
      }
      note("end")
      return [later, now]
    }
    for task in tasks { await task.value }
    let seen = order.withLock { $0 }
    #expect(seen.firstIndex(of: "immediate") == 0, "\(seen)")
    #expect(seen.firstIndex(of: "enqueued") ?? 0 > seen.firstIndex(of: "end") ?? 9, "\(seen)")
  }

  @MainActor @Test(arguments: TestStore.all) func immediateRunsAtOnceOnTheMainActor(_ store: TestStore) async throws {
    let main = try Self.mainContext(store)
    var order = [0]
    let task = Task.immediate { @MainActor in
      let value = await main.perform { MainQueue.isCurrent ? 1 : -1 }
      order.append(value)
    }
    order.append(2)
    await task.value
    #expect(order == [0, 1, 2])
    let later = Task.immediate { @MainActor in
      await main.perform(schedule: .enqueued) {}
      order.append(4)
    }
    order.append(3)
    await later.value
    #expect(order == [0, 1, 2, 3, 4])
  }

  @Test(arguments: TestStore.all) func errorsOfOneTypeAndValuesComeOut(_ store: TestStore) async throws {
    struct Failure: Error, Equatable { let number: Int }
    let context = try context(store)
    do throws(Failure) {
      try await context.perform { () throws(Failure) in throw Failure(number: 3) }
      Issue.record("nothing was thrown")
    } catch {
      #expect(error.number == 3)
    }
    #expect(throws: Failure(number: 4)) { try context.performAndWait { throw Failure(number: 4) } }
    #expect(await context.perform { [1, 2] } == [1, 2])
    #expect(await context.perform { nil as Int? } == nil)
    #expect(context.performAndWait { "text" } == "text")
  }

  /// Changes made on the main queue outside of `perform` are processed in a block of the main queue, once for all of them.
  @MainActor @Test(arguments: TestStore.all) func eventsOfTheMainQueueEnd(_ store: TestStore) async throws {
    let main = try Self.mainContext(store)
    try Self.deleteAuthor(main)
    main.events.scheduleEnd()
    #expect(main.event.isEndScheduled)
    main.events.scheduleEnd()
    #expect(Self.deletions(main) == 1)
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
    #expect(Self.deletions(main) == 2)
    #expect(!main.event.isEndScheduled)
    // Inside of `perform` the block's end is the event's, and inside of `performAndWait` it is not.
    await withCheckedContinuation { done in
      main.perform {
        main.events.scheduleEnd()
        #expect(!main.event.isEndScheduled)
        main.performAndWait { main.events.scheduleEnd() }
        #expect(!main.event.isEndScheduled)
        done.resume()
      }
    }
    main.performAndWait { main.events.scheduleEnd() }
    #expect(main.event.isEndScheduled)
    // A private context has no events but those of `perform`.
    let other = try context(store)
    other.performAndWait { other.events.scheduleEnd() }
    #expect(!other.event.isEndScheduled)
  }

  @MainActor @Test(arguments: TestStore.all) func aScheduledEndDoesNotKeepTheContext(_ store: TestStore) async throws {
    weak var gone: NSManagedObjectContext?
    do {
      let main = try Self.mainContext(store)
      gone = main
      main.events.scheduleEnd()
    }
    #expect(gone == nil)
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
  }
}
