import Foundation
import Synchronization

/// The framework's log: messages that a program should know and no error can carry, and lines that were requested.
package enum FrameworkLog {
  package typealias Kind = CoreDataInstruments.LogLine.Kind

  static let handler = Mutex<(@Sendable (CoreDataInstruments.LogLine) -> Void)?>(nil)
  /// See `CoreDataInstruments.sqlDebugLevel`.
  package static let level = Atomic<Int>(0)

  /// Gives a line to the handler. If there is no handler, or if the launch arguments ask for both, writes it to standard
  /// error.
  package static func write(_ kind: Kind, _ message: String) {
    let line = CoreDataInstruments.LogLine(kind: kind, message: message)
    if let handler = handler.withLock({ $0 }) {
      handler(line)
      if !LaunchArguments.current.logsToStandardError { return }
    }
    let text =
      kind == .sql && LaunchArguments.current.colorsSyntax ? "CoreData: sql: \(SQLColoring.color(message))" : line.text
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }

  /// Writes a text that begins with its kind, such as `warning: ...`.
  package static func write(_ text: String) {
    for kind in [Kind.error, .warning, .annotation] where text.hasPrefix("\(kind.rawValue): ") {
      return write(kind, String(text.dropFirst(kind.rawValue.count + 2)))
    }
    write(.annotation, text)
  }
}
