import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

extension PredicateLowering {
  private static let aggregates: [ExpressionFunction: String] = [
    .sum: "@sum", .average: "@avg", .minimum: "@min", .maximum: "@max", .median: "@median",
    .standardDeviation: "@stddev",
  ]

  /// Returns the operand for `count:`, `sum:` and so on: an aggregate of a relationship's members, or of all rows if
  /// that is allowed.
  package func aggregate(
    _ name: ExpressionFunction, _ operands: [SQLOperand], _ arguments: [NSExpression], _ expression: NSExpression
  ) throws -> SQLOperand {
    // `mode:` is unsupported, because there may be several most frequent values.
    if name == .mode { throw Self.unsupported(expression) }
    guard operands.count == 1 else { return try aggregate(name, ofList: operands, expression) }
    if allowsAggregates, expression.isAggregate, case .collection(let scope, let element) = operands[0] {
      return .scalar(try aggregate(name, ofMembers: scope, element, expression))
    }
    switch operands[0] {
    case .collection(let scope, let element) where name == .count && arguments[0].isSet:
      return .scalar(try count([.members(scope, element)], arguments[0]))
    case .collection(let scope, let element):
      var value = element.value
      if element.isMember || element.keepsNil {
        if name == .count { return .scalar(count(scope)) }
      } else {
        // The values of a set's members form a set, so equal values count once.
        value = SQLScalar(expression: .distinct(value.expression), kind: value.kind)
        if name == .count {
          let select = scope.select([.function(.count, [value.expression])])
          return .scalar(SQLScalar(expression: .select(select), kind: .number))
        }
      }
      guard let key = Self.aggregates[name], case .scalar(let result) = try aggregate(key, value) else { break }
      return .scalar(SQLScalar(expression: .select(scope.select([result.expression])), kind: result.kind))
    case .scalar(let scalar):
      guard allowsAggregates else { throw Self.unsupported(expression) }
      guard let key = Self.aggregates[name] else {
        return .scalar(SQLScalar(expression: .function(.count, [scalar.expression]), kind: .number))
      }
      return try aggregate(key, scalar)
    case .constant: break
    case .parts(let parts) where name == .count: return .scalar(try count(parts, arguments[0]))
    case .parts: throw Self.unsupported(expression)
    case .list(let operands): return try aggregate(name, ofList: operands, expression)
    }
    throw Self.unsupported(expression)
  }

  /// Returns an aggregate of the members of all rows in a group. It aggregates the members of each row first, so that
  /// the members of one relationship are not counted once for each member of another.
  private func aggregate(
    _ name: ExpressionFunction, ofMembers scope: SQLScope, _ element: SQLElement, _ expression: NSExpression
  ) throws -> SQLScalar {
    let value = element.value
    func perRow(_ function: SQLFunctionName, _ arguments: [SQLExpression]) -> SQLExpression {
      .select(scope.select([.function(function, arguments)]))
    }
    let number = SQLExpression.function(.sum, [perRow(.count, element.isMember ? [] : [value.expression])])
    if name == .count {
      return SQLScalar(expression: .function(.ifNull, [number, .integer(0)]), kind: .number)
    }
    if name == .minimum || name == .maximum {
      let function: SQLFunctionName = name == .minimum ? .minimum : .maximum
      return SQLScalar(
        expression: .function(function, [perRow(function, [value.expression])]), kind: value.kind)
    }
    guard value.kind.isNumeric else { throw Self.unsupported(expression) }
    switch name {
    case .sum where value.kind == .decimal:
      let sum = SQLFunctionName.aggregate(.sum)
      return SQLScalar(expression: .function(sum, [perRow(sum, [value.expression])]), kind: .decimal)
    case .sum:
      return SQLScalar(expression: .function(.total, [perRow(.total, [value.expression])]), kind: .number)
    case .average:
      let total = SQLExpression.function(.total, [perRow(.total, [value.expression])])
      return SQLScalar(
        expression: .arithmetic(.divided, total, .function(.nullIf, [number, .integer(0)])), kind: .number)
    default: throw Self.unsupported(expression)
    }
  }

  /// An aggregate of expressions in braces, or of several arguments.
  private func aggregate(
    _ name: ExpressionFunction, ofList operands: [SQLOperand], _ expression: NSExpression
  ) throws -> SQLOperand {
    if name == .count { return .constant(NSNumber(value: operands.count)) }
    let values = try operands.map { try scalar($0, expression) }.filter {
      if case .null = $0.expression { false } else { true }
    }
    guard let first = values.first, values.count <= model.dialect.limits.functionValues else {
      throw Self.unsupported(expression)
    }
    let areNumbers = values.allSatisfy { $0.kind.isNumeric }
    let isExtreme = name == .minimum || name == .maximum
    guard areNumbers || isExtreme && values.allSatisfy({ $0.kind.isText }) else { throw Self.unsupported(expression) }
    var decimals = 0
    for (index, value) in values.enumerated() where value.kind == .decimal { decimals |= 1 << index }
    let kind: SQLKind =
      if isExtreme, values.allSatisfy({ $0.kind == first.kind }) {
        first.kind
      } else if areNumbers {
        decimals != 0 ? .decimal : .number
      } else {
        .string
      }
    let call = SQLExpression.function(
      .ofList(name), [.integer(decimals)] + values.map(\.expression))
    return .scalar(SQLScalar(expression: call, kind: kind))
  }
}
