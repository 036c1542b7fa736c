import CRuntime
import Foundation
import OpenCocoaFoundation

/// Runs blocks inside of a context: on its queue, on the main queue, or on the caller's thread.
struct Performer: Sendable {
  let context: NSManagedObjectContext

  @inline(__always)
  init(in context: NSManagedObjectContext) { self.context = context }

  func perform(_ block: @escaping () -> Void) {
    requireQueue("performBlock:")
    enqueue { self.runEvent(block) }
  }

  /// Throws an error that a block has thrown, in a form that the compiler accepts in a function that rethrows.
  static func rethrow<Result, Failure: Error>(
    _ error: any Error, of block: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let error = error as? Failure else {
      raise(.internalInconsistency, "A block that throws \(Failure.self) has thrown \(error).")
    }
    throw error
  }

  /// The implementation of all variants of `performAndWait`.
  func performAndWait<Result, Failure: Error>(
    _ block: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if context.concurrencyType == .privateQueueConcurrencyType {
      if ContextStack.contains(context) { return try entered(block) }
      guard context.turns.take() else { return try entered(block) }
      defer {
        context.reads.end()
        context.turns.leave()
      }
      KeyExchange(of: context).absorb()
      return try entered(block)
    }
    requireQueue("performBlockAndWait:")
    if context.isEntered { return try entered(block) }
    return try performOnMainQueue(block)
  }

  /// Runs the block by way of the method that takes a block without result, which a subclass of the context may override.
  ///
  /// Not inlined: the type of the outcome would be looked up at each call of `performAndWait`, which takes half its time.
  @inline(never)
  func performAndWaitInSubclass<Result>(_ block: () throws -> Result) rethrows -> Result {
    var outcome: Swift.Result<Result, any Error>?
    context.performAndWait { () -> Void in outcome = Swift.Result { try block() } }
    switch outcome {
    case .success(let value): return value
    case .failure(let error): return try Self.rethrow(error, of: block)
    case nil:
      raise(
        .internalInconsistency, "\(type(of: context)).performAndWait(_:) returned without having run the block.")
    }
  }

  /// The function is not inlined, because otherwise each call of `performAndWait` would look up the type of the outcome.
  @inline(never)
  private func performOnMainQueue<Result, Failure: Error>(
    _ block: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let thread = runtime_thread_number(), waiting = ContextStack.current
    if waiting != nil, !WaitGraph.add(thread, for: nil, hasMain: false) {
      return try entered(block)
    }
    var outcome: Swift.Result<Result, Failure>?
    let carrier = StatementLog.Carrier()
    MainQueue.sync {
      // In most cases another thread runs this block. That thread is then regarded as being inside the caller's contexts,
      // too.
      let runner = runtime_thread_number()
      if waiting != nil {
        if runner == thread { WaitGraph.remove(thread) } else { WaitGraph.setRunner(runner, of: thread) }
      }
      carrier.run {
        KeyExchange(of: context).absorb()
        outcome = entered(waiting: waiting) { () -> Swift.Result<Result, Failure> in
          do throws(Failure) { return .success(try block()) } catch { return .failure(error) }
        }
        context.reads.end()
      }
      if waiting != nil, runner != thread { WaitGraph.remove(thread) }
    }
    // `sync` has run the block.
    return try outcome.unsafelyUnwrapped.get()
  }

  // MARK: Asynchronous

  /// Runs the block on the context's queue, as an event of its own, after the blocks that wait there.
  nonisolated(nonsending) func queued<Result, Failure: Error>(
    _ work: @escaping () throws(Failure) -> Result, _ cancellation: Failure?
  ) async -> Swift.Result<Result, Failure> {
    nonisolated(unsafe) let work = work
    let event = QueuedEvent<Result, Failure>(cancellation)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if event.wait(continuation) { enqueue(event, work, isCancellable: cancellation != nil) }
      }.value
    } onCancel: {
      event.cancel()
    }
  }

  /// On a private queue a task runs the block. The task takes the caller's task-local values and priority along, so that
  /// the block finds the same where the caller's thread would run it.
  private func enqueue<Result, Failure: Error>(
    _ event: QueuedEvent<Result, Failure>, _ work: @escaping () throws(Failure) -> Result, isCancellable: Bool
  ) {
    nonisolated(unsafe) let work = work
    if context.concurrencyType == .mainQueueConcurrencyType {
      let watch = isCancellable ? FetchWatch(error: { CancellationError() }) : nil
      event.whenCancelled { { watch?.stop() } }
      enqueue { event.begin()?.resume(returning: self.runEvent(work, watch)) }
    } else {
      event.whenCancelled {
        let task = Task(executorPreference: context.turns) {
          guard let waiting = event.begin() else { return }
          waiting.resume(returning: await runEvent(work, isCancellable: isCancellable))
        }
        return { task.cancel() }
      }
    }
  }

  /// Runs the block on the calling thread, as an event of its own, if the queue is idle and the thread may be held; gives
  /// nil, without having run it, if not.
  ///
  /// Handing a block to another thread and back takes ten times as long as a small fetch. The block is run on Swift's
  /// cooperative threads alone, and one of them is left to other tasks: the main thread and those of other executors have
  /// to stay free. It is never run inside of another context, whose thread may be waited for.
  nonisolated(nonsending) func ranInline<Result, Failure: Error>(
    _ work: @escaping () throws(Failure) -> Result, isCancellable: Bool
  ) async -> Swift.Result<Result, Failure>? {
    guard mayHoldThread, InlineBlocks.begin() else { return nil }
    defer { InlineBlocks.end() }
    guard context.turns.takeIfIdle() else { return nil }
    defer { context.turns.leave() }
    // Only inside of the queue the coordinator cannot change meanwhile.
    guard !Ancestors(of: context).mayWaitForServer else { return nil }
    return await runEvent(work, isCancellable: isCancellable)
  }

  private var mayHoldThread: Bool {
    context.concurrencyType == .privateQueueConcurrencyType && ContextStack.current == nil
      && CooperativeThreads.haveCaller
  }

  /// Runs a block as one event; if the calling task is cancelled, the block's fetches are stopped.
  private nonisolated(nonsending) func runEvent<Result, Failure: Error>(
    _ work: @escaping () throws(Failure) -> Result, isCancellable: Bool
  ) async -> Swift.Result<Result, Failure> {
    if !isCancellable { return runEvent(work, nil) }
    nonisolated(unsafe) let work = work
    let watch = FetchWatch(error: { CancellationError() })
    return await withTaskCancellationHandler {
      runEvent(work, watch)
    } onCancel: {
      watch.stop()
    }
  }

  /// Runs a block as one event, whose fetches `watch` can stop.
  private func runEvent<Result, Failure: Error>(
    _ work: () throws(Failure) -> Result, _ watch: FetchWatch?
  ) -> Swift.Result<Result, Failure> {
    var outcome: Swift.Result<Result, Failure>?
    runEvent {
      context.readState.watch = watch
      do throws(Failure) { outcome = .success(try work()) } catch { outcome = .failure(error) }
      context.readState.watch = nil
    }
    // `runEvent` has run the block.
    return outcome.unsafelyUnwrapped
  }

  /// Whether the calling thread is inside of the context; for functions that are asynchronous.
  var isEntered: Bool { context.isEntered }

  private func enqueue(_ block: @escaping () -> Void) {
    let block = StatementLog.carrying(block)
    if context.concurrencyType == .mainQueueConcurrencyType {
      MainQueue.async(block)
    } else {
      context.turns.async(block)
    }
  }

  /// Runs one event on the queue: the block, then the processing of its changes, then the end of the read transactions.
  private func runEvent(_ block: () -> Void) {
    KeyExchange(of: context).absorb()
    entered(isEvent: true) {
      block()
      context.processPendingChanges()
    }
    context.reads.end()
  }

  /// Stops the program for a context without a queue.
  @inline(__always)
  func requireQueue(_ method: StaticString) {
    if context.isConfined { hasNoQueue(method) }
  }

  private func hasNoQueue(_ method: StaticString) -> Never {
    raise(
      .invalidArgument, "Can only use -\(method) on an NSManagedObjectContext that was created with a queue.")
  }

  /// Runs `body` on the calling thread as inside of this context; see `ContextStack.enter`.
  @inline(__always)
  func entered<Result, Failure: Error>(
    isEvent: Bool = false, waiting: ContextStack? = nil, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try ContextStack.enter(
      context, isMainQueue: context.concurrencyType == .mainQueueConcurrencyType, isEvent: isEvent, waiting: waiting,
      body)
  }
}

extension ContextStack {
  /// The innermost context of the calling thread.
  static var innermostContext: NSManagedObjectContext? { innermost as? NSManagedObjectContext }
}
