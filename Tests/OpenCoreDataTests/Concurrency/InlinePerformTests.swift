import CoreData
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// Where an asynchronous `perform` runs its block.
@Suite struct InlinePerformTests {
  private func context(_ store: TestStore) throws -> NSManagedObjectContext {
    TestModel.context(try store.coordinator(TestModel.library()))
  }

  /// The block runs on the caller's thread or on the queue's; see `InlineBlocksTests`.
  @Test(arguments: TestStore.all) func anIdleQueueIsEntered(_ store: TestStore) async throws {
    let context = try context(store)
    #expect(await Task.detached { await context.perform { context.isEntered } }.value)
    // The queue is free again.
    #expect(context.performAndWait { context.isEntered })
  }

  /// A fetch would keep the main thread from what it is for.
  @MainActor @Test(arguments: TestStore.all) func nothingRunsOnTheMainThread(_ store: TestStore) async throws {
    let context = try context(store)
    for schedule in [NSManagedObjectContext.ScheduledTaskType.immediate, .enqueued] {
      let (isMain, count) = try await context.perform(schedule: schedule) {
        (MainQueue.isCurrent, try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Author")))
      }
      #expect(!isMain && count == 0)
    }
  }

  @Test(arguments: TestStore.all) func aBusyQueueIsWaitedFor(_ store: TestStore) async throws {
    let context = try context(store)
    let order = Mutex<[Int]>([])
    let hasBegun = DispatchSemaphore(value: 0), mayEnd = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      context.performAndWait {
        hasBegun.signal()
        mayEnd.wait()
        order.withLock { $0.append(1) }
      }
    }
    wait(hasBegun)
    async let second: Void = context.perform { order.withLock { $0.append(2) } }
    mayEnd.signal()
    await second
    #expect(order.withLock { $0 } == [1, 2])
  }

  private nonisolated func wait(_ semaphore: DispatchSemaphore) { semaphore.wait() }

  @Test(arguments: TestStore.all) func errorsComeOutAndTheQueueIsFreeAfterwards(_ store: TestStore) async throws {
    struct Failure: Error {}
    let context = try context(store)
    for _ in 0..<3 {
      await #expect(throws: Failure.self) { try await context.perform { throw Failure() } }
    }
    await Task.detached {
      do throws(Failure) {
        try await context.perform { () throws(Failure) in throw Failure() }
        Issue.record("nothing was thrown")
      } catch {}
    }.value
    #expect(await context.perform { 7 } == 7)
  }

  /// The block is an event: what it changes is processed when it ends.
  @Test(arguments: TestStore.all) func changesAreProcessedAndReadTransactionsEnd(_ store: TestStore) async throws {
    let context = try context(store)
    let told = Mutex(0)
    nonisolated(unsafe) let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { _ in told.withLock { $0 += 1 } }
    await Task.detached { await context.perform { _ = context.make("Author", ["name": "a"]) } }.value
    #expect(told.withLock { $0 } == 1)
    NotificationCenter.default.removeObserver(token)
  }

  @Test(arguments: TestStore.all) func aCancelledTaskStopsItsFetch(_ store: TestStore) async throws {
    let context = try context(store)
    let task = Task.detached {
      try await context.perform {
        withUnsafeCurrentTask { $0?.cancel() }
        return try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author")).count
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(
      try await context.perform { try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Author")) } == 0)
  }
}
