import CocoaFoundation
import Foundation

import class CocoaFoundation.NSExpression

extension PredicateLowering {
  /// What an expression stands for.
  func operand(_ expression: NSExpression) throws -> SQLOperand {
    switch expression.node {
    case .constant(let value): return .constant(value)
    case .evaluatedObject: return .scalar(key(of: row))
    case .variable(let name):
      if let value = values[name] { return .scalar(value) }
      return .scalar(key(of: try variable(name, in: expression)))
    case .keyPath(let path, let operand): return try keyPath(path, of: operand)
    case .subquery(let collection, let variable, let predicate):
      let (scope, element) = try members(collection, variable: variable, where: predicate)
      return .collection(scope, element)
    case .aggregate(let expressions):
      guard let values = try constants(expressions) else { return .list(expressions) }
      return .constant(values.map { $0 ?? NSNull() })
    case .function(let name, let target, let arguments):
      return try function(name, target: target, arguments, expression)
    case .conditional(let predicate, let first, let second):
      return try choice(predicate, first, second)
    case .unionSet(let left, let right), .intersectSet(let left, let right), .minusSet(let left, let right):
      if try constants([left, right]) != nil { return .constant(value(of: expression)) }
      throw SQLLoweringError.unsupported("Unsupported set expression", expression)
    case .anyKey, .block, .fetch: throw SQLLoweringError.unsupported("Unsupported expression", expression)
    }
  }

  /// The values of expressions, or nil if one of them depends on the row.
  func constants(_ expressions: [NSExpression]) throws -> [Any?]? {
    var values: [Any?] = []
    for expression in expressions {
      guard case .constant(let value) = try operand(expression) else { return nil }
      values.append(value)
    }
    return values
  }

  /// The value of an expression that depends on nothing.
  func value(of expression: NSExpression) -> Any? { expression.expressionValue(with: nil, context: nil) }

  /// The value that an expression has for a row.
  func scalar(_ expression: NSExpression) throws -> SQLScalar {
    switch try operand(expression) {
    case .scalar(let scalar): return scalar
    case .constant(let value):
      guard let scalar = constantScalar(value) else {
        throw SQLLoweringError.unsupported("Unsupported constant", expression)
      }
      return scalar
    case .collection: throw SQLLoweringError.toMany("\(expression)")
    case .list: throw SQLLoweringError.unsupported("Unsupported expression", expression)
    }
  }

  /// A constant by itself, with the kind that follows from its type.
  func constantScalar(_ value: Any?) -> SQLScalar? {
    switch Operand(value) {
    case .null: SQLScalar(expression: .null, kind: .number)
    case .number(let number): SQLScalar(expression: .value(SQLValue(number)), kind: .number)
    case .string(let string): SQLScalar(expression: .value(.text(string)), kind: .string)
    case .date(let seconds): SQLScalar(expression: .value(.real(seconds)), kind: .date)
    case .uuid(let uuid): SQLScalar(expression: .value(SQLValue(uuid)), kind: .uuid)
    case .data(let data): SQLScalar(expression: .value(.blob(data)), kind: .binary(isPrefixed: false))
    case .collection, .object, .other: nil
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
    case .variable(let name): return try resolve(path, from: variable(name, in: operand))
    default:
      switch try self.operand(operand) {
      case .constant:
        return .constant(value(of: NSExpression(node: .keyPath(path, operand: operand))))
      case .collection(let scope, let element): return try resolve(path, from: element, in: scope)
      case .scalar(let scalar):
        if case .key = scalar.kind, let row = scalar.row { return try resolve(path, from: row) }
        guard let function = SQLFunction.property(path, of: scalar.kind) else { break }
        guard let name = function.name else { return .scalar(scalar) }
        return .scalar(SQLScalar(expression: .function(name, [scalar.expression]), kind: function.kind))
      case .list: break
      }
      throw SQLLoweringError.keyPathNotFound("\(operand).\(path)", in: row.entity)
    }
  }

  private func choice(
    _ predicate: NSPredicate, _ first: NSExpression, _ second: NSExpression
  ) throws -> SQLOperand {
    let condition = try condition(predicate, isRequired: false)
    let then = try scalar(first)
    let otherwise = try scalar(second)
    // A missing value is of every kind.
    let kind = if case .null = then.expression { otherwise.kind } else { then.kind }
    if case .null = otherwise.expression {
    } else if otherwise.kind != kind {
      throw SQLLoweringError.unsupported("Unsupported TERNARY of different types", predicate)
    }
    let expression = SQLExpression.choice(
      condition: condition, then: then.expression, otherwise: otherwise.expression)
    return .scalar(SQLScalar(expression: expression, kind: kind))
  }
}
