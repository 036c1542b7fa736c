/// Text of a statement with expressions in it. A dialect uses it for its own syntax: `"strpos(\(string), \(pattern)) >
/// 0"`.
package struct SQLText: ExpressibleByStringInterpolation {
  package enum Part {
    case text(String)
    case expression(SQLExpression)
  }

  package let parts: [Part]

  package init(stringLiteral text: String) { parts = [.text(text)] }

  package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    package init(literalCapacity: Int, interpolationCount: Int) { parts.reserveCapacity(2 * interpolationCount + 1) }

    package mutating func appendLiteral(_ text: String) { if !text.isEmpty { parts.append(.text(text)) } }

    package mutating func appendInterpolation(_ expression: SQLExpression) { parts.append(.expression(expression)) }

    /// Appends a string as SQL text, not as an expression.
    package mutating func appendInterpolation(word: String) { parts.append(.text(word)) }
  }
}

extension SQLPrinter {
  /// Writes the text, and prints the expressions in it.
  package mutating func say(_ text: SQLText) {
    for part in text.parts {
      switch part {
      case .text(let text): write(text)
      case .expression(let expression): print(expression)
      }
    }
  }
}
