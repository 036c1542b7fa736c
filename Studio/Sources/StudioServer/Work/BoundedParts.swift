import Foundation

/// A queue of the parts of a file, from a thread that reads a store to a task that sends them.
///
/// The thread waits if too many parts are in the queue, and gets an error if the task has ended.
final class BoundedParts: @unchecked Sendable {
  // The condition's lock guards all state.
  private let condition = NSCondition()
  private let limit: Int
  /// The time in seconds that a part waits for room in the queue.
  private let patience: TimeInterval
  private var parts: [String] = []
  private var end: Result<Void, any Error>?
  private var isStopped = false
  private var waiting: CheckedContinuation<Void, Never>?

  init(limit: Int, patience: TimeInterval = 60) { (self.limit, self.patience) = (limit, patience) }

  /// Adds a part; waits until there is room.
  /// - Throws: `CancellationError` if the task has ended, or has not taken a part for longer than the patience.
  func put(_ part: String) throws {
    condition.lock()
    let end = Date(timeIntervalSinceNow: patience)
    while parts.count >= limit, !isStopped { if !condition.wait(until: end) { isStopped = true } }
    let stopped = isStopped
    if !stopped { parts.append(part) }
    let task = takeWaiting()
    condition.unlock()
    task?.resume()
    if stopped { throw CancellationError() }
  }

  func finish(throwing error: (any Error)? = nil) {
    condition.lock()
    end = error.map { .failure($0) } ?? .success(())
    let task = takeWaiting()
    condition.unlock()
    task?.resume()
  }

  /// Tells the thread that no part will be taken any more.
  func stop() {
    condition.lock()
    isStopped = true
    condition.broadcast()
    condition.unlock()
  }

  /// Returns the next part; nil at the end.
  func next() async throws -> String? {
    while true {
      if let found = try take() { return found.part }
      await withTaskCancellationHandler {
        await withCheckedContinuation { wait($0) }
      } onCancel: {
        stop()
        finish(throwing: CancellationError())
      }
    }
  }

  private func take() throws -> (part: String?, Void)? {
    condition.lock()
    defer { condition.unlock() }
    if !parts.isEmpty {
      defer { condition.signal() }
      return (parts.removeFirst(), ())
    }
    guard let end else { return nil }
    try end.get()
    return (nil, ())
  }

  private func wait(_ task: CheckedContinuation<Void, Never>) {
    condition.lock()
    let isReady = !parts.isEmpty || end != nil
    if !isReady { waiting = task }
    condition.unlock()
    if isReady { task.resume() }
  }

  private func takeWaiting() -> CheckedContinuation<Void, Never>? {
    defer { waiting = nil }
    return waiting
  }
}
