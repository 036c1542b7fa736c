/// A token of a predicate's format.
struct FormatToken {
  enum Kind: Equatable {
    /// A name without a sign; whether it is a keyword depends on its place in the grammar. A function's name includes its colons.
    case name(String)
    /// `#name`: never a keyword.
    case quotedName(String)
    /// `@count`, without the sign.
    case collectionOperator(String)
    /// `$name`, without the sign.
    case variable(String)
    /// `%@`, `%K`, `%ld`: the conversion character without length modifiers.
    case argument(Character)
    case string(String)
    case integer(Int64)
    case unsignedInteger(UInt64)
    case double(Double)
    case sign(Sign)
    case end
  }

  enum Sign: String {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case and = "&&"
    case or = "||"
    case not = "!"
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divided = "/"
    case modulus = "%%"
    case power = "**"
    case bitAnd = "&"
    case bitOr = "|"
    case bitXor = "^"
    case bitNot = "~"
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case leftParenthesis = "("
    case rightParenthesis = ")"
    case leftBrace = "{"
    case rightBrace = "}"
    case leftBracket = "["
    case rightBracket = "]"
    case comma = ","
    case dot = "."
  }

  let kind: Kind
  /// The offset of the token's first byte in the format.
  let start: Int
  /// The keyword that the token's name spells; nil if there is none.
  let keyword: FormatKeyword?

  init(kind: Kind, start: Int) {
    self.kind = kind
    self.start = start
    if case .name(let name) = kind { keyword = FormatKeyword(spelling: name) } else { keyword = nil }
  }

  /// The token in the form of error messages.
  var text: String {
    switch kind {
    case .name(let name): "'\(name)'"
    case .quotedName(let name): "'#\(name)'"
    case .collectionOperator(let name): "'@\(name)'"
    case .variable(let name): "'$\(name)'"
    case .argument(let character): "'%\(character)'"
    case .string(let string): "the string \"\(string)\""
    case .integer(let number): "the number \(number)"
    case .unsignedInteger(let number): "the number \(number)"
    case .double(let number): "the number \(number)"
    case .sign(let sign): "'\(sign.rawValue)'"
    case .end: "the end"
    }
  }
}
