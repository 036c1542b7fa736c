import CoreData
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// Asynchronous blocks leave a thread to other tasks. Each test has a process of its own, where no other block is counted.
@Suite struct InlineBlocksTests {
  static let hasSeveralProcessors = CooperativeThreads.count > 1

  @Test func allThreadsButOneAreForBlocks() {
    #expect(InlineBlocks.limit.load(ordering: .relaxed) == CooperativeThreads.count - 1)
    #expect((1...sysconf(Int32(_SC_NPROCESSORS_CONF))).contains(CooperativeThreads.count))
  }

  @Test func anIdleQueueRunsTheBlockOnTheCallersThread() async {
    await #expect(processExitsWith: .success) {
      InlineBlocks.limit.store(1, ordering: .relaxed)
      let context = TestModel.context(try TestModel.coordinator(TestModel.library()))
      for _ in 0..<3 {
        let (before, inside, isEntered) = await Task.detached {
          let before = InlineBlocksTests.thread
          let (inside, isEntered) = await context.perform { (InlineBlocksTests.thread, context.isEntered) }
          return (before, inside, isEntered)
        }.value
        #expect(before == inside && isEntered)
      }
    }
  }

  /// The blocks are held by a latch, so that all cooperative threads but one are.
  @Test(.enabled(if: hasSeveralProcessors)) func theBlockThatWouldTakeTheLastThreadGoesToItsQueue() async {
    await #expect(processExitsWith: .success) {
      let coordinator = try TestModel.coordinator(TestModel.library())
      let latch = Latch()
      let count = CooperativeThreads.count - 1
      let held = (0..<count).map { _ in TestModel.context(coordinator) }
      let ran = held.map { context in
        Task.detached { await context.perform { latch.hold() } }
      }
      latch.waitUntilHeld(count)

      let context = TestModel.context(coordinator)
      let next = await Task.detached { await context.perform { InlineBlocksTests.isOnCallersThread } }.value
      let other = await Task.detached { InlineBlocksTests.isOnCallersThread }.value
      latch.open()
      for task in ran {
        let isOnCallersThread = await task.value
        #expect(isOnCallersThread)
      }
      #expect(!next && other)
      // The threads are free again. The queue of the other context may not be yet, when its block has just ended.
      let idle = TestModel.context(coordinator)
      let last = await Task.detached { await idle.perform { InlineBlocksTests.isOnCallersThread } }.value
      #expect(last)
    }
  }

  @Test func withOneProcessorAllBlocksGoToTheirQueues() async {
    await #expect(processExitsWith: .success) {
      InlineBlocks.limit.store(0, ordering: .relaxed)
      let context = TestModel.context(try TestModel.coordinator(TestModel.library()))
      for _ in 0..<3 {
        let isInline = await Task.detached { await context.perform { InlineBlocksTests.isOnCallersThread } }.value
        #expect(!isInline)
      }
    }
  }

  /// A block runs on its queue whose store may wait for a server, and a child's block, too; also if the store was added later,
  /// and not any more when it is removed.
  @Test func blocksOverAServerGoToTheirQueues() async {
    await #expect(processExitsWith: .success) {
      InlineBlocks.limit.store(1, ordering: .relaxed)
      let coordinator = try TestModel.coordinator(TestModel.library())
      // New contexts each time: a queue may not be idle yet when its block has just ended.
      func areInline() async -> [Bool] {
        let context = TestModel.context(coordinator)
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context
        return await Task.detached {
          [
            await context.perform { InlineBlocksTests.isOnCallersThread },
            await child.perform { InlineBlocksTests.isOnCallersThread },
          ]
        }.value
      }
      #expect(await areInline() == [true, true])
      NSPersistentStoreCoordinator.registerStoreClass(FarStore.self, forStoreType: FarStore.name)
      let store = try coordinator.addPersistentStore(ofType: FarStore.name, configurationName: nil, at: nil)
      #expect(await areInline() == [false, false])
      try coordinator.remove(store)
      #expect(await areInline() == [true, true])
    }
  }

  /// A task that a thread of the program's own begins at once does not hold up that thread.
  @Test func threadsOfOthersAreNotHeld() async {
    await #expect(processExitsWith: .success) {
      InlineBlocks.limit.store(1, ordering: .relaxed)
      let context = TestModel.context(try TestModel.coordinator(TestModel.library()))
      let (before, inside) = await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          Task.immediate {
            let before = InlineBlocksTests.thread
            let inside = await context.perform { InlineBlocksTests.thread }
            continuation.resume(returning: (before, inside))
          }
        }
      }
      #expect(before != inside)
    }
  }

  /// A block that waits for another context's block, which the last thread passes on to a queue, ends.
  @Test func aBlockMayWaitForABlockOfAnotherContext() async {
    await #expect(processExitsWith: .success) {
      let coordinator = try TestModel.coordinator(TestModel.library())
      let outer = (0..<8).map { _ in TestModel.context(coordinator) }
      let inner = TestModel.context(coordinator)
      let sum = await withTaskGroup(of: Int.self) { group in
        for (number, context) in outer.enumerated() {
          group.addTask { await context.perform { inner.performAndWait { number } } }
        }
        return await group.reduce(0, +)
      }
      #expect(sum == 28)
    }
  }

  /// Whether a block, or a task, runs on a cooperative thread.
  static var isOnCallersThread: Bool { CooperativeThreads.haveCaller }

  static var thread: UInt { UInt(pthread_self()) }
}

/// Holds blocks until it is opened.
private final class Latch: Sendable {
  private let arrivals = DispatchSemaphore(value: 0), departures = DispatchSemaphore(value: 0)
  private let count = Atomic<Int>(0)

  /// Holds the calling block; returns whether it is on a cooperative thread.
  func hold() -> Bool {
    let isOnCallersThread = InlineBlocksTests.isOnCallersThread
    count.wrappingAdd(1, ordering: .relaxed)
    arrivals.signal()
    departures.wait()
    return isOnCallersThread
  }

  func waitUntilHeld(_ number: Int) { for _ in 0..<number { arrivals.wait() } }

  func open() { for _ in 0..<count.load(ordering: .relaxed) { departures.signal() } }
}

/// A store of a client's own class.
private final class FarStore: NSIncrementalStore, @unchecked Sendable {  // has no state of its own
  static let name = "FarStore"

  override func loadMetadata() throws {
    metadata = [NSStoreUUIDKey: UUID().uuidString, NSStoreTypeKey: Self.name]
  }
}
