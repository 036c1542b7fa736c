import CoreData
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// Threads that are inside of contexts and wait for each other's.
@Suite struct CrosswiseWaitTests {
  /// Lets threads go on when all of them are there.
  private final class Meeting: Sendable {
    private let condition = NSCondition()
    private let missing: Mutex<Int>

    init(_ count: Int) { missing = Mutex(count) }

    func wait() {
      condition.lock()
      missing.withLock { $0 -= 1 }
      condition.broadcast()
      while missing.withLock({ $0 }) > 0 { condition.wait() }
      condition.unlock()
    }
  }

  /// A number that nothing protects but its context.
  private final class Counter: @unchecked Sendable {  // belongs to a context's queue
    private var value = 0

    func count(_ pause: Int) {
      let old = value
      // Another thread that came here meanwhile would be lost.
      for _ in 0..<pause { sched_yield() }
      value = old + 1
    }

    var total: Int { value }
  }

  private static func coordinator() throws -> NSPersistentStoreCoordinator {
    try TestModel.coordinator(TestModel.library())
  }

  private static func mainContext(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
    let main = NSManagedObjectContext(.mainQueue)
    main.persistentStoreCoordinator = coordinator
    return main
  }

  /// Each thread is inside of one context and asks for the next one's; the last one's next is the first.
  @Test(arguments: [2, 3, 7]) func rings(count: Int) throws {
    let coordinator = try Self.coordinator()
    let contexts = (0..<count).map { _ in TestModel.context(coordinator) }
    let counters = contexts.map { _ in Counter() }
    for _ in 0..<20 * Soak.factor {
      let meeting = Meeting(count)
      Soak.threads(count) { number in
        let next = (number + 1) % count
        contexts[number].performAndWait {
          counters[number].count(1)
          meeting.wait()
          contexts[next].performAndWait {
            counters[next].count(1)
            contexts[number].performAndWait { counters[number].count(1) }
          }
          counters[number].count(1)
        }
      }
    }
    for (context, counter) in zip(contexts, counters) {
      #expect(context.performAndWait { counter.total } == 80 * Soak.factor)
    }
  }

  /// Blocks of `perform` that wait crosswise, and saves from inside.
  @Test func queuedBlocks() throws {
    let coordinator = try Self.coordinator()
    let a = TestModel.context(coordinator), b = TestModel.context(coordinator)
    let rounds = 10 * Soak.factor
    for _ in 0..<rounds {
      let meeting = Meeting(2), group = DispatchGroup()
      for (own, other) in [(a, b), (b, a)] {
        group.enter()
        own.perform {
          meeting.wait()
          other.performAndWait {
            _ = other.make("Author", ["name": "x"])
            #expect(throws: Never.self) { try other.save() }
          }
          #expect(throws: Never.self) { try own.save() }
          group.leave()
        }
      }
      #expect(group.wait(timeout: Patience.limit) == .success)
    }
    #expect(try a.performAndWait { try a.all("Author").count } == 2 * rounds)
  }

  /// The main queue waits for a private context, whose block wants one of the main queue: as of a child's save.
  @Test(arguments: [false, true]) func theMainQueueAndAChild(isInside: Bool) async throws {
    let coordinator = try Self.coordinator()
    let main = Self.mainContext(coordinator), child = TestModel.context(coordinator)
    let counter = Counter()
    for _ in 0..<20 * Soak.factor {
      let meeting = Meeting(2)
      let group = DispatchGroup()
      group.enter()
      child.later {
        meeting.wait()
        main.performAndWait {
          counter.count(2)
          child.performAndWait { counter.count(2) }
        }
        group.leave()
      }
      group.enter()
      DispatchQueue.main.async {
        meeting.wait()
        if isInside {
          main.performAndWait { child.performAndWait { main.performAndWait { counter.count(2) } } }
        } else {
          child.performAndWait { counter.count(2) }
        }
        group.leave()
      }
      let groupEnds = await Self.waits(for: group)
      #expect(groupEnds)
    }
    #expect(await main.perform { counter.total } == 60 * Soak.factor)
  }

  private static func waits(for group: DispatchGroup) async -> Bool {
    await withCheckedContinuation { done in
      Thread.detachNewThread { done.resume(returning: group.wait(timeout: Patience.limit) == .success) }
    }
  }

  /// Worker, main, writer: each asks for the next, which is how nested contexts save, while the writer asks back.
  @Test func threeLevels() async throws {
    let coordinator = try Self.coordinator()
    let writer = TestModel.context(coordinator), worker = TestModel.context(coordinator)
    let main = Self.mainContext(coordinator)
    let counter = Counter()
    let group = DispatchGroup(), rounds = 30 * Soak.factor
    for _ in 0..<rounds {
      group.enter()
      worker.later {
        main.performAndWait { writer.performAndWait { counter.count(1) } }
        group.leave()
      }
      group.enter()
      writer.later {
        main.performAndWait { _ = 1 }
        worker.performAndWait { _ = 1 }
        counter.count(1)
        group.leave()
      }
      group.enter()
      DispatchQueue.main.async {
        worker.performAndWait { writer.performAndWait { counter.count(1) } }
        group.leave()
      }
    }
    let groupEnds = await Self.waits(for: group)
    #expect(groupEnds)
    #expect(writer.performAndWait { counter.total } == 3 * rounds)
  }

  /// Threads enter contexts at random, one inside of the other; numbers that the contexts alone protect come out right.
  @Test(arguments: [false, true]) func anyContextFromAnywhere(hasMain: Bool) async throws {
    let coordinator = try Self.coordinator()
    let contexts =
      (0..<4).map { _ in TestModel.context(coordinator) }
      + (0..<(hasMain ? 2 : 0)).map { _ in Self.mainContext(coordinator) }
    let counters = contexts.map { _ in Counter() }
    let expected = Mutex(contexts.map { _ in 0 })
    let seed = SeededGenerator.makeSeed(for: "crosswise, main \(hasMain)")
    let later = DispatchGroup()

    @Sendable func walk(_ depth: Int, _ random: inout SeededGenerator) {
      let number = Int.random(in: 0..<contexts.count, using: &random)
      contexts[number].performAndWait {
        counters[number].count(Int.random(in: 0...2, using: &random))
        expected.withLock { $0[number] += 1 }
        for _ in 0..<Int.random(in: 0...2, using: &random) where depth > 0 { walk(depth - 1, &random) }
        counters[number].count(Int.random(in: 0...2, using: &random))
        expected.withLock { $0[number] += 1 }
        if Int.random(in: 0..<8, using: &random) == 0 {
          let seed = random.next()
          later.enter()
          contexts[Int.random(in: 0..<contexts.count, using: &random)].perform {
            var random = SeededGenerator(seed: seed)
            if depth > 0 { walk(depth - 1, &random) }
            later.leave()
          }
        }
      }
    }

    let done = DispatchGroup()
    for number in 0..<6 {
      done.enter()
      Thread.detachNewThread {
        var random = SeededGenerator(seed: seed &+ UInt64(number))
        for _ in 0..<150 * Soak.factor { walk(4, &random) }
        done.leave()
      }
    }
    let doneEnds = await Self.waits(for: done)
    #expect(doneEnds, "the threads wait for each other")
    let laterEnds = await Self.waits(for: later)
    #expect(laterEnds, "blocks wait for each other")
    for (number, context) in contexts.enumerated() {
      #expect(await context.perform { counters[number].total } == expected.withLock { $0[number] })
    }
  }
}

extension NSManagedObjectContext {
  /// `perform(_:)`, where the asynchronous one would be meant.
  func later(_ block: @escaping () -> Void) { perform(block) }
}
