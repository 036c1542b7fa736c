import Foundation

/// A progress bar on standard error. On a terminal, one line is redrawn; otherwise, a line is written for every tenth part.
package final class ProgressBar {
  private let isTerminal: Bool
  private let write: (String) -> Void
  private let width = 40
  private var tenths = -1
  private var lineIsOpen = false

  package init(
    isTerminal: Bool = isatty(STDERR_FILENO) != 0,
    write: @escaping (String) -> Void = { FileHandle.standardError.write(Data($0.utf8)) }
  ) {
    self.isTerminal = isTerminal
    self.write = write
  }

  /// Shows how many parts of the total are done.
  package func show(_ done: Int, of total: Int) {
    let done = min(done, total)
    let filled = width * done / total
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    let percent = "\(100 * done / total)%"
    let line = "[\(bar)] \(String(repeating: " ", count: 4 - percent.count))\(percent)  \(done) of \(total)"
    if isTerminal {
      redraw(line)
    } else if 10 * done / total > tenths {
      tenths = 10 * done / total
      write(line + "\n")
    }
  }

  /// Shows the text of the next piece of work, in a line that stays open.
  package func begin(_ text: String) {
    write(text)
    lineIsOpen = true
  }

  /// Redraws the line; has no effect if the output is not a terminal.
  package func redraw(_ text: String) {
    guard isTerminal else { return }
    write("\r\u{1B}[K" + text)
    lineIsOpen = true
  }

  /// Ends the open line with `text`.
  package func finish(_ text: String = "") {
    if lineIsOpen { write(text + "\n") }
    lineIsOpen = false
  }
}
