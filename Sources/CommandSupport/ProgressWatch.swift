import Foundation

/// Shows the progress of some work ten times a second, until it ends.
package final class ProgressWatch {
  private let queue = DispatchQueue(label: "progress")
  private let timer: any DispatchSourceTimer

  /// - Parameter text: Returns the text for the number of units that are done and the total number.
  package init(_ progress: Progress, on line: ProgressLine, _ text: @escaping @Sendable (Int64, Int64) -> String) {
    nonisolated(unsafe) let line = line  // only the timer writes to it while it runs
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + 0.1, repeating: 0.1)
    timer.setEventHandler {
      guard progress.totalUnitCount > 0 else { return }
      line.show(text(progress.completedUnitCount, progress.totalUnitCount))
    }
    timer.resume()
  }

  /// Ends the display; returns after a text that is being shown is complete.
  package func end() {
    timer.cancel()
    queue.sync {}
  }
}
