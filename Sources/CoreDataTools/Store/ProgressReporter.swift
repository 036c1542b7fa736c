import Foundation

/// Tells somebody how far something is, and asks whether it is to go on.
package final class ProgressReporter: Sendable {
  private let report: @Sendable (ToolProgress?) -> Void
  private let isCancelled: @Sendable () -> Bool

  /// - Parameters:
  ///   - report: Told each state, from whatever thread; nil when nothing goes on any more.
  ///   - isCancelled: Asked now and then, from whatever thread.
  package init(
    _ report: @escaping @Sendable (ToolProgress?) -> Void, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    (self.report, self.isCancelled) = (report, isCancelled)
  }

  /// Tells a state.
  /// - Throws: a `CancellationError` where it is not to go on.
  package func show(_ progress: ToolProgress) throws {
    try check()
    report(progress)
  }

  /// Nothing goes on any more.
  package func clear() { report(nil) }

  /// - Throws: a `CancellationError` where it is not to go on.
  package func check() throws {
    if isCancelled() { throw CancellationError() }
  }

  /// Tells a state from the middle of something that nothing can stop.
  package func note(_ progress: ToolProgress) { report(progress) }

  /// Runs `body` and tells ten times a second how far its progress is, which is cancelled where it is not to go on.
  package func watching<Result>(
    _ progress: Progress, _ state: @escaping @Sendable (Int64, Int64) -> ToolProgress, _ body: () throws -> Result
  ) throws -> Result {
    let queue = DispatchQueue(label: "progress")
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + 0.1, repeating: 0.1)
    timer.setEventHandler { [report, isCancelled] in
      if isCancelled() { progress.cancel() }
      guard progress.totalUnitCount > 0 else { return }
      report(state(progress.completedUnitCount, progress.totalUnitCount))
    }
    timer.resume()
    defer {
      timer.cancel()
      // What it was about to tell is told now.
      queue.sync {}
    }
    do {
      return try body()
    } catch {
      try check()
      throw error
    }
  }
}
