/// Names as generated source spells them.
enum SourceName {
  /// A name in backticks where the language needs them.
  static func spelled(_ name: String) -> String { isPlain(name) && !reserved.contains(name) ? name : "`\(name)`" }

  /// A name that consists of characters which an identifier may contain after its first.
  static func part(_ name: String) -> String {
    isPlain(name) ? name : String(name.map { $0 == "_" || $0.isLetter || $0.isNumber ? $0 : "_" })
  }

  /// A string literal.
  static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\", "\"": "\\\(scalar)"
      // Line breaks, which XML can hold in a name, would end the literal.
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: "\\u{\(String(scalar.value, radix: 16))}"
      default: String(scalar)
      }
    }
    return "\"" + escaped.joined() + "\""
  }

  /// Whether a declaration can have the name, in backticks where the language needs them.
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
