import Dispatch
import Foundation
import Synchronization

/// The queue of main-queue contexts.
enum MainQueue {
  private static let mark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether the calling code runs on the main thread or, after a top-level `await`, on the main queue.
  static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mark) == true }

  /// Runs `block` on the main queue, later.
  static func async(_ block: @escaping () -> Void) {
    // The block crosses to the queue once and is run there alone.
    nonisolated(unsafe) let block = block
    MainQueueWatch.submitted()
    DispatchQueue.main.async {
      MainQueueWatch.begun()
      block()
    }
  }

  /// Runs `block` on the main queue and waits for it.
  static func sync(_ block: () -> Void) {
    MainQueueWatch.submitted()
    withoutActuallyEscaping(block) { block in
      // The caller waits, so nothing is touched from two threads at once.
      nonisolated(unsafe) let block = block
      DispatchQueue.main.sync {
        MainQueueWatch.begun()
        block()
      }
    }
  }
}

/// Warns when blocks for the main queue wait although no main loop runs.
///
/// A program on Linux may have no main loop, and would hang without a word. The check costs two counters for each block;
/// at most one timer is running.
enum MainQueueWatch {
  private static let submissions = Atomic<Int>(0)
  private static let beginnings = Atomic<Int>(0)
  private static let isWatching = Atomic<Bool>(false)
  /// How long the next block may wait before a warning is written, in milliseconds; ten times as long after each warning.
  static let patience = Atomic<Int>(3000)
  static let reports = Atomic<Int>(0)

  /// Notes that a block was handed to the main queue.
  @inline(__always)
  static func submitted() {
    submissions.wrappingAdd(1, ordering: .relaxed)
    if !isWatching.load(ordering: .relaxed) { watch() }
  }

  /// Notes that the next block has begun. The queue runs its blocks in order.
  @inline(__always)
  static func begun() { beginnings.wrappingAdd(1, ordering: .relaxed) }

  private static func watch() {
    guard !isWatching.exchange(true, ordering: .relaxed) else { return }
    wait(until: submissions.load(ordering: .relaxed), patience.load(ordering: .relaxed), waited: 0)
  }

  private static func wait(until number: Int, _ milliseconds: Int, waited: Int) {
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
      check(number, waited: waited + milliseconds)
    }
  }

  private static func check(_ number: Int, waited: Int) {
    if beginnings.load(ordering: .relaxed) < number {
      report(waited)
      let next = patience.load(ordering: .relaxed) * 10
      patience.store(next, ordering: .relaxed)
      return wait(until: number, next - waited, waited: waited)
    }
    isWatching.store(false, ordering: .relaxed)
    // A block that was submitted meanwhile found this watcher, and started none.
    if beginnings.load(ordering: .relaxed) < submissions.load(ordering: .relaxed) { watch() }
  }

  private static func report(_ milliseconds: Int) {
    let state =
      WaitGraph.mainThreadWaits
      ? "The main thread is inside a performAndWait and waits for another context."
      : "The main thread is not inside a performAndWait: it is busy, or waits for something else."
    let text =
      "CoreData: warning: a block for a main-queue NSManagedObjectContext has waited \(milliseconds / 1000) s for the main "
      + "queue and has not begun. Main-queue contexts need a main thread that runs its loop: end the program's main "
      + "code with dispatchMain() or RunLoop.main.run(), or wait with 'await' instead of blocking (D-CON-02). \(state)\n"
    FileHandle.standardError.write(Data(text.utf8))
    reports.wrappingAdd(1, ordering: .releasing)
  }
}
