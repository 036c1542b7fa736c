import CommandSupport
import CoreDataTools

extension ProgressReporter {
  /// Makes a reporter that shows the progress on a terminal.
  convenience init(_ line: ProgressLine) {
    nonisolated(unsafe) let line = line  // only one state at a time is reported
    self.init { progress in
      if let progress { line.show(progress.description) } else { line.clear() }
    }
  }
}
