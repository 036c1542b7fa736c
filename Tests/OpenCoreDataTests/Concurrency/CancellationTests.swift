import CoreData
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// Tasks that are cancelled while their `perform` waits for its turn.
@Suite struct CancellationTests {
  /// Keeps a context busy until it is told to end, or is gone. However long this takes, no other block begins before.
  private final class Stopper: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    init(_ context: NSManagedObjectContext) {
      let semaphore = semaphore
      context.perform { semaphore.wait() }
    }

    deinit { semaphore.signal() }

    func end() { semaphore.signal() }
  }

  /// Which blocks were run.
  private final class Runs: Sendable {
    private let numbers = Mutex<Set<Int>>([])
    func note(_ number: Int) { numbers.withLock { _ = $0.insert(number) } }
    func contains(_ number: Int) -> Bool { numbers.withLock { $0.contains(number) } }
  }

  private func context(_ store: TestStore) throws -> NSManagedObjectContext {
    TestModel.context(try store.coordinator(TestModel.library()))
  }

  private func isCancellation<Value>(_ result: Result<Value, any Error>) -> Bool {
    if case .failure(let error) = result { return error is CancellationError }
    return false
  }

  /// The task gets its error although the context is busy, and its block never runs.
  @Test(arguments: TestStore.all) func aWaitingBlockIsNotRun(_ store: TestStore) async throws {
    let context = try context(store)
    let stopper = Stopper(context)
    let runs = Runs()
    let task = Task {
      try await context.perform { () throws in
        runs.note(1)
        try context.save()
      }
    }
    task.cancel()
    #expect(isCancellation(await task.result))
    stopper.end()
    await context.perform(schedule: .enqueued) {}
    #expect(!runs.contains(1))
  }

  @Test(arguments: TestStore.all) func aTaskThatIsCancelledBeforeItAsksRunsNothing(_ store: TestStore) async throws {
    let context = try context(store)
    let runs = Runs()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await context.perform { () throws in runs.note(1) }
    }
    task.cancel()
    #expect(isCancellation(await task.result))
    #expect(!runs.contains(1))
  }

  /// There is no error that it could throw, so that it runs.
  @Test(arguments: TestStore.all) func aBlockThatDoesNotThrowRunsAllTheSame(_ store: TestStore) async throws {
    struct Failure: Error {}
    let context = try context(store)
    let stopper = Stopper(context)
    let plain = Task { await context.perform { 7 } }
    let typed = Task { try await context.perform { () throws(Failure) -> Int in throw Failure() } }
    plain.cancel()
    typed.cancel()
    stopper.end()
    #expect(await plain.value == 7)
    await #expect(throws: Failure.self) { try await typed.value }
  }

  @Test(arguments: TestStore.all) func aBlockThatHasBegunEnds(_ store: TestStore) async throws {
    let context = try context(store)
    let hasBegun = DispatchSemaphore(value: 0), mayEnd = DispatchSemaphore(value: 0)
    let task = Task {
      try await context.perform { () throws -> Bool in
        hasBegun.signal()
        _ = mayEnd.wait(timeout: Patience.limit)
        _ = context.make("Author", ["name": "a"])
        try context.save()
        return true
      }
    }
    await withCheckedContinuation { done in
      Thread.detachNewThread {
        hasBegun.wait()
        task.cancel()
        mayEnd.signal()
        done.resume()
      }
    }
    #expect(try await task.value)
    #expect(try await context.perform { try context.all("Author").count } == 1)
  }

  /// Tasks cancelled at any moment: each has run its block or got the error, never both or neither.
  @Test(arguments: TestStore.all) func cancellationsAtRandom(_ store: TestStore) async throws {
    let context = try context(store)
    let count = 200 * Soak.factor
    var random = SeededGenerator(seed: SeededGenerator.makeSeed(for: "cancellations"))
    let ran = Runs()
    var cancelled = 0, done = 0
    for base in stride(from: 0, to: count, by: 20) {
      // Of every second batch no block can begin before the cancelling is over.
      let stopper = base % 40 == 0 ? Stopper(context) : nil
      let tasks = (base..<base + 20).map { number in
        Task {
          try await context.perform { () throws -> Int in
            ran.note(number)
            return number
          }
        }
      }
      let shuffled = tasks.shuffled(using: &random)
      // The first is cancelled for certain, the last is not.
      for (place, task) in shuffled.dropLast().enumerated() where place == 0 || Bool.random(using: &random) {
        if Bool.random(using: &random) { await Task.yield() }
        task.cancel()
      }
      stopper?.end()
      let before = cancelled
      for (number, task) in zip(base..., tasks) {
        let hasRun: Bool
        switch await task.result {
        case .success(let value):
          #expect(value == number)
          hasRun = true
          done += 1
        case .failure(let error):
          #expect(error is CancellationError)
          hasRun = false
          cancelled += 1
        }
        #expect(ran.contains(number) == hasRun)
      }
      if stopper != nil { #expect(cancelled > before) }
    }
    #expect(done + cancelled == count && done >= count / 20 && cancelled >= count / 40)
  }
}
