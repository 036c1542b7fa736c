import CRuntime
import Foundation
import OpenCocoaFoundation

extension NSManagedObjectContext {
  final func basePerform(_ block: @escaping () -> Void) {
    requireQueue("performBlock:")
    enqueue { self.runEvent(block) }
  }

  /// Runs `block` on the context's queue, waits for it, and gives its result or throws its error; at once if the caller
  /// is on the queue already.
  ///
  /// For code that cannot wait with `await`. The calling thread runs the block itself, so there is no switch of
  /// threads; on the main thread a block that takes long stops what the main thread has to do.
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
  /// each other, a block runs at once, on behalf of the thread that has the context and cannot go on (D-CON-03).
  /// Changes are not processed when the block ends: what was deleted has its delete rules applied by the next fetch,
  /// save or `perform`. A confinement context has no queue: it stops the program.
  /// - Parameter block: it may use the context and its objects; hand out IDs and values, not objects.
  /// - Returns: what the block returns.
  /// - Throws: what the block throws.
  ///
  /// See also ``perform(schedule:_:)``.
  public final func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
    if Swift.type(of: self) == NSManagedObjectContext.self { return try basePerformAndWait(block) }
    // A subclass may override the method that takes a block without result.
    var outcome: Swift.Result<Result, any Error>?
    performAndWait { () -> Void in outcome = Swift.Result { try block() } }
    switch outcome {
    case .success(let value): return value
    case .failure(let error): return try rethrow(error, of: block)
    case nil:
      raise(.internalInconsistency, "\(Swift.type(of: self)).performAndWait(_:) returned without having run the block.")
    }
  }

  /// Throws an error that a block has thrown, in terms that the compiler accepts in a function that rethrows.
  private final func rethrow<Result, Failure: Error>(
    _ error: any Error, of block: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let error = error as? Failure else {
      raise(.internalInconsistency, "A block that throws \(Failure.self) has thrown \(error).")
    }
    throw error
  }

  /// The implementation of all variants of `performAndWait`.
  final func basePerformAndWait<Result, Failure: Error>(
    _ block: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if concurrencyType == .privateQueueConcurrencyType {
      if ContextStack.contains(self) { return try entered(block) }
      guard turns.take() else { return try entered(block) }
      defer {
        endReadTransactions()
        turns.leave()
      }
      absorbPermanentKeys()
      return try entered(block)
    }
    requireQueue("performBlockAndWait:")
    if isEntered { return try entered(block) }
    return try performOnMainQueue(block)
  }

  private final func performOnMainQueue<Result, Failure: Error>(
    _ block: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let thread = runtime_thread_number(), waiting = ContextStack.current
    if waiting != nil, !WaitGraph.add(thread, for: nil, hasMain: false) {
      return try entered(block)
    }
    var outcome: Swift.Result<Result, Failure>?
    let carrier = StatementLog.Carrier()
    MainQueue.sync {
      // Mostly another thread runs this, which is inside of the caller's contexts then.
      let runner = runtime_thread_number()
      if waiting != nil {
        if runner == thread { WaitGraph.remove(thread) } else { WaitGraph.setRunner(runner, of: thread) }
      }
      carrier.run {
        absorbPermanentKeys()
        outcome = entered(waiting: waiting) { () -> Swift.Result<Result, Failure> in
          do throws(Failure) { return .success(try block()) } catch { return .failure(error) }
        }
        endReadTransactions()
      }
      if waiting != nil, runner != thread { WaitGraph.remove(thread) }
    }
    // `sync` has run the block.
    return try outcome.unsafelyUnwrapped.get()
  }

  /// When an asynchronous `perform` runs its block, seen from a caller that is on the context's queue already.
  public enum ScheduledTaskType: Sendable, Hashable {
    /// At once if the caller is on the context's queue already, else as `enqueued`.
    case immediate
    /// After everything that waits on the queue.
    case enqueued
  }

  /// Runs `block` on the context's queue and gives its result, without blocking a thread.
  ///
  /// The usual way to use a context from `async` code. What the block gives crosses to the caller: give values or
  /// object IDs, since objects belong to the queue. On a private queue that is idle the block runs on the calling
  /// thread, unless that is the main thread, so that a small fetch costs no switch.
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
  /// mode from every actor.
  /// - Parameters:
  ///   - schedule: `immediate` runs the block at once where the caller is on the queue already; `enqueued` puts it
  ///     behind what waits.
  ///   - block: the work.
  /// - Returns: what the block returns.
  /// - Throws: what the block throws; CancellationError.
  ///
  /// See also ``NSPersistentContainer/performBackgroundTask(_:)->_``.
  public nonisolated(nonsending) final func perform<Result, Failure: Error>(
    schedule: ScheduledTaskType = .immediate, _ block: sending @escaping () throws(Failure) -> Result
  ) async throws(Failure) -> sending Result {
    nonisolated(unsafe) let work = block
    requireQueue("performBlock:")
    let cancellation = CancellationError() as? Failure
    if let cancellation, Task.isCancelled { throw cancellation }
    if schedule == .immediate, isEnteredSynchronously {
      nonisolated(unsafe) let value = try entered(work)
      return value
    }
    nonisolated(unsafe) let outcome: Swift.Result<Result, Failure>
    if let result = await ranInline(work, isCancellable: cancellation != nil) {
      nonisolated(unsafe) let value = try result.get()
      return value
    }
    let event = QueuedEvent<Result, Failure>(cancellation)
    if cancellation == nil {
      outcome = await queued(event, nil, work)
    } else {
      let watch = FetchWatch(error: { CancellationError() })
      outcome = await withTaskCancellationHandler {
        await queued(event, watch, work)
      } onCancel: {
        event.cancel()
        watch.stop()
      }
    }
    nonisolated(unsafe) let value = try outcome.get()
    return value
  }

  private nonisolated(nonsending) final func queued<Result, Failure: Error>(
    _ event: QueuedEvent<Result, Failure>, _ watch: FetchWatch?, _ work: @escaping () throws(Failure) -> Result
  ) async -> Swift.Result<Result, Failure> {
    nonisolated(unsafe) let work = work
    return await withCheckedContinuation { continuation in
      guard event.wait(continuation) else { return }
      enqueue {
        guard let continuation = event.begin() else { return }
        nonisolated(unsafe) let outcome = self.runEvent(work, watch)
        continuation.resume(returning: outcome)
      }
    }.value
  }

  /// Runs the block on the calling thread, as an event of its own, if the queue is idle; nil, without having run it, if not.
  ///
  /// Handing a block to another thread and back takes ten times as long as a small fetch. It is never run on the main
  /// thread, which has to stay free, nor inside of another context, whose thread may be waited for.
  private nonisolated(nonsending) final func ranInline<Result, Failure: Error>(
    _ work: @escaping () throws(Failure) -> Result, isCancellable: Bool
  ) async -> Swift.Result<Result, Failure>? {
    guard takesIdleQueue else { return nil }
    nonisolated(unsafe) let work = work
    defer { turns.leave() }
    if !isCancellable { return runEvent(work, nil) }
    let watch = FetchWatch(error: { CancellationError() })
    return await withTaskCancellationHandler {
      runEvent(work, watch)
    } onCancel: {
      watch.stop()
    }
  }

  private final var takesIdleQueue: Bool {
    concurrencyType == .privateQueueConcurrencyType && ContextStack.current == nil && !MainQueue.isCurrent
      && turns.takeIfIdle()
  }

  /// Runs a block as one event, whose fetches `watch` can stop.
  private final func runEvent<Result, Failure: Error>(
    _ work: () throws(Failure) -> Result, _ watch: FetchWatch?
  ) -> Swift.Result<Result, Failure> {
    var outcome: Swift.Result<Result, Failure>?
    runEvent {
      fetchWatch = watch
      do throws(Failure) { outcome = .success(try work()) } catch { outcome = .failure(error) }
      fetchWatch = nil
    }
    // `runEvent` has run the block.
    return outcome.unsafelyUnwrapped
  }

  private final var isEnteredSynchronously: Bool { isEntered }

  private final func enqueue(_ block: @escaping () -> Void) {
    let block = StatementLog.carrying(block)
    if concurrencyType == .mainQueueConcurrencyType { MainQueue.async(block) } else { turns.async(block) }
  }

  /// One event on the queue: the block, then what follows from its changes, then the end of the read transactions.
  private final func runEvent(_ block: () -> Void) {
    absorbPermanentKeys()
    entered(isEvent: true) {
      block()
      processPendingChanges()
    }
    endReadTransactions()
  }

  /// Sees to it that the changes made on a main-queue context outside of `perform` are processed, once for all that are
  /// made until the main queue gets to it. Called whenever a change is noted; on the main queue.
  ///
  /// Where the main queue is never served, they are processed by the next save or `processPendingChanges()`.
  final func scheduleEndOfEvent() {
    guard concurrencyType == .mainQueueConcurrencyType, !isEndOfEventScheduled,
      !ContextStack.containsEvent(of: self)
    else { return }
    isEndOfEventScheduled = true
    DispatchQueue.main.async { [reference = WeaklyReferring(self)] in
      guard let context = reference.wrappedValue else { return }
      context.isEndOfEventScheduled = false
      context.entered { context.processPendingChanges() }
    }
  }

  /// Stops the program for a context without a queue.
  @inline(__always)
  private final func requireQueue(_ method: StaticString) {
    if isConfined { hasNoQueue(method) }
  }

  private final func hasNoQueue(_ method: StaticString) -> Never {
    raise(
      .invalidArgument, "Can only use -\(method) on an NSManagedObjectContext that was created with a queue.")
  }
}

extension NSManagedObjectContext {
  /// Runs `body` on the calling thread as inside of this context; see `ContextStack.enter`.
  @inline(__always)
  final func entered<Result, Failure: Error>(
    isEvent: Bool = false, waiting: ContextStack? = nil, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try ContextStack.enter(
      self, isMainQueue: concurrencyType == .mainQueueConcurrencyType, isEvent: isEvent, waiting: waiting, body)
  }

  /// The innermost context of the calling thread.
  static var innermost: NSManagedObjectContext? { ContextStack.innermost as? NSManagedObjectContext }
}
