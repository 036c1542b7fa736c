import Synchronization

/// An asynchronous `perform` that waits for its turn: it is begun or cancelled, whichever comes first.
final class QueuedEvent<Value, Failure: Error>: Sendable {
  /// The result, which crosses from the context's queue to the caller once.
  struct Outcome: @unchecked Sendable {
    let value: Result<Value, Failure>
  }

  struct Waiting: Sendable {
    let continuation: CheckedContinuation<Outcome, Never>

    func resume(returning value: Result<Value, Failure>) {
      continuation.resume(returning: Outcome(value: value))
    }
  }

  private enum Stage {
    case new
    case waits(Waiting)
    case isOver
  }

  private struct State {
    var stage = Stage.new
    var isCancelled = false
    var whenCancelled: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  /// The error of an event that was cancelled; nil if its error type does not allow for one: such an event always runs.
  private let cancellation: Failure?

  init(_ cancellation: Failure?) { self.cancellation = cancellation }

  /// Keeps the continuation that waits for the event; false if the event was cancelled already, in which case the
  /// continuation has been resumed.
  func wait(_ continuation: CheckedContinuation<Outcome, Never>) -> Bool {
    let waiting = Waiting(continuation: continuation)
    let isOver = state.withLock { state in
      let isOver = state.isCancelled && cancellation != nil
      state.stage = isOver ? .isOver : .waits(waiting)
      return isOver
    }
    if isOver { end(waiting) }
    return !isOver
  }

  /// Begins the event; nil if it was cancelled.
  func begin() -> Waiting? {
    state.withLock { state in
      guard case .waits(let waiting) = state.stage else { return nil }
      state.stage = .isOver
      return waiting
    }
  }

  /// Keeps the handler that `make` returns, which tells the block that the caller was cancelled; calls it at once if this
  /// has happened already. The event does not begin before that, even if `make` hands the block to another thread.
  func whenCancelled(_ make: () -> @Sendable () -> Void) {
    state.withLock { state in
      let handler = make()
      if state.isCancelled { handler() } else { state.whenCancelled = handler }
    }
  }

  /// Ends the waiting, if the event has not begun and its error type allows for that.
  func cancel() {
    let (waiting, handler) = state.withLock { state -> (Waiting?, (@Sendable () -> Void)?) in
      state.isCancelled = true
      let handler = state.whenCancelled
      state.whenCancelled = nil
      guard cancellation != nil, case .waits(let waiting) = state.stage else { return (nil, handler) }
      state.stage = .isOver
      return (waiting, handler)
    }
    handler?()
    if let waiting { end(waiting) }
  }

  private func end(_ waiting: Waiting) {
    if let cancellation { waiting.resume(returning: .failure(cancellation)) }
  }
}
