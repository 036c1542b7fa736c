import Foundation

/// Shows on standard error what the tool is doing: on a terminal in one line that changes, otherwise in a new line from
/// time to time.
package final class ProgressLine {
  private let isTerminal: Bool
  private let write: (String) -> Void
  private let clock = ContinuousClock()
  private var lastShown: ContinuousClock.Instant?
  private var lineIsOpen = false

  /// Creates a line on standard error, or on another output for a test.
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

  /// Shows how many units of a total are done: at most ten times a second on a terminal, otherwise after every tenth of
  /// the total.
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

  /// Leaves the shown line, and continues in the next one.
  package func finish() {
    guard lineIsOpen else { return }
    write("\n")
    lineIsOpen = false
  }

  /// Removes the shown line, if the output is a terminal.
  package func clear() {
    guard lineIsOpen else { return }
    write("\r\u{1B}[K")
    lineIsOpen = false
  }
}
