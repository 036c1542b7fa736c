import Foundation

/// Shows the state of a `Progress` ten times a second, until `end` is called.
package final class ProgressWatch {
  private let queue = DispatchQueue(label: "progress")
  private let timer: any DispatchSourceTimer

  /// - Parameter text: returns the text to show for the number of units that are done and the total number of units.
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
