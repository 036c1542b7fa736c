import Foundation

/// Parses the formats of predicates and expressions by recursive descent.
///
///     predicate  := and ( OR and )*
///     and        := not ( AND not )*
///     not        := NOT not | comparison
///     comparison := [ANY | SOME | ALL | NONE] operation ( operator [options] operation )?
///     operation  := operand ( sign operand )*          by precedence
///
/// Parentheses may enclose a predicate or an expression, and which one it is becomes known only inside of them. So every level
/// returns an item that is either.
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
  /// The greatest depth so far.
  private var deepest = 0
  /// Whether parsing failed at a limit.
  private var isAtLimit = false

  /// The greatest depth of nested parentheses, braces and functions. It exists because text from outside must not exhaust the
  /// stack.
  private static let maximumDepth = 600
  /// The depth of a format up to which its printed text is not checked. The printed text has at most a few times as many levels.
  private static let plainDepth = 100

  /// - Parameter tokens: The tokens of the format if they are known.
  init(_ format: String, tokens: [FormatToken]? = nil, arguments: [Any?]) throws {
    self.format = format
    self.arguments = FormatArguments(arguments)
    self.tokens = try tokens ?? FormatLexer.tokens(of: format)
  }

  /// Returns the predicate of a format, by its template if the format has come before.
  static func predicate(_ format: String, arguments: [Any?]) throws -> NSPredicate {
    if let predicate = FormatCache.shared.predicate(format, arguments: arguments) { return predicate }
    return try parsed(format, arguments: arguments)
  }

  static func parsed(_ format: String, tokens: [FormatToken]? = nil, arguments: [Any?]) throws -> NSPredicate {
    var parser = try FormatParser(format, tokens: tokens, arguments: arguments)
    let predicate = try parser.predicate()
    try parser.expectEnd()
    try parser.checkText { predicate.description }
    return predicate
  }

  static func expression(_ format: String, arguments: [Any?]) throws -> NSExpression {
    var parser = try FormatParser(format, arguments: arguments)
    let expression = try parser.expression()
    try parser.expectEnd()
    try parser.checkText { expression.description }
    return expression
  }

  /// Checks that the printed text can be parsed again. It has more parentheses than the format, as in NOT (NOT (a)).
  private func checkText(_ text: () -> String) throws {
    guard deepest > Self.plainDepth else { return }
    var parser = try FormatParser(text(), arguments: [])
    // Other errors are ignored: a value may have any description, so the text need not be a format.
    _ = try? parser.item()
    if parser.isAtLimit {
      throw failure(expected: "less nesting: what is printed has more parentheses than can be parsed")
    }
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

  /// Returns the error for a format that exceeds a limit of length or depth.
  mutating func limit(_ expected: String) -> OCDPredicateFormatError {
    isAtLimit = true
    return failure(expected: expected)
  }

  mutating func nested<T>(_ body: (inout FormatParser) throws -> T) throws -> T {
    guard depth < Self.maximumDepth else { throw limit("at most \(Self.maximumDepth) levels of nesting") }
    guard StackRoom.isLeft else { throw limit("less nesting: the stack of this thread is used up") }
    depth += 1
    deepest = max(deepest, depth)
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

  // MARK: Predicate or expression

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
      // The argument of `%@` may be a whole predicate.
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
