import CommandSupport
import CoreDataTools

extension ProgressReporter {
  /// Makes a reporter that shows the progress on a terminal.
  convenience init(_ line: ProgressLine) {
    nonisolated(unsafe) let line = line  // one state after the other is told
    self.init { progress in
      if let progress { line.show(progress.description) } else { line.clear() }
    }
  }
}
