import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

extension PredicateLowering {
  /// The operand for an expression.
  package func operand(_ expression: NSExpression) throws -> SQLOperand {
    try SQLLoweringError.checkStack()
    switch expression.node {
    case .constant(let value): return .constant(value)
    case .evaluatedObject: return .scalar(key(of: row))
    case .variable(let name):
      if let value = values[name] { return .scalar(value) }
      if let constant = constants[name] { return .constant(constant) }
      return .scalar(key(of: try variable(name, in: expression)))
    case .keyPath(let path, let operand): return try keyPath(path, of: operand)
    case .subquery(let collection, let variable, let predicate):
      return try members(collection, variable: variable, where: predicate)
    case .aggregate(let expressions):
      let operands = try expressions.map { try operand($0) }
      guard let values = Self.constants(operands) else { return .list(operands) }
      return .constant(values.map { $0 ?? NSNull() })
    case .function(let name, let target, let arguments):
      return try function(name, target: target, arguments, expression)
    case .conditional(let predicate, let first, let second):
      return try choice(predicate, first, second)
    case .unionSet, .intersectSet, .minusSet: return try set(expression)
    case .fetch(let request, let context, let countOnly):
      return try fetched(request, context, countOnly: countOnly, expression)
    case .anyKey, .block: throw SQLLoweringError.unsupported("Unsupported expression", expression)
    }
  }

  /// Returns the values of operands, or nil if one of them depends on the row.
  package static func constants(_ operands: [SQLOperand]) -> [Any?]? {
    var values: [Any?] = []
    for operand in operands {
      guard case .constant(let value) = operand else { return nil }
      values.append(value)
    }
    return values
  }

  /// Returns the value of an expression that does not depend on a row.
  ///
  /// - Throws: 134060 for an expression without a value.
  package func value(of expression: NSExpression) throws -> Any? {
    try SQLLoweringError.evaluating { try expression.checkedValue(with: nil) }
  }

  /// The value that an expression has for a row.
  package func scalar(_ expression: NSExpression) throws -> SQLScalar {
    try scalar(try operand(expression), expression)
  }

  /// Returns the value of an operand. The error for an operand without one names the expression that it belongs to.
  package func scalar(_ operand: SQLOperand, _ expression: NSExpression) throws -> SQLScalar {
    switch operand {
    case .scalar(let scalar): return scalar
    case .constant(let value):
      guard let scalar = constantScalar(value) else {
        throw SQLLoweringError.unsupported("Unsupported constant", expression)
      }
      return scalar
    case .collection, .parts: throw SQLLoweringError.toMany("\(expression)")
    case .list: throw SQLLoweringError.unsupported("Unsupported expression", expression)
    }
  }

  /// Returns a constant as a value whose kind follows from the constant's type.
  package func constantScalar(_ value: Any?) -> SQLScalar? {
    switch Operand(value) {
    case .null: SQLScalar(expression: .null, kind: .number)
    case .number(.decimal(let number)): SQLScalar(expression: .value(SQLValue(.decimal(number))), kind: .decimal)
    case .number(let number): SQLScalar(expression: .value(SQLValue(number)), kind: .number)
    case .string(let string): SQLScalar(expression: .value(.text(string)), kind: .string)
    case .date(let seconds): SQLScalar(expression: .value(.real(seconds)), kind: .date)
    case .uuid(let uuid): SQLScalar(expression: .value(SQLValue(uuid)), kind: .uuid)
    case .data(let data): SQLScalar(expression: .value(.blob(data)), kind: .binary(isPrefixed: false))
    case .collection, .dictionary, .object, .other: nil
    }
  }

  private func key(of row: SQLRow) -> SQLScalar {
    SQLScalar(expression: row.key, kind: .key(root: row.entity.root.number), row: row)
  }

  private func variable(_ name: String, in expression: NSExpression) throws -> SQLRow {
    if let row = variables[name] { return row }
    throw SQLLoweringError.make("Can't get value for '\(name)' in bindings: the variable has no value.")
  }

  private func keyPath(_ path: String, of operand: NSExpression?) throws -> SQLOperand {
    guard let operand else { return try resolve(path, from: row) }
    switch operand.node {
    case .evaluatedObject: return try resolve(path, from: row)
    case .variable(let name) where constants[name] == nil: return try resolve(path, from: variable(name, in: operand))
    default:
      switch try self.operand(operand) {
      case .constant(let constant):
        let operand = NSExpression(forConstantValue: constant)
        return .constant(try value(of: NSExpression(node: .keyPath(path, operand: operand))))
      case .collection(let scope, let element) where path == "@count" && operand.isSet:
        return .scalar(try count([.members(scope, element)], operand))
      case .collection(let scope, let element): return try resolve(path, from: element, in: scope)
      case .scalar(let scalar):
        if case .key = scalar.kind, let row = scalar.row { return try resolve(path, from: row) }
        guard let function = SQLFunctionName.property(path, of: scalar.kind) else { break }
        return .scalar(SQLScalar(expression: .function(function.name, [scalar.expression]), kind: function.kind))
      case .parts(let parts) where path == "@count": return .scalar(try count(parts, operand))
      case .list, .parts: break
      }
      throw SQLLoweringError.keyPathNotFound("\(operand).\(path)", in: row.entity)
    }
  }

  private func choice(
    _ predicate: NSPredicate, _ first: NSExpression, _ second: NSExpression
  ) throws -> SQLOperand {
    let condition = try condition(predicate, isRequired: false)
    let operands = (try operand(first), try operand(second))
    let then = try scalar(operands.0, like: operands.1, first)
    let otherwise = try scalar(operands.1, like: operands.0, second)
    guard let kind = Self.commonKind(then, otherwise) else {
      throw SQLLoweringError.unsupported("Unsupported TERNARY of different types", predicate)
    }
    let expression = SQLExpression.choice(
      condition: condition, then: then.expression, otherwise: otherwise.expression)
    return .scalar(SQLScalar(expression: expression, kind: kind))
  }

  /// Returns one of two values to choose from. If the other value is an object, a known object becomes its key.
  private func scalar(_ operand: SQLOperand, like other: SQLOperand, _ expression: NSExpression) throws -> SQLScalar {
    guard case .constant(let value) = operand, case .scalar(let other) = other, case .key = other.kind else {
      return try scalar(operand, expression)
    }
    switch try SQLConstant(value, as: other.kind, in: self) {
    case .value(let key): return SQLScalar(expression: .value(key), kind: other.kind)
    case .null, .number: return SQLScalar(expression: .null, kind: other.kind)
    // Keys begin at 1, so that no object has this key.
    case .never: return SQLScalar(expression: .integer(0), kind: other.kind)
    }
  }

  /// Returns the kind that both of two values have; nil if their kinds differ.
  private static func commonKind(_ first: SQLScalar, _ second: SQLScalar) -> SQLKind? {
    // A missing value can be of any kind.
    if case .null = first.expression { return second.kind }
    if case .null = second.expression { return first.kind }
    if first.kind == second.kind { return first.kind }
    return first.kind.isText && second.kind.isText ? .string : nil
  }
}
