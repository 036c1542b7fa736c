import Foundation

/// Reports the progress of work to its caller, and asks whether to continue.
package final class ProgressReporter: Sendable {
  private let report: @Sendable (ToolProgress?) -> Void
  private let isCancelled: @Sendable () -> Bool

  /// - Parameters:
  ///   - report: Called with each state, on any thread; nil when the work is over.
  ///   - isCancelled: Called from time to time, on any thread.
  package init(
    _ report: @escaping @Sendable (ToolProgress?) -> Void, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    (self.report, self.isCancelled) = (report, isCancelled)
  }

  /// Reports a state.
  /// - Throws: a `CancellationError` if the work was cancelled.
  package func show(_ progress: ToolProgress) throws {
    try check()
    report(progress)
  }

  /// Reports that the work is over.
  package func clear() { report(nil) }

  /// - Throws: a `CancellationError` if the work was cancelled.
  package func check() throws {
    if isCancelled() { throw CancellationError() }
  }

  /// Reports a state in the middle of work that cannot be stopped.
  package func note(_ progress: ToolProgress) { report(progress) }

  /// Runs `body` and reports its progress ten times a second. If the reporter is cancelled, so is the progress.
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
      // Waits for a report that is about to be made.
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
