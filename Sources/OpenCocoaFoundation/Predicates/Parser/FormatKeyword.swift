/// A word with a meaning in some places of the grammar; in other places it is a name.
enum FormatKeyword: String, CaseIterable {
  case and = "AND"
  case or = "OR"
  case not = "NOT"
  case `in` = "IN"
  case like = "LIKE"
  case matches = "MATCHES"
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case between = "BETWEEN"
  case any = "ANY"
  case someOf = "SOME"
  case all = "ALL"
  case noneOf = "NONE"
  case `nil` = "NIL"
  case null = "NULL"
  case `true` = "TRUE"
  case yes = "YES"
  case `false` = "FALSE"
  case no = "NO"
  case `self` = "SELF"
  case anyKey = "ANYKEY"
  case first = "FIRST"
  case last = "LAST"
  case size = "SIZE"
  case subquery = "SUBQUERY"
  case fetch = "FETCH"
  case cast = "CAST"
  case function = "FUNCTION"
  case ternary = "TERNARY"
  case truePredicate = "TRUEPREDICATE"
  case falsePredicate = "FALSEPREDICATE"
  case union = "UNION"
  case intersect = "INTERSECT"
  case minus = "MINUS"

  /// Finds the keyword that a name in a format spells, in upper or lower case; nil if the name is no keyword.
  init?(spelling name: String) {
    // The length is checked first, because many names are too long to be a keyword.
    guard (2...Self.greatestLength).contains(name.utf8.count) else { return nil }
    self.init(rawValue: name.uppercased())
  }

  private static let greatestLength = allCases.reduce(0) { max($0, $1.rawValue.utf8.count) }

  /// Whether the word cannot begin an expression.
  var isOperator: Bool {
    switch self {
    case .and, .or, .not, .in, .like, .matches, .contains, .beginsWith, .endsWith, .between, .any, .someOf, .all,
      .noneOf:
      true
    default: false
    }
  }

  /// Whether a property with this name is written `#name`. FUNCTION and TERNARY need no `#`, because they are keywords only before
  /// a parenthesis.
  var isReserved: Bool { self != .function && self != .ternary }
}
