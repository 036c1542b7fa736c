import Foundation

extension FormatParser {
  /// The meaning of an infix operator between two expressions.
  private struct Infix {
    let precedence: Int
    let isRightAssociative: Bool
    let make: @Sendable (NSExpression, NSExpression) -> NSExpression

    init(_ precedence: Int, _ function: String, isRightAssociative: Bool = false) {
      self.precedence = precedence
      self.isRightAssociative = isRightAssociative
      make = { NSExpression(forFunction: function, arguments: [$0, $1]) }
    }

    init(_ precedence: Int, make: @escaping @Sendable (NSExpression, NSExpression) -> NSExpression) {
      self.precedence = precedence
      isRightAssociative = false
      self.make = make
    }
  }

  private static let signs: [FormatToken.Sign: Infix] = [
    .bitOr: Infix(2, "bitwiseOr:with:"),
    .bitXor: Infix(2, "bitwiseXor:with:"),
    .bitAnd: Infix(3, "bitwiseAnd:with:"),
    .shiftLeft: Infix(4, "leftshift:by:"),
    .shiftRight: Infix(4, "rightshift:by:"),
    .plus: Infix(5, "add:to:"),
    .minus: Infix(5, "from:subtract:"),
    .times: Infix(6, "multiply:by:"),
    .divided: Infix(6, "divide:by:"),
    .modulus: Infix(6, "modulus:by:"),
    .power: Infix(7, "raise:toPower:", isRightAssociative: true),
  ]

  private static let words: [FormatKeyword: Infix] = [
    .union: Infix(1) { NSExpression(forUnionSet: $0, with: $1) },
    .intersect: Infix(1) { NSExpression(forIntersectSet: $0, with: $1) },
    .minus: Infix(1) { NSExpression(forMinusSet: $0, with: $1) },
  ]

  private func infix() -> Infix? {
    if case .sign(let sign) = token.kind { return Self.signs[sign] }
    return token.keyword.flatMap { Self.words[$0] }
  }

  /// The greatest number of operators in a row. They make a tree that is as deep.
  private static let maximumLength = 500

  /// The greatest number of levels of an expression's tree. Nested parentheses with many operators each would exceed it.
  private static let maximumTreeDepth: Int32 = 1000

  /// Parses operands that are joined by arithmetic, bitwise and set operators.
  mutating func operation(minimumPrecedence: Int = 0) throws -> Item {
    let start = token
    let first = try operand()
    guard let sign = infix(), sign.precedence >= minimumPrecedence else { return first }
    var left = try expression(of: first, at: start)
    var length = 0
    while let sign = infix(), sign.precedence >= minimumPrecedence {
      length += 1
      guard length <= Self.maximumLength else { throw limit("at most \(Self.maximumLength) operators") }
      advance()
      let start = token
      let next = sign.isRightAssociative ? sign.precedence : sign.precedence + 1
      let right = try nested { try $0.operation(minimumPrecedence: next) }
      left = sign.make(left, try expression(of: right, at: start))
      guard left.depth <= Self.maximumTreeDepth else {
        throw limit("operators that make at most \(Self.maximumTreeDepth) levels")
      }
    }
    return .expression(left)
  }

  /// Parses an operand with its prefix signs and its suffixes: `.key`, `[index]`.
  private mutating func operand() throws -> Item {
    let start = token
    switch token.kind {
    case .sign(.minus):
      advance()
      let operand = try expression(of: try nested { try $0.operand() }, at: start)
      return .expression(Self.negated(operand))
    case .sign(.bitNot):
      advance()
      let operand = try expression(of: try nested { try $0.operand() }, at: start)
      return .expression(NSExpression(forFunction: "onesComplement:", arguments: [operand]))
    default:
      let primary = try nested { try $0.primary() }
      guard token.kind == .sign(.dot) || token.kind == .sign(.leftBracket) else { return primary }
      return .expression(try suffixes(of: try expression(of: primary, at: start)))
    }
  }

  private static func negated(_ operand: NSExpression) -> NSExpression {
    guard case .constant(let value) = operand.node, let number = value as? NSNumber else {
      return NSExpression(forFunction: "multiply:by:", arguments: [operand, NSNumber(value: -1)])
    }
    if let decimal = value as? Decimal { return NSExpression(forConstantValue: -decimal) }
    if number.isFloating { return NSExpression(forConstantValue: NSNumber(value: -number.doubleValue)) }
    // The magnitude of the smallest Int64 is no Int64. The exact negative of a greater number can only be a Decimal.
    let smallest = UInt64(Int64.max) + 1
    if number.doubleValue > 0, number.uint64Value >= smallest {
      return NSExpression(
        forConstantValue: number.uint64Value == smallest ? NSNumber(value: Int64.min) : -Decimal(number.uint64Value))
    }
    let integer = number.int64Value
    return NSExpression(forConstantValue: integer == .min ? NSNumber(value: smallest) : NSNumber(value: -integer))
  }
}
