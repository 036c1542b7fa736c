/// A token of Swift source, with the distinctions that declarations need.
package struct Token: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// A keyword or a name without backticks.
    case identifier
    /// A name in backticks; the text does not include them.
    case escapedIdentifier
    /// A string, number or regular expression; the text is empty because it is not needed.
    case literal
    /// `#if`, `#elseif`, `#else` or `#endif`; the text is the condition.
    case directive(Directive)
    /// A single character, or `->`.
    case punctuation
  }

  package enum Directive: Equatable, Sendable { case `if`, elseif, `else`, endif }

  package var kind: Kind
  package var text: String
  /// The line of the first character, from 1.
  package var line: Int
  /// The bytes of the token in the source.
  package var range = 0..<0

  package init(_ kind: Kind, _ text: String, line: Int) {
    self.kind = kind
    self.text = text
    self.line = line
  }

  package func isPunctuation(_ character: String) -> Bool { kind == .punctuation && text == character }
  package func isKeyword(_ word: String) -> Bool { kind == .identifier && text == word }
  package var isName: Bool { kind == .identifier || kind == .escapedIdentifier }
}
