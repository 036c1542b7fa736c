import Foundation

/// Shows how far something is ten times a second, until it ends.
package final class ProgressWatch {
  private let queue = DispatchQueue(label: "progress")
  private let timer: any DispatchSourceTimer

  /// - Parameter text: Of how many units are done, and how many there are.
  package init(_ progress: Progress, on line: ProgressLine, _ text: @escaping @Sendable (Int64, Int64) -> String) {
    nonisolated(unsafe) let line = line  // nobody else writes to it while the timer runs
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + 0.1, repeating: 0.1)
    timer.setEventHandler {
      guard progress.totalUnitCount > 0 else { return }
      line.show(text(progress.completedUnitCount, progress.totalUnitCount))
    }
    timer.resume()
  }

  /// Stops the timer. Progress that was not shown yet is shown now.
  package func end() {
    timer.cancel()
    queue.sync {}
  }
}
