import Foundation

/// Reports progress on standard error: on a terminal in one line that is overwritten, elsewhere in a new line now and then.
package final class ProgressLine {
  private let isTerminal: Bool
  private let write: (String) -> Void
  private let clock = ContinuousClock()
  private var lastShown: ContinuousClock.Instant?
  private var lineIsOpen = false

  /// Makes a line on standard error; a test may give another destination.
  package init(
    isTerminal: Bool = isatty(STDERR_FILENO) != 0,
    write: @escaping (String) -> Void = { FileHandle.standardError.write(Data($0.utf8)) }
  ) {
    self.isTerminal = isTerminal
    self.write = write
  }

  /// Shows a text.
  package func show(_ text: String) {
    if isTerminal {
      write("\r\u{1B}[K" + text)
      lineIsOpen = true
    } else {
      write(text + "\n")
    }
  }

  /// Shows the number of units that are done, and the total: on a terminal at most ten times a second, elsewhere after each
  /// tenth of the total.
  package func show(_ text: String, _ done: Int, of total: Int) {
    let line = "\(text): \(done) of \(total)"
    guard isTerminal else {
      if done * 10 / total > (done - 1) * 10 / total { show(line) }
      return
    }
    let now = clock.now
    if let lastShown, done < total, lastShown.duration(to: now) < .milliseconds(100) { return }
    lastShown = now
    show(line)
  }

  /// Leaves the shown line and moves to the next line.
  package func finish() {
    guard lineIsOpen else { return }
    write("\n")
    lineIsOpen = false
  }

  /// Erases the shown line if standard error is a terminal.
  package func clear() {
    guard lineIsOpen else { return }
    write("\r\u{1B}[K")
    lineIsOpen = false
  }
}
