import Foundation

/// Why a format is not a predicate or an expression.
public struct PredicateFormatError: LocalizedError, CustomStringConvertible, Sendable {
  /// The format.
  public let format: String

  /// The number of characters in front of the place where parsing stopped.
  public let position: Int

  /// What could have stood there.
  public let expected: String

  /// What stands there.
  public let found: String

  init(format: String, byteOffset: Int, expected: String, found: String) {
    self.format = format
    position = String(decoding: format.utf8.prefix(byteOffset), as: UTF8.self).count
    self.expected = expected
    self.found = found
  }

  /// Apple's text, followed by the place, what was expected and what was found.
  public var description: String {
    "Unable to parse the format string \"\(format)\" (at character \(position): expected \(expected), found \(found))"
  }

  /// The description.
  public var errorDescription: String? { description }
}
