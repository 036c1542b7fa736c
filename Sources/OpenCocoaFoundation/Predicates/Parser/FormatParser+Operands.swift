import Foundation

extension FormatParser {
  /// Parses a literal, an argument, a name, a function, or an item in parentheses or braces.
  mutating func primary() throws -> Item {
    let start = token
    switch token.kind {
    case .integer(let value): return constant(NSNumber(value: value))
    case .unsignedInteger(let value): return constant(NSNumber(value: value))
    case .double(let value): return constant(NSNumber(value: value))
    case .string(let value): return constant(value)
    case .variable(let name):
      advance()
      return .expression(NSExpression(forVariable: name))
    case .argument("K"): return .expression(try keyPath())
    case .argument(let conversion):
      let value = try argument()
      if !(value is any Collection), let predicate = value as? NSPredicate { return .predicate(predicate) }
      return .expression(FormatArguments.expression(of: value, conversion: conversion))
    case .quotedName, .collectionOperator: return .expression(try keyPath())
    case .name: return try named()
    case .sign(.leftParenthesis):
      advance()
      let inner = try item()
      try expect(.rightParenthesis)
      return inner
    case .sign(.leftBrace): return .expression(try aggregate())
    case .sign, .end: throw failure(at: start, expected: "an expression")
    }
  }

  private mutating func constant(_ value: Any?) -> Item {
    advance()
    return .expression(NSExpression(forConstantValue: value))
  }

  private mutating func named() throws -> Item {
    let isCall = nextToken.kind == .sign(.leftParenthesis)
    if isCall { return .expression(try call()) }
    switch token.keyword {
    case .nil, .null: return constant(nil)
    case .true, .yes: return constant(NSNumber(value: true))
    case .false, .no: return constant(NSNumber(value: false))
    case .self:
      advance()
      return .expression(NSExpression.expressionForEvaluatedObject())
    case .anyKey:
      advance()
      return .expression(NSExpression.expressionForAnyKey())
    case let word? where word.isOperator: throw failure(expected: "an expression")
    default: return .expression(try keyPath())
    }
  }

  private mutating func aggregate() throws -> NSExpression {
    NSExpression(forAggregate: try list(from: .leftBrace, to: .rightBrace) { try $0.expression() })
  }

  /// Parses elements between two signs, separated by commas.
  mutating func list<T>(
    from opening: FormatToken.Sign, to closing: FormatToken.Sign, element: (inout FormatParser) throws -> T
  ) throws -> [T] {
    try expect(opening)
    var elements: [T] = []
    if skip(closing) { return elements }
    repeat { elements.append(try element(&self)) } while skip(.comma)
    try expect(closing)
    return elements
  }

  // MARK: Key paths

  private mutating func keyPath() throws -> NSExpression {
    var path = try key()
    while token.kind == .sign(.dot), !isMethodCall {
      advance()
      path += "." + (try key())
    }
    return NSExpression(forKeyPath: path)
  }

  /// Parses one key. An argument of `%K` may contain several keys.
  private mutating func key() throws -> String {
    switch token.kind {
    case .name(let name), .quotedName(let name):
      // The bytes are searched, because a search for a text calls Foundation.
      guard !name.utf8.contains(UInt8(ascii: ":")) else { throw failure(expected: "a key") }
      advance()
      return name
    case .collectionOperator(let name):
      advance()
      return "@" + name
    case .argument("K"):
      let start = token
      switch try argument() {
      case let name as String where !name.isEmpty: return name
      case let keyPath as AnyKeyPath:
        if let name = KeyPathNames.name(of: keyPath) { return name }
        throw failure(at: start, expected: "a key path that is registered by name", found: "\(keyPath)")
      case let value:
        throw failure(at: start, expected: "a key path as the argument of %K", found: ValueText.of(value))
      }
    default:
      throw failure(expected: "a key")
    }
  }

  /// Whether the current token, a dot, is followed by a name and a parenthesis.
  private var isMethodCall: Bool {
    guard case .name = nextToken.kind else { return false }
    return tokenAfterNext.kind == .sign(.leftParenthesis)
  }

  /// Parses the suffixes of an operand: keys, indexes in brackets and method calls.
  mutating func suffixes(of operand: NSExpression) throws -> NSExpression {
    var operand = operand
    var length = 0
    while true {
      length += 1
      guard length <= 100 else { throw failure(expected: "at most 100 keys and indexes") }
      if token.kind == .sign(.leftBracket) {
        advance()
        let index = try indexSymbol() ?? nested { try $0.expression() }
        try expect(.rightBracket)
        operand = NSExpression(forFunction: "objectFrom:withIndex:", arguments: [operand, index])
      } else if token.kind == .sign(.dot), isMethodCall {
        advance()
        operand = try methodCall(on: operand)
      } else if skip(.dot) {
        guard case .keyPath(let keys, _) = try keyPath().node else { return operand }
        operand = NSExpression(node: .keyPath(keys, operand: operand))
      } else {
        return operand
      }
    }
  }

  private mutating func indexSymbol() throws -> NSExpression? {
    guard nextToken.kind == .sign(.rightBracket), let word = token.keyword,
      let symbol = IndexSymbol(rawValue: word.rawValue)
    else { return nil }
    advance()
    return NSExpression(forConstantValue: symbol)
  }
}
