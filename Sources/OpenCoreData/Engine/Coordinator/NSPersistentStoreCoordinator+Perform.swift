import Foundation
import OpenCocoaFoundation

// Groups several calls of a coordinator into one piece of work. Contexts do not take part in it: they have queues of
// their own.
extension NSPersistentStoreCoordinator {
  /// Runs `block` later, alone among the coordinator's blocks. Contexts take no part: they have queues of their own,
  /// and go on meanwhile.
  public final func perform(_ block: @escaping () -> Void) {
    // The block crosses to the queue once and is run there alone.
    nonisolated(unsafe) let block = StatementLog.carrying(block)
    turns.queue.async { self.turns.locked(block) }
  }

  /// Runs `block` alone among the coordinator's blocks, on the calling thread; waits first until no other block runs.
  ///
  /// Calls may be nested. Leave the second parameter out: by it, a `performAndWait` that a client declares with the same
  /// block is taken instead of this one, where two of one form would be ambiguous.
  public final func performAndWait<Result>(_ block: () throws -> Result, _: Void = ()) rethrows -> Result {
    try turns.locked(block)
  }

  /// Runs `block` alone among the coordinator's blocks and gives its result, without blocking a thread of the caller's.
  ///
  /// Differs from Apple (D-CON-05): block and result are `sending`, so that it compiles in Swift 6 mode from every
  /// actor.
  public final func perform<Result, Failure: Error>(
    _ block: sending @escaping () throws(Failure) -> Result
  ) async throws(Failure) -> sending Result {
    nonisolated(unsafe) let work = block
    let outcome: Outcome<Result, Failure> = await withCheckedContinuation { continuation in
      turns.queue.async {
        nonisolated(unsafe) let outcome = self.turns.locked { () -> Swift.Result<Result, Failure> in
          do throws(Failure) { return .success(try work()) } catch { return .failure(error) }
        }
        continuation.resume(returning: Outcome(value: outcome))
      }
    }
    nonisolated(unsafe) let value = try outcome.value.get()
    return value
  }

  /// Waits until no block of the coordinator runs, and keeps other blocks from running.
  @available(*, deprecated, message: "Use performAndWait(_:) instead.")
  public final func lock() { turns.lock() }

  /// Locks out other blocks if no block of the coordinator is running; returns false if one is running.
  @available(*, deprecated, message: "Use performAndWait(_:) instead.")
  public final func tryLock() -> Bool { turns.tryLock() }

  /// Lets other blocks run again.
  @available(*, deprecated, message: "Use performAndWait(_:) instead.")
  public final func unlock() { turns.unlock() }

  /// The ID that a URI stands for; nil for a text that is no such URI, and where `managedObjectID(forURIRepresentation:)`
  /// gives nil.
  public final func managedObjectID(for string: String) -> NSManagedObjectID? {
    URL(string: string).flatMap(managedObjectID(forURIRepresentation:))
  }
}

/// The result of a block, which crosses from the queue to the caller once.
private struct Outcome<Value, Failure: Error>: @unchecked Sendable {
  let value: Result<Value, Failure>
}
