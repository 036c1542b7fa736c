import Foundation

extension NSManagedObjectContext {
  /// Whether the calling thread may use the context now.
  final var isEntered: Bool {
    ContextStack.contains(self) || (concurrencyType == .mainQueueConcurrencyType && MainQueue.isCurrent)
  }

  /// Runs `block` on the context's queue, later; changes are processed when it ends.
  ///
  /// On a main-queue context the block runs when the program's main run loop or `dispatchMain()` gets to it.
  public final func perform(_ block: @escaping () -> Void) {
    // The block crosses to the queue once and is run there alone.
    nonisolated(unsafe) let block = block
    queue.async { self.runEvent(block) }
  }

  /// Runs `block` on the context's queue and waits for it; at once if the caller is on the queue already.
  ///
  /// Calls may be nested, also through other contexts.
  public final func performAndWait<Result, Failure: Error>(
    _ block: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if isEntered { return try ContextStack.enter(self, block) }
    // The caller waits, so nothing is touched from two threads at once.
    nonisolated(unsafe) var outcome: Swift.Result<Result, Failure>?
    withoutActuallyEscaping(block) { block in
      nonisolated(unsafe) let block = block
      // The main queue's block may run on another thread, which is then inside of the caller's contexts, too.
      nonisolated(unsafe) let waiting = ContextStack.current
      queue.sync {
        outcome = ContextStack.enter(self, waiting: waiting) { () -> Swift.Result<Result, Failure> in
          do throws(Failure) { return .success(try block()) } catch { return .failure(error) }
        }
        endLeases()
      }
    }
    // `sync` has run the block.
    return try outcome.unsafelyUnwrapped.get()
  }

  /// When an asynchronous `perform` runs its block.
  public enum ScheduledTaskType: Sendable {
    /// At once if the caller is on the context's queue already, else as `enqueued`.
    case immediate
    /// After everything that waits on the queue.
    case enqueued
  }

  /// Runs `block` on the context's queue and gives its result, without blocking a thread.
  ///
  /// Differs from Apple: block and result are `sending` where Apple has none, so that it compiles in Swift 6 mode from
  /// every actor.
  public final func perform<Result, Failure: Error>(
    schedule: ScheduledTaskType = .immediate, _ block: sending @escaping () throws(Failure) -> Result
  ) async throws(Failure) -> sending Result {
    nonisolated(unsafe) let work = block
    let isHere = schedule == .immediate && isEnteredSynchronously
    if isHere { return try ContextStack.enter(self, work) }
    let outcome: PerformOutcome<Result, Failure> = await withCheckedContinuation { continuation in
      queue.async {
        nonisolated(unsafe) var outcome: Swift.Result<Result, Failure>?
        self.runEvent {
          do throws(Failure) { outcome = .success(try work()) } catch { outcome = .failure(error) }
        }
        // `runEvent` has run the block.
        continuation.resume(returning: PerformOutcome(outcome: outcome.unsafelyUnwrapped))
      }
    }
    nonisolated(unsafe) let value = try outcome.outcome.get()
    return value
  }

  private final var isEnteredSynchronously: Bool { isEntered }

  /// One event on the queue: the block, then what follows from its changes, then the end of the read transactions.
  private final func runEvent(_ block: () -> Void) {
    ContextStack.enter(self) {
      block()
      processPendingChanges()
    }
    endLeases()
  }
}

/// Crosses from the context's queue to the caller, once.
private struct PerformOutcome<Value, Failure: Error>: @unchecked Sendable {
  let outcome: Result<Value, Failure>
}
