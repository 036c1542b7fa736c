import Foundation

/// A compiled pattern of MATCHES.
package final class MatchPattern: Sendable {
  package typealias Bytes = UnsafeBufferPointer<UInt8>

  /// The expression for the whole string.
  package let expression: NSRegularExpression

  private let plain: PlainPattern?
  private let pattern: String

  /// What strings are folded by before they are matched. Case is not among it, because that would turn \W into \w. The regular
  /// expression has an option to ignore case.
  private let foldedOptions: StringFolding.Options

  /// - Throws: `InvalidPattern` if the pattern is not valid.
  package init(_ pattern: String, _ options: StringFolding.Options) throws {
    foldedOptions = options.subtracting(.caseInsensitive)
    let pattern = StringFolding.fold(pattern, foldedOptions)
    let ignoresCase = options.contains(.caseInsensitive)
    do {
      // The pattern is first compiled alone: ")(" is not valid, but inside of the group it would be.
      if pattern.contains(")") { _ = try NSRegularExpression(pattern: pattern) }
      expression = try NSRegularExpression(
        pattern: "\\A(?:\(pattern))\\z", options: ignoresCase ? .caseInsensitive : [])
    } catch {
      throw InvalidPattern(pattern: pattern)
    }
    self.pattern = pattern
    plain = PlainPattern(pattern, ignoresCase: ignoresCase)
  }

  /// Whether a string matches the pattern as a whole.
  ///
  /// - Throws: The errors of `EvaluationLimit`.
  package func matches(_ string: String) throws -> Bool {
    if plain != nil || !foldedOptions.isEmpty {
      var string = string
      return try string.withUTF8 { try matches($0) }
    }
    return try isMatch(string)
  }

  /// Whether a text in UTF-8 matches the pattern as a whole.
  ///
  /// - Throws: The errors of `EvaluationLimit`.
  package func matches(_ text: Bytes) throws -> Bool {
    try StringFolding.withFolded(text, foldedOptions) { text in
      if let answer = plain?.matches(text) {
        try EvaluationLimit.current?.check()
        return answer
      }
      return try isMatch(String(decoding: text, as: UTF8.self))
    }
  }

  private func isMatch(_ string: String) throws -> Bool {
    if let limit = EvaluationLimit.current { return try limit.matches(expression, string, pattern: pattern) }
    return expression.firstMatch(in: string, range: NSRange(location: 0, length: string.utf16.count)) != nil
  }
}
