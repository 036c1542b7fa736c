import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Programs whose main queue is not served.
@Suite struct MainQueueWatchTests {
  /// Keeps the main queue busy for good.
  private static func block(_ body: @escaping @Sendable (() -> Void) -> Void) {
    DispatchQueue.main.async { body { DispatchSemaphore(value: 0).wait() } }
  }

  /// Waits until that many lines were said, and ends the program.
  private static func end(after reports: Int) -> Never {
    let isSaid = Soak.wait { MainQueueWatch.reports.load(ordering: .acquiring) >= reports }
    exit(isSaid ? 0 : 1)
  }

  private static func lines(_ result: ExitTest.Result?) -> [Substring] {
    ConfinementTests.text(result).split(separator: "\n").filter { $0.hasPrefix("CoreData: warning:") }
  }

  @Test func aBlockThatNeverBegins() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      MainQueueWatch.patience.store(100, ordering: .relaxed)
      Self.block { $0() }
      NSManagedObjectContext(.mainQueue).later {}
      NSManagedObjectContext(.mainQueue).later {}
      Self.end(after: 2)
    }
    let lines = Self.lines(result)
    // At growing intervals: on a slow machine there may be a third one.
    #expect(lines.count >= 2, "\(lines)")
    for word in ["dispatchMain()", "RunLoop.main.run()", "await", "The main thread is not inside a performAndWait"] {
      #expect(lines.first?.contains(word) == true, "\(word) is missing")
    }
  }

  @Test func performAndWaitThatNeverBegins() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      MainQueueWatch.patience.store(100, ordering: .relaxed)
      Self.block { $0() }
      Thread.detachNewThread { NSManagedObjectContext(.mainQueue).performAndWait {} }
      Self.end(after: 1)
    }
    // At growing intervals: on a slow machine there may be a second one.
    #expect(!Self.lines(result).isEmpty)
  }

  @Test func theMainThreadWaitsForAContext() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      MainQueueWatch.patience.store(300, ordering: .relaxed)
      let context = NSManagedObjectContext(.privateQueue)
      let isBusy = DispatchSemaphore(value: 0)
      context.later {
        isBusy.signal()
        DispatchSemaphore(value: 0).wait()
      }
      Self.block { _ in context.performAndWait {} }
      // Nothing is said before the main thread waits, or it would be about a busy one.
      guard Soak.wait({ WaitGraph.mainThreadWaits }) else { exit(2) }
      let task = Task { await NSManagedObjectContext(.mainQueue).perform {} }
      Self.end(after: task.isCancelled ? 9 : 1)
    }
    #expect(Self.lines(result).first?.contains("The main thread is inside a performAndWait") == true)
  }

  @Test func whereTheQueueIsServedNothingIsSaid() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let context = NSManagedObjectContext(.mainQueue)
      for _ in 0..<200 { await context.perform {} }
      // Those that look later find that all have begun.
      #expect(MainQueueWatch.reports.load(ordering: .acquiring) == 0)
      exit(MainQueueWatch.reports.load(ordering: .acquiring) == 0 ? 0 : 1)
    }
    #expect(Self.lines(result).isEmpty)
  }
}
