import Foundation

extension FormatParser {
  /// Parses a predicate or an expression, whichever comes next.
  mutating func item() throws -> Item {
    try chain(.or, isNext: { $0.kind == .sign(.or) || $0.keyword == .or }) { parser in
      try parser.chain(.and, isNext: { $0.kind == .sign(.and) || $0.keyword == .and }) { try $0.negation() }
    }
  }

  /// Parses items that are joined by one connective, as one flat compound predicate.
  private mutating func chain(
    _ type: Foundation.NSCompoundPredicate.LogicalType, isNext: (FormatToken) -> Bool,
    operand: (inout FormatParser) throws -> Item
  ) throws -> Item {
    let start = token
    let first = try operand(&self)
    guard isNext(token) else { return first }
    var subpredicates = [try predicate(of: first, at: start)]
    while isNext(token) {
      advance()
      let start = token
      let next = try operand(&self)
      subpredicates.append(try predicate(of: next, at: start))
    }
    return .predicate(NSCompoundPredicate(type: type, subpredicates: subpredicates))
  }

  private mutating func negation() throws -> Item {
    guard token.kind == .sign(.not) || token.keyword == .not else { return try comparison() }
    advance()
    let start = token
    let operand = try nested { try $0.negation() }
    return .predicate(NSCompoundPredicate(notPredicateWithSubpredicate: try predicate(of: operand, at: start)))
  }

  // MARK: Comparisons

  private mutating func comparison() throws -> Item {
    switch token.keyword {
    case .truePredicate:
      advance()
      return .predicate(BooleanPredicate.true)
    case .falsePredicate:
      advance()
      return .predicate(BooleanPredicate.false)
    case .any, .someOf: return .predicate(try quantified(.any))
    case .all: return .predicate(try quantified(.all))
    case .noneOf:
      let predicate = try quantified(.any)
      return .predicate(NSCompoundPredicate(notPredicateWithSubpredicate: predicate))
    default:
      let start = token
      let left = try operation()
      guard let operation = comparisonOperator() else { return left }
      return .predicate(try comparison(of: expression(of: left, at: start), by: operation, modifier: .direct))
    }
  }

  private mutating func quantified(_ modifier: NSComparisonPredicate.Modifier) throws -> NSPredicate {
    advance()
    let start = token
    let left = try expression(of: try operation(), at: start)
    guard let operation = comparisonOperator() else { throw failure(expected: "a comparison operator") }
    return try comparison(of: left, by: operation, modifier: modifier)
  }

  private mutating func comparison(
    of left: NSExpression, by type: NSComparisonPredicate.Operator, modifier: NSComparisonPredicate.Modifier
  ) throws -> NSPredicate {
    let options = try self.options()
    let start = token
    var right = try expression(of: try operation(), at: start)
    if type == .between, token.keyword == .and || token.kind == .sign(.and), right.isSingleValue {
      // BETWEEN a AND b, as in SQL.
      advance()
      let start = token
      right = NSExpression(forAggregate: [right, try expression(of: try operation(), at: start)])
    }
    try check(right, for: type, options: options, at: start)
    return NSComparisonPredicate(
      leftExpression: left, rightExpression: right, modifier: modifier, type: type, options: options)
  }

  /// Throws an error for a constant at which every evaluation would fail.
  private func check(
    _ right: NSExpression, for type: NSComparisonPredicate.Operator, options: NSComparisonPredicate.Options,
    at start: FormatToken
  ) throws {
    switch (type, right.node) {
    case (.between, .constant(let value?)) where elements(of: value)?.count != 2:
      throw failure(at: start, expected: "two values")
    case (.between, .aggregate(let bounds)) where bounds.count != 2:
      throw failure(at: start, expected: "two values", found: "\(bounds.count)")
    case (.matches, .constant(let pattern as String)):
      let compiled = try? RegularExpressions.compiled(pattern, ignoresCase: options.contains(.caseInsensitive))
      if compiled == nil { throw failure(at: start, expected: "a regular expression") }
    default: break
    }
  }

  private mutating func comparisonOperator() -> NSComparisonPredicate.Operator? {
    guard let type = Self.comparisonOperator(of: token) else { return nil }
    advance()
    return type
  }

  private static func comparisonOperator(of token: FormatToken) -> NSComparisonPredicate.Operator? {
    switch token.kind {
    case .sign(.equal): .equalTo
    case .sign(.notEqual): .notEqualTo
    case .sign(.less): .lessThan
    case .sign(.lessOrEqual): .lessThanOrEqualTo
    case .sign(.greater): .greaterThan
    case .sign(.greaterOrEqual): .greaterThanOrEqualTo
    default:
      switch token.keyword {
      case .beginsWith: .beginsWith
      case .endsWith: .endsWith
      case .contains: .contains
      case .like: .like
      case .matches: .matches
      case .in: .in
      case .between: .between
      default: nil
      }
    }
  }

  /// Parses options such as `[cd]` after an operator, with or without a space before them.
  private mutating func options() throws -> NSComparisonPredicate.Options {
    guard token.kind == .sign(.leftBracket) else { return [] }
    advance()
    guard case .name(let letters) = token.kind else { throw failure(expected: "the letters c, d, n, l or w") }
    var options: NSComparisonPredicate.Options = []
    for letter in letters.uppercased() {
      switch letter {
      case "C": options.insert(.caseInsensitive)
      case "D": options.insert(.diacriticInsensitive)
      case "N": options.insert(.normalized)
      case "L": options.insert(.localeSensitive)
      case "W": options.insert(.widthInsensitive)
      default: throw failure(expected: "the letters c, d, n, l or w")
      }
    }
    advance()
    try expect(.rightBracket)
    return options
  }
}

extension NSExpression {
  /// Whether the expression can only be one bound of a BETWEEN, and not a collection of both bounds.
  fileprivate var isSingleValue: Bool {
    switch node {
    case .constant(let value): !isCollection(value)
    case .aggregate, .keyPath, .variable: false
    default: true
    }
  }
}
