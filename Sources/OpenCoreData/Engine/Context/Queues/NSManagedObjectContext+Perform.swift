import CRuntime
import Foundation
import OpenCocoaFoundation

extension NSManagedObjectContext {
  /// Runs `block` on the context's queue, waits for it, and gives its result or throws its error; at once if the caller
  /// is on the queue already.
  ///
  /// Use it in code that cannot wait with `await`. The calling thread runs the block itself, so there is no switch of
  /// threads; on the main thread a block that takes long keeps the main thread from its other work.
  ///
  /// ```swift
  /// let worker = container.newBackgroundContext()
  /// let count = try worker.performAndWait {
  ///   try worker.count(for: NSFetchRequest<Entry>(entityName: "Entry"))
  /// }
  /// print(count)  // 3
  /// ```
  ///
  /// Calls may be nested, also through other contexts and from several threads crosswise: where threads would wait for
  /// each other, a block runs at once, on behalf of the thread that has the context and cannot go on (D-CON-03). Changes
  /// are not processed when the block ends: the next fetch, save or `perform` applies the delete rules of deleted
  /// objects. A confinement context has no queue: it stops the program.
  /// - Parameters:
  ///   - block: it may use the context and its objects; hand out IDs and values, not objects.
  ///   - _: leave it out. It has no meaning but that a `performAndWait` which a client declares with the same block is
  ///     taken instead of this one: two of one form in two modules would be ambiguous.
  /// - Returns: what the block returns.
  /// - Throws: what the block throws.
  ///
  /// See also ``perform(schedule:_:)``.
  public final func performAndWait<Result>(_ block: () throws -> Result, _: Void = ()) rethrows -> Result {
    if Swift.type(of: self) == NSManagedObjectContext.self { return try Performer(in: self).performAndWait(block) }
    return try Performer(in: self).performAndWaitInSubclass(block)
  }

  /// When an asynchronous `perform` runs its block, seen from a caller that is on the context's queue already.
  public enum ScheduledTaskType: Sendable, Hashable {
    /// At once if the caller is on the context's queue already, else as `enqueued`.
    case immediate
    /// After all blocks that wait on the queue.
    case enqueued
  }

  /// Runs `block` on the context's queue and gives its result, without blocking a thread.
  ///
  /// The usual way to use a context from `async` code. The block's result crosses to the caller: return values or object
  /// IDs, since objects belong to the queue.
  ///
  /// On a private queue that is idle the block runs on the calling thread, so that a small fetch costs no switch. Other
  /// tasks go on meanwhile, however long the block takes: all blocks of the program together leave one of the few threads
  /// of Swift's tasks free. The block runs on a thread of the queue where it would take the last one, where the caller runs
  /// on the main thread or on the executor of another library, and where a store may wait for a server: with
  /// `CoreDataPostgreSQL`, and with an `NSIncrementalStore` of your own. It finds the task-local values, the priority and
  /// the cancellation of its task in either place.
  ///
  /// ```swift
  /// let worker = container.newBackgroundContext()
  /// let titles = try await worker.perform {
  ///   let request = NSFetchRequest<Entry>(entityName: "Entry")
  ///   request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: true)]
  ///   return try worker.fetch(request).map { $0.title ?? "" }
  /// }
  /// print(titles)  // ["Monday", "Tuesday", "Wednesday"]
  /// ```
  ///
  /// Unless it runs at once, the block is an event of its own, as with `perform(_:)`. A task that is cancelled before
  /// the block has begun does not run it and gets a CancellationError, where the block's type of error allows for one:
  /// blocks that throw any error. Blocks that throw none, or of one type, run all the same. A block that has begun goes
  /// on, but the fetch or count that runs in it is stopped, in SQLite, and throws a CancellationError, as do those
  /// after it; faults fire and saves write as ever (D-FET-11).
  ///
  /// Differs from Apple (D-CON-01): block and result are `sending` where Apple has none, so that it compiles in Swift 6
  /// mode from every actor. A function of your own that passes its block on to this one says `sending` before it.
  /// - Parameters:
  ///   - schedule: `immediate` runs the block at once where the caller is on the queue already; `enqueued` puts it behind
  ///     the blocks that wait.
  ///   - block: the work.
  /// - Returns: what the block returns.
  /// - Throws: what the block throws; CancellationError.
  ///
  /// See also ``NSPersistentContainer/performBackgroundTask(_:)->_``.
  public nonisolated(nonsending) final func perform<Result, Failure: Error>(
    schedule: ScheduledTaskType = .immediate, _ block: sending @escaping () throws(Failure) -> Result
  ) async throws(Failure) -> sending Result {
    nonisolated(unsafe) let work = block
    let performer = Performer(in: self)
    performer.requireQueue("performBlock:")
    let cancellation = CancellationError() as? Failure
    if let cancellation, Task.isCancelled { throw cancellation }
    if schedule == .immediate, performer.isEntered {
      nonisolated(unsafe) let value = try performer.entered(work)
      return value
    }
    if let result = await performer.ranInline(work, isCancellable: cancellation != nil) {
      nonisolated(unsafe) let value = try result.get()
      return value
    }
    nonisolated(unsafe) let value = try await performer.queued(work, cancellation).get()
    return value
  }
}
