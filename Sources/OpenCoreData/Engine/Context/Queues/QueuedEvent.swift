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

  private enum State {
    case new
    case waits(Waiting)
    case isBegun
    case isCancelled
  }

  private let state = Mutex(State.new)
  /// The error of an event that was cancelled; nil if its error type does not allow for one: such an event is never
  /// cancelled.
  private let cancellation: Failure?

  init(_ cancellation: Failure?) { self.cancellation = cancellation }

  /// Keeps the continuation that waits for the event; false if the event was cancelled already, in which case the
  /// continuation has been resumed.
  func wait(_ continuation: CheckedContinuation<Outcome, Never>) -> Bool {
    let waiting = Waiting(continuation: continuation)
    let isCancelled = state.withLock { state in
      if case .isCancelled = state { return true }
      state = .waits(waiting)
      return false
    }
    if isCancelled { end(waiting) }
    return !isCancelled
  }

  /// Begins the event; nil if it was cancelled.
  func begin() -> Waiting? {
    state.withLock { state in
      guard case .waits(let waiting) = state else { return nil }
      state = .isBegun
      return waiting
    }
  }

  /// Ends the waiting, if the event has not begun.
  func cancel() {
    let waiting = state.withLock { state -> Waiting? in
      switch state {
      case .new:
        state = .isCancelled
        return nil
      case .waits(let waiting):
        state = .isCancelled
        return waiting
      case .isBegun, .isCancelled: return nil
      }
    }
    if let waiting { end(waiting) }
  }

  private func end(_ waiting: Waiting) {
    if let cancellation { waiting.resume(returning: .failure(cancellation)) }
  }
}
