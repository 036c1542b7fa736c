import Foundation

/// The error that `NSPredicate(parsing:arguments:)` throws if a format is not valid: the place, what was expected there, and what
/// was found there.
public struct OCDPredicateFormatError: LocalizedError, CustomStringConvertible, Sendable {
  /// The format that was parsed, as it was given.
  public let format: String

  /// The number of characters before the place where parsing stopped.
  public let position: Int

  /// The line of that place, counted from 1.
  public let line: Int

  /// The column of that place: characters from the start of its line, counted from 1.
  public let column: Int

  /// A description, for people, of what was expected at that place.
  public let expected: String

  /// The text at that place, or a statement that the format ends there.
  public let found: String

  init(format: String, byteOffset: Int, expected: String, found: String) {
    let before = String(decoding: format.utf8.prefix(byteOffset), as: UTF8.self)
    let lines = before.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    self.format = format
    position = before.count
    line = lines.count
    column = (lines.last?.count ?? 0) + 1
    self.expected = expected
    self.found = found
  }

  /// Apple's text, followed by the place, what was expected and what was found. Below it is the line of the format with a caret
  /// under the place.
  public var description: String {
    """
    Unable to parse the format string "\(format)" (line \(line), column \(column): expected \(expected), found \(found))
    \(caret)
    """
  }

  /// The description.
  public var errorDescription: String? { description }

  /// The line of the place, cut to its neighbourhood if it is long, and a caret below.
  private var caret: String {
    let lines = format.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let text = line <= lines.count ? Array(lines[line - 1]) : []
    let start = max(0, column - 1 - 60)
    let end = min(text.count, column - 1 + 40)
    let isCut = start > 0
    // Tabs are kept, so that the caret is at the right place whatever their width is.
    let margin = text[start..<min(column - 1, end)].map { $0 == "\t" ? "\t" : " " }.joined()
    return (isCut ? "..." : "") + String(text[start..<end]) + (end < text.count ? "..." : "") + "\n"
      + (isCut ? "   " : "") + margin + "^"
  }
}
