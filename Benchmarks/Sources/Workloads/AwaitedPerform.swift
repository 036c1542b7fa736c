import CoreData
import Foundation
import PerformanceTuning
import Synchronization

/// Awaits blocks of an idle private context, one after another, in a detached task.
func runAwaited(_ store: Store) throws {
  let stack = try store.open()
  let context = stack.container.newBackgroundContext()
  try measure("await-perform") {
    let outcome = Outcome()
    Task.detached {
      var sum = 0
      for number in 0..<operations { sum &+= await context.perform { number } }
      outcome.end(sum)
    }
    return outcome.wait()
  }
}

/// The result that a task passes to the waiting thread.
private final class Outcome: Sendable {
  private let sum = Atomic(0)
  private let hasEnded = DispatchSemaphore(value: 0)

  func end(_ value: Int) {
    sum.store(value, ordering: .releasing)
    hasEnded.signal()
  }

  func wait() -> Int {
    hasEnded.wait()
    return sum.load(ordering: .acquiring)
  }
}
