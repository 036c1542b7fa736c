import Foundation

/// Parses the formats of predicates and expressions by recursive descent.
///
///     predicate  := and ( OR and )*
///     and        := not ( AND not )*
///     not        := NOT not | comparison
///     comparison := [ANY | SOME | ALL | NONE] operation ( operator [options] operation )?
///     operation  := operand ( sign operand )*          by precedence
///
/// Parentheses may enclose a predicate or an expression, which is known only inside of them: every level gives an item
/// that is either.
struct FormatParser {
  enum Item {
    case predicate(NSPredicate)
    case expression(NSExpression)
  }

  let format: String
  private let tokens: [FormatToken]
  private var index = 0
  var arguments: FormatArguments
  private var depth = 0

  /// How deep parentheses, braces and functions may nest: text from outside must not exhaust the stack.
  private static let maximumDepth = 200

  init(_ format: String, arguments: [Any?]) throws {
    self.format = format
    self.arguments = FormatArguments(arguments)
    tokens = try FormatLexer.tokens(of: format)
  }

  static func predicate(_ format: String, arguments: [Any?]) throws -> NSPredicate {
    var parser = try FormatParser(format, arguments: arguments)
    let predicate = try parser.predicate()
    try parser.expectEnd()
    return predicate
  }

  static func expression(_ format: String, arguments: [Any?]) throws -> NSExpression {
    var parser = try FormatParser(format, arguments: arguments)
    let expression = try parser.expression()
    try parser.expectEnd()
    return expression
  }

  // MARK: Tokens

  var token: FormatToken { tokens[index] }

  var nextToken: FormatToken { tokens[min(index + 1, tokens.count - 1)] }

  var tokenAfterNext: FormatToken { tokens[min(index + 2, tokens.count - 1)] }

  mutating func advance() {
    if index + 1 < tokens.count { index += 1 }
  }

  mutating func skip(_ sign: FormatToken.Sign) -> Bool {
    guard token.kind == .sign(sign) else { return false }
    advance()
    return true
  }

  mutating func expect(_ sign: FormatToken.Sign) throws {
    guard skip(sign) else { throw failure(expected: "'\(sign.rawValue)'") }
  }

  private func expectEnd() throws {
    guard token.kind == .end else { throw failure(expected: "an operator or the end") }
  }

  func failure(expected: String) -> OCDPredicateFormatError {
    failure(at: token, expected: expected)
  }

  func failure(at token: FormatToken, expected: String, found: String? = nil) -> OCDPredicateFormatError {
    OCDPredicateFormatError(format: format, byteOffset: token.start, expected: expected, found: found ?? token.text)
  }

  mutating func nested<T>(_ body: (inout FormatParser) throws -> T) throws -> T {
    guard depth < Self.maximumDepth else {
      throw failure(expected: "at most \(Self.maximumDepth) levels of nesting")
    }
    guard StackRoom.isLeft else { throw failure(expected: "less nesting: the stack of this thread is used up") }
    depth += 1
    defer { depth -= 1 }
    return try body(&self)
  }

  mutating func argument() throws -> Any? {
    var value: Any?
    guard arguments.next(&value) else {
      throw failure(expected: "an argument for \(token.text), of which there are less")
    }
    advance()
    return value
  }

  // MARK: What a place calls for

  mutating func predicate() throws -> NSPredicate {
    let start = token
    let item = try item()
    return try predicate(of: item, at: start)
  }

  mutating func expression() throws -> NSExpression {
    let start = token
    return try expression(of: try item(), at: start)
  }

  func predicate(of item: Item, at start: FormatToken) throws -> NSPredicate {
    switch item {
    case .predicate(let predicate): return predicate
    case .expression(let expression):
      // A predicate may be an argument as a whole.
      if case .constant(let value) = expression.node, let predicate = value as? NSPredicate { return predicate }
      throw token.kind == .end || token.kind == .sign(.rightParenthesis)
        ? failure(expected: "a comparison operator") : failure(at: token, expected: "an operator")
    }
  }

  func expression(of item: Item, at start: FormatToken) throws -> NSExpression {
    switch item {
    case .expression(let expression): return expression
    case .predicate: throw failure(at: start, expected: "an expression", found: "a predicate")
    }
  }
}
