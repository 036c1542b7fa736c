import Foundation

extension PredicatePrinter {
  /// Returns the format of an expression.
  package static func text(of expression: NSExpression) -> String {
    // An instance of a subclass describes itself.
    type(of: expression) == NSExpression.self ? nodeText(of: expression) : expression.description
  }

  /// Returns the format of the node of an expression.
  static func nodeText(of expression: NSExpression) -> String {
    guard StackRoom.isLeft else { return "…" }
    switch expression.node {
    case .constant(let value): return text(ofConstant: value)
    case .evaluatedObject: return "SELF"
    case .variable(let name): return "$" + name
    case .keyPath(let path, let operand):
      return operand.map { text(ofOperand: $0) + "." + keys(path) } ?? keys(path)
    case .function(let name, let target, let arguments): return text(ofFunction: name, target, arguments)
    case .unionSet(let left, let right): return infix("UNION", 1, left, right)
    case .intersectSet(let left, let right): return infix("INTERSECT", 1, left, right)
    case .minusSet(let left, let right): return infix("MINUS", 1, left, right)
    case .subquery(let collection, let variable, let predicate):
      return "SUBQUERY(\(text(of: collection)), $\(variable), \(text(of: predicate)))"
    case .aggregate(let expressions): return "{" + list(expressions) + "}"
    case .anyKey: return "ANYKEY"
    case .block(_, let arguments): return "BLOCK(\(list(arguments ?? [])))"
    case .fetch(let request, let context, let countOnly):
      return "FETCH(\(text(of: request)), \(text(of: context)), \(countOnly ? "YES" : "NO"))"
    case .conditional(let predicate, let first, let second):
      return "TERNARY(\(text(of: predicate)), \(text(of: first)), \(text(of: second)))"
    }
  }

  private static func list(_ expressions: [NSExpression]) -> String {
    expressions.map { text(of: $0) }.joined(separator: ", ")
  }

  // MARK: Key paths

  /// Returns a key path with `#` before the keys that are keywords of the format language.
  private static func keys(_ path: String) -> String {
    path.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { bytes in
      let key = String(Substring(bytes))
      return FormatKeyword(spelling: key)?.isReserved == true ? "#" + key : key
    }.joined(separator: ".")
  }

  /// Returns the format of an expression that comes before a dot, in parentheses if it needs them.
  private static func text(ofOperand operand: NSExpression) -> String {
    let isPlain: Bool =
      switch operand.node {
      case .variable, .evaluatedObject, .subquery, .aggregate, .conditional, .fetch: true
      case .constant(let value): !(value is NSNumber)
      case .function(let name, _, _): precedence(of: name) == nil
      default: false
      }
    return isPlain ? text(of: operand) : "(" + text(of: operand) + ")"
  }

  // MARK: Functions

  private static let signs: [String: (sign: String, precedence: Int)] = [
    "bitwiseOr:with:": ("|", 2), "bitwiseXor:with:": ("^", 2), "bitwiseAnd:with:": ("&", 3),
    "leftshift:by:": ("<<", 4), "rightshift:by:": (">>", 4), "add:to:": ("+", 5), "from:subtract:": ("-", 5),
    "multiply:by:": ("*", 6), "divide:by:": ("/", 6), "raise:toPower:": ("**", 7), "onesComplement:": ("~", 8),
  ]

  private static func precedence(of function: String) -> Int? {
    signs[function]?.precedence
  }

  private static func precedence(of expression: NSExpression) -> Int {
    switch expression.node {
    case .function(let name, nil, _): precedence(of: name) ?? 9
    case .unionSet, .intersectSet, .minusSet: 1
    default: 9
    }
  }

  private static func text(
    ofFunction name: String, _ target: NSExpression?, _ arguments: [NSExpression]
  ) -> String {
    if let target {
      let rest = arguments.isEmpty ? "" : " , " + list(arguments)
      return "FUNCTION(\(text(of: target)), \(quoted(name))\(rest))"
    }
    switch (name, arguments.count) {
    case ("castObject:toType:", 2): return "CAST(\(list(arguments)))"
    case ("objectFrom:withIndex:", 2): return "(\(text(of: arguments[0])))[\(text(of: arguments[1]))]"
    case ("onesComplement:", 1):
      let text = text(of: arguments[0])
      return precedence(of: arguments[0]) < 8 ? "~(\(text))" : "~" + text
    case (_, 2):
      if let (sign, precedence) = signs[name] { return infix(sign, precedence, arguments[0], arguments[1]) }
      return "\(name)(\(list(arguments)))"
    default: return "\(name)(\(list(arguments)))"
    }
  }

  private static func infix(_ sign: String, _ precedence: Int, _ left: NSExpression, _ right: NSExpression) -> String {
    let isRightAssociative = sign == "**"
    let leftText = text(of: left)
    let rightText = text(of: right)
    let leftPrecedence = self.precedence(of: left)
    let rightPrecedence = self.precedence(of: right)
    let leftNeeds = leftPrecedence < precedence || isRightAssociative && leftPrecedence == precedence
    let rightNeeds = rightPrecedence < precedence || !isRightAssociative && rightPrecedence == precedence
    return (leftNeeds ? "(\(leftText))" : leftText) + " \(sign) " + (rightNeeds ? "(\(rightText))" : rightText)
  }
}
