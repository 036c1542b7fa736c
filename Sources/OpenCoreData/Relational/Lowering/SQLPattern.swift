/// A parsed pattern of LIKE: `*` stands for any run of characters, `?` for one character, and a backslash makes the
/// next character literal.
package struct SQLPattern {
  private let pattern: String
  /// The fixed text of a pattern whose only wildcard is a `*` at an end.
  private var literal = ""
  private var startsWithStar = false
  private var endsWithStar = false
  private var isPlain = true

  package init(_ pattern: String) {
    self.pattern = pattern
    var scalars = Array(pattern.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "*":
        if literal.isEmpty, !endsWithStar { startsWithStar = true }
        endsWithStar = true
      case "?": isPlain = false
      default:
        var character = scalar
        if scalar == "\\", let escaped = scalars.popFirst() { character = escaped }
        // The pattern has text on both sides of a star.
        if endsWithStar, !literal.isEmpty { isPlain = false }
        endsWithStar = false
        literal.unicodeScalars.append(character)
      }
    }
  }

  /// The condition that a string matches the pattern, by the simplest means.
  package func condition(on string: SQLExpression) -> SQLExpression {
    guard isPlain else { return .like(string, pattern) }
    switch (startsWithStar, endsWithStar) {
    case (false, false): return .textTest(.equals, string, literal)
    case (_, true) where literal.isEmpty: return .isNotNull(string)
    case (false, true): return .textTest(.beginsWith, string, literal)
    case (true, false): return .textTest(.endsWith, string, literal)
    case (true, true): return .textTest(.contains, string, literal)
    }
  }
}
