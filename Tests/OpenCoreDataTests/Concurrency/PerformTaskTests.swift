import CoreData
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// What a block of an asynchronous `perform` finds of its caller's task, on whatever thread it runs.
@Suite struct PerformTaskTests {
  @TaskLocal private static var mark = "none"

  /// The numbers of blocks, in the order in which they began.
  private final class Order: Sendable {
    private let noted = Mutex<[Int]>([])
    func note(_ number: Int) { noted.withLock { $0.append(number) } }
    var numbers: [Int] { noted.withLock { $0 } }
  }

  /// A context, and whether its queue is busy until `mayEnd` is signalled.
  private func context(
    _ store: TestStore, isBusy: Bool
  ) throws -> (context: NSManagedObjectContext, mayEnd: DispatchSemaphore) {
    let context = TestModel.context(try store.coordinator(TestModel.library()))
    let hasBegun = DispatchSemaphore(value: 0), mayEnd = DispatchSemaphore(value: 0)
    if isBusy {
      context.perform {
        hasBegun.signal()
        mayEnd.wait()
      }
      hasBegun.wait()
    }
    return (context, mayEnd)
  }

  /// In an asynchronous function the name would mean the `perform` that is awaited.
  private func later(_ context: NSManagedObjectContext, _ block: @escaping () -> Void) { context.perform(block) }

  @Test(arguments: TestStore.all, [false, true])
  func theBlockHasTheTasksValues(_ store: TestStore, isBusy: Bool) async throws {
    let (context, mayEnd) = try context(store, isBusy: isBusy)
    let task = Self.$mark.withValue("of the caller") {
      Task(priority: .high) { await context.perform { (Self.mark, Task.currentPriority) } }
    }
    mayEnd.signal()
    let found = await task.value
    #expect(found.0 == "of the caller")
    // Waiting for the task may raise its priority.
    #expect(found.1 >= .high)
    #expect(await context.perform { Self.mark } == "none")
  }

  /// Where the block cannot throw a CancellationError, it runs all the same and can ask.
  @Test(arguments: TestStore.all, [false, true])
  func theBlockSeesThatItsTaskIsCancelled(_ store: TestStore, isBusy: Bool) async throws {
    let (context, mayEnd) = try context(store, isBusy: isBusy)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return await context.perform { Task.isCancelled }
    }
    task.cancel()
    mayEnd.signal()
    #expect(await task.value)
  }

  @Test(arguments: TestStore.all, [false, true])
  func theBlockSeesThatItsTaskIsCancelledMeanwhile(_ store: TestStore, isBusy: Bool) async throws {
    let (context, mayEnd) = try context(store, isBusy: isBusy)
    let hasBegun = DispatchSemaphore(value: 0), isCancelled = DispatchSemaphore(value: 0)
    let task = Task {
      try await context.perform { () throws in
        hasBegun.signal()
        isCancelled.wait()
        return Task.isCancelled
      }
    }
    mayEnd.signal()
    await withCheckedContinuation { done in
      Thread.detachNewThread {
        hasBegun.wait()
        task.cancel()
        isCancelled.signal()
        done.resume()
      }
    }
    #expect(try await task.value)
  }

  /// Blocks of one context begin in the order in which they were asked for, whatever asks.
  @Test(arguments: TestStore.all) func blocksBeginInTheirOrder(_ store: TestStore) async throws {
    let (context, mayEnd) = try context(store, isBusy: true)
    let order = Order()
    var tasks: [Task<Void, Never>] = []
    for number in 0..<10 {
      if number % 3 == 0 {
        later(context) { order.note(number) }
      } else {
        let waiting = context.turns.looked.waitingBlocks
        tasks.append(Task { await context.perform { order.note(number) } })
        while context.turns.looked.waitingBlocks == waiting { await Task.yield() }
      }
    }
    mayEnd.signal()
    for task in tasks { await task.value }
    await context.perform {}
    #expect(order.numbers == Array(0..<10))
  }
}
