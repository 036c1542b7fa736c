import CoreData
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// `perform` and `performAndWait`: order, nesting, queues.
@Suite struct PerformTests {
  private func contexts(_ store: TestStore) throws -> (NSManagedObjectContext, NSManagedObjectContext) {
    let coordinator = try store.coordinator(TestModel.library())
    return (TestModel.context(coordinator), TestModel.context(coordinator))
  }

  @Test(arguments: TestStore.all) func nestedCallsRunAtOnce(_ store: TestStore) throws {
    let (a, b) = try contexts(store)
    var order: [Int] = []
    a.performAndWait {
      order.append(1)
      b.performAndWait {
        order.append(2)
        a.performAndWait {
          order.append(3)
          b.performAndWait { order.append(4) }
        }
      }
    }
    #expect(order == [1, 2, 3, 4])
  }

  @Test(arguments: TestStore.all) func nestedCallsSaveAndRead(_ store: TestStore) throws {
    let (a, b) = try contexts(store)
    try a.performAndWait {
      _ = a.make("Author", ["name": "a"])
      try a.save()
      try b.performAndWait {
        #expect(try b.all("Author").count == 1)
        _ = b.make("Author", ["name": "b"])
        try b.save()
        #expect(try a.performAndWait { try a.all("Author").count } == 2)
      }
      #expect(try a.all("Author").count == 2)
    }
  }

  /// The innermost call comes from the main thread, but on behalf of one that is in `a` already.
  @Test(arguments: TestStore.all) func nestedThroughTheMainQueue(_ store: TestStore) async throws {
    let coordinator = try store.coordinator(TestModel.library())
    let a = TestModel.context(coordinator)
    let main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    main.persistentStoreCoordinator = coordinator
    let depth = await withCheckedContinuation { (continuation: CheckedContinuation<Int, Never>) in
      Thread.detachNewThread {
        let depth = a.performAndWait { main.performAndWait { a.performAndWait { 3 } } }
        continuation.resume(returning: depth)
      }
    }
    #expect(depth == 3)
  }

  @Test(arguments: TestStore.all) func errorsAndValuesComeOut(_ store: TestStore) throws {
    struct Failure: Error {}
    let (a, b) = try contexts(store)
    #expect(throws: Failure.self) { try a.performAndWait { try b.performAndWait { throw Failure() } } }
    #expect(a.performAndWait { b.performAndWait { 7 } } == 7)
  }

  @Test(arguments: TestStore.all) func blocksRunInOrderAndOneAtATime(_ store: TestStore) throws {
    let (a, _) = try contexts(store)
    let running = Atomic(0), count = Atomic(0)
    let done = DispatchSemaphore(value: 0)
    let total = 200 * Soak.factor
    for number in 0..<total {
      a.perform {
        #expect(running.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue == 1)
        #expect(count.wrappingAdd(1, ordering: .relaxed).oldValue == number)
        running.wrappingSubtract(1, ordering: .acquiringAndReleasing)
        if number == total - 1 { done.signal() }
      }
    }
    #expect(done.wait(timeout: Patience.limit) == .success)
  }

  @Test(arguments: TestStore.all) func mainQueueContextsRunOnTheMainThread(_ store: TestStore) async throws {
    let coordinator = try store.coordinator(TestModel.library())
    let main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    main.persistentStoreCoordinator = coordinator
    #expect(await main.perform { MainQueue.isCurrent })
    let saved = try await main.perform {
      _ = main.make("Author", ["name": "m"])
      try main.save()
      return try main.all("Author").count
    }
    #expect(saved == 1)
    let isDirect = await MainActor.run { main.performAndWait { MainQueue.isCurrent } }
    #expect(isDirect)
    let other = TestModel.context(coordinator)
    let count = await other.perform { main.concurrencyType == .mainQueueConcurrencyType ? 1 : 0 }
    #expect(count == 1)
  }

  @Test(arguments: TestStore.all) func waitingRunsAtOnceAndWhatIsHandedOverInItsOrder(_ store: TestStore) async throws {
    let (a, _) = try contexts(store)
    let order = Mutex<[Int]>([])
    await withCheckedContinuation { continuation in
      a.perform {
        a.perform { order.withLock { $0.append(2) } }
        a.performAndWait { order.withLock { $0.append(1) } }
        continuation.resume()
      }
    }
    await a.perform(schedule: .enqueued) { order.withLock { $0.append(3) } }
    #expect(order.withLock { $0 } == [1, 2, 3])
  }

  /// Many tasks at once: one thread of the pool works for the context at most, and none waits for it.
  @Test(arguments: TestStore.all) func manyTasksShareOneContext(_ store: TestStore) async throws {
    let (a, _) = try contexts(store)
    let count = 100 * Soak.factor
    let total = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<count {
        group.addTask {
          try await a.perform {
            _ = a.make("Author", ["name": "\(number)"])
            if number % 10 == 0 { try a.save() }
            return 1
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(total == count)
    let authors = try await a.perform {
      try a.save()
      return try a.count(for: NSFetchRequest<NSManagedObject>(entityName: "Author"))
    }
    #expect(authors == count)
  }
}
