import Foundation

extension FormatParser {
  /// Parses the call of a function: the current token is its name, the next one its parenthesis.
  mutating func call() throws -> NSExpression {
    switch token.keyword {
    case .subquery: return try subquery()
    case .ternary: return try ternary()
    case .cast: return try cast()
    case .fetch: return try fetch()
    case .function: return try function()
    default:
      guard case .name(let name) = token.kind else { throw failure(expected: "a function") }
      let start = token
      advance()
      let arguments = try callArguments()
      guard let function = ExpressionFunction(named: name, argumentCount: arguments.count) else {
        throw failure(
          at: start, expected: "a function",
          found: "'\(name)' with \(arguments.count) argument\(arguments.count == 1 ? "" : "s")")
      }
      return NSExpression(forFunction: function.selector, arguments: arguments)
    }
  }

  /// Parses a call of a method of a target: `target.name(a, b)`.
  mutating func methodCall(on target: NSExpression) throws -> NSExpression {
    guard case .name(let name) = token.kind else { throw failure(expected: "the name of a method") }
    advance()
    let arguments = try callArguments()
    let selector = name.hasSuffix(":") || arguments.isEmpty ? name : name + ":"
    return NSExpression(forFunction: target, selectorName: selector, arguments: arguments)
  }

  private mutating func callArguments() throws -> [NSExpression] {
    try list(from: .leftParenthesis, to: .rightParenthesis) { try $0.expression() }
  }

  /// Parses `SUBQUERY(collection, $variable, predicate)`.
  private mutating func subquery() throws -> NSExpression {
    advance()
    try expect(.leftParenthesis)
    let collection = try expression()
    try expect(.comma)
    guard case .variable(let variable) = token.kind else { throw failure(expected: "a variable") }
    advance()
    try expect(.comma)
    let predicate = try predicate()
    try expect(.rightParenthesis)
    return NSExpression(forSubquery: collection, usingIteratorVariable: variable, predicate: predicate)
  }

  /// Parses `TERNARY(predicate, a, b)`.
  private mutating func ternary() throws -> NSExpression {
    advance()
    try expect(.leftParenthesis)
    let predicate = try predicate()
    try expect(.comma)
    let first = try expression()
    try expect(.comma)
    let second = try expression()
    try expect(.rightParenthesis)
    return NSExpression(forConditional: predicate, trueExpression: first, falseExpression: second)
  }

  /// Parses `CAST(expression, 'type')`. A constant number that is cast to NSDate becomes a constant date, because constant dates
  /// are printed in this form.
  private mutating func cast() throws -> NSExpression {
    advance()
    try expect(.leftParenthesis)
    let operand = try expression()
    try expect(.comma)
    let type = try expression()
    try expect(.rightParenthesis)
    if case .constant(let value) = operand.node, case .constant(let name) = type.node, name as? String == "NSDate",
      let seconds = value as? NSNumber
    {
      return NSExpression(forConstantValue: Date(timeIntervalSinceReferenceDate: seconds.doubleValue))
    }
    return NSExpression(forFunction: "castObject:toType:", arguments: [operand, type])
  }

  /// Parses `FETCH(request, context, countOnly)`.
  private mutating func fetch() throws -> NSExpression {
    advance()
    try expect(.leftParenthesis)
    let request = try expression()
    try expect(.comma)
    let context = try expression()
    try expect(.comma)
    let start = token
    guard case .constant(let value) = try expression().node, let countOnly = value as? NSNumber else {
      throw failure(at: start, expected: "YES or NO")
    }
    try expect(.rightParenthesis)
    return NSFetchRequestExpression.expression(
      forFetch: request, context: context, countOnly: countOnly.boolValue)
  }

  /// Parses `FUNCTION(target, 'selector:', arguments...)`.
  private mutating func function() throws -> NSExpression {
    advance()
    try expect(.leftParenthesis)
    let target = try expression()
    try expect(.comma)
    guard case .string(let selector) = token.kind else { throw failure(expected: "the selector as a string") }
    advance()
    var arguments: [NSExpression] = []
    while skip(.comma) { arguments.append(try expression()) }
    try expect(.rightParenthesis)
    return NSExpression(forFunction: target, selectorName: selector, arguments: arguments)
  }
}
