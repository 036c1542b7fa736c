import Foundation

/// A format that was parsed once, with places for its arguments. It makes the predicate that the parser would make.
///
/// There are templates of comparisons whose arguments are whole operands, joined by AND, OR and NOT. In other formats the
/// arguments decide how the format is parsed: BETWEEN takes `AND` for its own after a single value.
final class FormatTemplate: @unchecked Sendable {  // immutable, as are the expressions in it
  private enum Side {
    case expression(NSExpression)
    case argument(Int)
  }

  private enum Node {
    case boolean(NSPredicate)
    case compound(Foundation.NSCompoundPredicate.LogicalType, [Node])
    case comparison(
      Side, Side, NSComparisonPredicate.Modifier, NSComparisonPredicate.Operator, NSComparisonPredicate.Options)
  }

  private let root: Node
  /// The conversion of each argument; `K` for a key path, which is part of the template.
  private let conversions: [Character]

  /// Stands for an argument while the template is made.
  private struct Mark {
    let number: Int
  }

  /// Parses a format.
  ///
  /// - Parameters:
  ///   - tokens: The format's tokens if they are known.
  ///   - conversions: The format's conversions, in their order.
  ///   - arguments: The arguments, of which those for `%K` become a part of the template.
  /// - Returns: Nil if arguments may decide how the format is parsed, or if the format is not valid.
  init?(_ format: String, tokens: [FormatToken]? = nil, conversions: [Character], arguments: [Any?]) {
    let marked = zip(conversions, arguments).enumerated().map { number, argument in
      argument.0 == "K" ? argument.1 : Mark(number: number)
    }
    guard let predicate = try? FormatParser.parsed(format, tokens: tokens, arguments: marked) else { return nil }
    var found: [Int] = []
    guard let root = Self.node(predicate, &found) else { return nil }
    guard found.sorted() == conversions.indices.filter({ conversions[$0] != "K" }) else { return nil }
    self.root = root
    self.conversions = conversions
  }

  private static func node(_ predicate: NSPredicate, _ found: inout [Int]) -> Node? {
    switch predicate.node {
    case .boolean: return .boolean(predicate)
    case .compound(let type, let subpredicates):
      var nodes: [Node] = []
      for subpredicate in subpredicates {
        guard let node = node(subpredicate, &found) else { return nil }
        nodes.append(node)
      }
      return .compound(type, nodes)
    case .comparison(let comparison):
      let type = comparison.predicateOperatorType
      // A pattern of MATCHES is checked when it is parsed.
      guard type != .between, type != .matches else { return nil }
      return .comparison(
        side(comparison.leftExpression, &found), side(comparison.rightExpression, &found),
        comparison.comparisonPredicateModifier, type, comparison.options)
    case .block, .custom: return nil
    }
  }

  private static func side(_ expression: NSExpression, _ found: inout [Int]) -> Side {
    // The types are compared first: the first cast of each type looks for how Foundation might bridge it.
    guard case .constant(let value?) = expression.node, type(of: value) == Mark.self, let mark = value as? Mark else {
      return .expression(expression)
    }
    found.append(mark.number)
    return .argument(mark.number)
  }

  /// Makes the predicate for the arguments; nil if only the parser can.
  func predicate(_ arguments: [Any?]) -> NSPredicate? {
    guard arguments.count >= conversions.count else { return nil }
    var operands: [NSExpression?] = []
    operands.reserveCapacity(conversions.count)
    for (conversion, argument) in zip(conversions, arguments) {
      if conversion == "K" {
        operands.append(nil)
        continue
      }
      let value = unwrapped(argument)
      // An argument may be a whole predicate.
      if let value, Self.mayBePredicate(value), value is NSPredicate { return nil }
      operands.append(FormatArguments.expression(of: value, conversion: conversion))
    }
    return Self.predicate(root, operands)
  }

  /// Whether a value is worth a cast, which takes a while, and would convert a Swift collection to a class.
  private static func mayBePredicate(_ value: Any) -> Bool {
    exactString(value) == nil && exactInteger(value) == nil && !(value is any Collection)
  }

  private static func predicate(_ node: Node, _ operands: [NSExpression?]) -> NSPredicate? {
    switch node {
    case .boolean(let predicate): return predicate
    case .compound(let type, let nodes):
      var subpredicates: [NSPredicate] = []
      subpredicates.reserveCapacity(nodes.count)
      for node in nodes {
        guard let predicate = predicate(node, operands) else { return nil }
        subpredicates.append(predicate)
      }
      return NSCompoundPredicate(type: type, subpredicates: subpredicates)
    case .comparison(let left, let right, let modifier, let type, let options):
      guard let left = expression(left, operands), let right = expression(right, operands) else { return nil }
      return NSComparisonPredicate(
        leftExpression: left, rightExpression: right, modifier: modifier, type: type, options: options)
    }
  }

  private static func expression(_ side: Side, _ operands: [NSExpression?]) -> NSExpression? {
    switch side {
    case .expression(let expression): expression
    case .argument(let number): operands[number]
    }
  }
}
