/// Text of a statement with expressions in it, for what a dialect says in words of its own:
/// `"strpos(\(string), \(pattern)) > 0"`.
struct SQLText: ExpressibleByStringInterpolation {
  enum Part {
    case text(String)
    case expression(SQLExpression)
  }

  let parts: [Part]

  init(stringLiteral text: String) { parts = [.text(text)] }

  init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    init(literalCapacity: Int, interpolationCount: Int) { parts.reserveCapacity(2 * interpolationCount + 1) }

    mutating func appendLiteral(_ text: String) { if !text.isEmpty { parts.append(.text(text)) } }

    mutating func appendInterpolation(_ expression: SQLExpression) { parts.append(.expression(expression)) }

    /// A word of the statement.
    mutating func appendInterpolation(word: String) { parts.append(.text(word)) }
  }
}

extension SQLPrinter {
  /// Writes the text, and prints the expressions in it.
  mutating func say(_ text: SQLText) {
    for part in text.parts {
      switch part {
      case .text(let text): write(text)
      case .expression(let expression): print(expression)
      }
    }
  }
}
