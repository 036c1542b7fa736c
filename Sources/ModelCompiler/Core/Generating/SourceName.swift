/// Names as they are written in generated source.
enum SourceName {
  /// Returns a name, in backticks if the language needs them.
  static func spelled(_ name: String) -> String { isPlain(name) && !reserved.contains(name) ? name : "`\(name)`" }

  /// Returns a name in which other characters than letters, digits and underscores are replaced, for use within an
  /// identifier.
  static func part(_ name: String) -> String {
    isPlain(name) ? name : String(name.map { $0 == "_" || $0.isLetter || $0.isNumber ? $0 : "_" })
  }

  /// Returns a text as a string literal.
  static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\", "\"": "\\\(scalar)"
      // A line break would end the literal, and a name in XML can contain one.
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: "\\u{\(String(scalar.value, radix: 16))}"
      default: String(scalar)
      }
    }
    return "\"" + escaped.joined() + "\""
  }

  /// Whether a declaration can have the name, if necessary in backticks.
  static func isValid(_ name: String) -> Bool { isPlain(name) && name != "_" && !name.hasPrefix("$") }

  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, !Lexer.isDigit(first) else { return false }
    return name.utf8.allSatisfy { Lexer.isIdentifier($0) }
  }

  private static let reserved: Set = [
    "Any", "Self", "Type", "Protocol", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default",
    "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard",
    "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
    "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch",
    "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]
}
