import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Contexts without a queue, as they were before there were others, and the locks of that time.
@Suite struct ConfinementTests {
  // What is tested is deprecated: by way of these nobody is warned of it.
  static func confined() -> NSManagedObjectContext {
    // The type has a case for 0.
    NSManagedObjectContext(concurrencyType: NSManagedObjectContextConcurrencyType(rawValue: 0)!)
  }

  @Test(arguments: TestStore.all) func worksOnTheThreadThatMadeIt(_ store: TestStore) throws {
    let context = Self.confined()
    context.persistentStoreCoordinator = try store.coordinator(TestModel.library())
    _ = context.make("Author", ["name": "a"])
    try context.save()
    #expect(try context.all("Author").count == 1)
    #expect(context.concurrencyType.rawValue == 0)
  }

  @Test func types() {
    #expect(NSManagedObjectContextConcurrencyType(rawValue: 1) == .privateQueueConcurrencyType)
    #expect(NSManagedObjectContextConcurrencyType(rawValue: 2) == .mainQueueConcurrencyType)
    #expect(NSManagedObjectContextConcurrencyType(rawValue: 3) == nil)
    #expect(NSManagedObjectContext.ConcurrencyType.mainQueue.rawValue == .mainQueueConcurrencyType)
    #expect(NSManagedObjectContext.ConcurrencyType(rawValue: .privateQueueConcurrencyType) == .privateQueue)
    #expect(NSManagedObjectContext(.privateQueue).concurrencyType == .privateQueueConcurrencyType)
    #expect(NSManagedObjectContext(.mainQueue).concurrencyType == .mainQueueConcurrencyType)
  }

  @Test func hasNoQueue() async {
    let wait = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ConfinementTests.confined().performAndWait {}
    }
    #expect(
      Self.text(wait).contains(
        "Can only use -performBlockAndWait: on an NSManagedObjectContext that was created with a queue."))
    let later = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ConfinementTests.confined().later {}
    }
    #expect(Self.text(later).contains("Can only use -performBlock: on an NSManagedObjectContext that was created with"))
    let task = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await ConfinementTests.confined().perform {}
    }
    #expect(Self.text(task).contains("Can only use -performBlock: on an NSManagedObjectContext that was created with"))
  }

  static func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  /// Threads that take turns by the context's lock.
  @available(*, deprecated)
  private static func takeTurns() throws {
    let context = NSManagedObjectContext()
    context.persistentStoreCoordinator = try TestModel.coordinator(TestModel.library())
    #expect(context.concurrencyType == .confinementConcurrencyType)
    let count = 20 * Soak.factor
    Soak.threads(4) { _ in
      for _ in 0..<count {
        context.lock()
        #expect(context.tryLock())
        context.unlock()
        _ = context.make("Author", ["name": "a"])
        try context.save()
        context.unlock()
      }
    }
    #expect(try context.all("Author").count == 4 * count)
    context.lock()
    Soak.threads(1) { _ in #expect(!context.tryLock()) }
    context.unlock()
    Soak.threads(1) { _ in
      #expect(context.tryLock())
      context.unlock()
    }
  }

  private protocol Deprecated { static func run() throws }
  private enum Turns: Deprecated {
    @available(*, deprecated) static func run() throws { try ConfinementTests.takeTurns() }
  }

  @Test func threadsTakeTurns() throws {
    let turns: any Deprecated.Type = Turns.self
    try turns.run()
  }
}
