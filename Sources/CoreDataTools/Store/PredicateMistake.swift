import Foundation
import OpenCocoaFoundation

/// A mistake in the text of a predicate, with its place.
public struct PredicateMistake: Error, Sendable, Equatable, CustomStringConvertible {
  /// The error message.
  public let message: String
  /// The number of characters in front of the mistake.
  public let offset: Int
  /// The number of characters of the mistake; 0 if the mistake is a place without characters, such as the end.
  public let length: Int
  /// The line of the mistake, counted from 1.
  public let line: Int
  /// The column of the mistake: characters from the start of its line, counted from 1.
  public let column: Int
  /// The line of the mistake, shortened to the part around it if it is long, and a second line with a caret below the mistake.
  public let caret: String

  /// The message, and below it the line with the caret.
  public var description: String { "\(message)\n\(caret)" }

  /// Creates a mistake from an error of the parser.
  init(_ error: OCDPredicateFormatError) {
    message = "Expected \(error.expected), found \(error.found)."
    (offset, line, column) = (error.position, error.line, error.column)
    length = min(1, max(0, error.format.count - error.position))
    caret = Self.caret(in: error.format, error.position).text
  }

  /// Creates a mistake at a place.
  init(_ message: String, in text: String, at offset: Int, length: Int = 0) {
    let place = Self.caret(in: text, offset)
    (self.message, self.offset, self.length) = (message, offset, length)
    (line, column, caret) = (place.line, place.column, place.text)
  }

  private static func caret(in text: String, _ offset: Int) -> (line: Int, column: Int, text: String) {
    let before = text.prefix(offset).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let (number, column) = (max(before.count, 1), (before.last?.count ?? 0) + 1)
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let line = number <= lines.count ? Array(lines[number - 1]) : []
    let (start, end) = (max(0, column - 61), min(line.count, column + 39))
    // Tabs are kept, so that the caret stands at the right column for any width of tabs.
    let margin = line[min(start, end)..<max(min(column - 1, end), min(start, end))].map { $0 == "\t" ? "\t" : " " }
    let shown =
      (start > 0 ? "..." : "") + String(line[min(start, end)..<end]) + (end < line.count ? "..." : "") + "\n"
      + (start > 0 ? "   " : "") + margin.joined() + "^"
    return (number, column, shown)
  }
}
