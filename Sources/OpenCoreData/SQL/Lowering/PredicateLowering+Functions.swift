import CocoaFoundation
import Foundation

import class CocoaFoundation.NSExpression

extension PredicateLowering {
  /// What a function stands for.
  func function(
    _ name: String, target: NSExpression?, _ arguments: [NSExpression], _ expression: NSExpression
  ) throws -> SQLOperand {
    guard target == nil else { throw Self.unsupported(expression) }
    if name == "random" { return .scalar(SQLScalar(expression: .function("NSCoreData_random", []), kind: .number)) }
    if let aggregate = try aggregate(name, arguments, expression) { return aggregate }
    let operands = try arguments.map { try operand($0) }
    let areConstant = operands.allSatisfy { if case .constant = $0 { true } else { false } }
    if areConstant, name != "randomn:" { return .constant(value(of: expression)) }
    if name == "objectFrom:withIndex:", case .collection(let scope, _)? = operands.first,
      case .constant(let index)? = operands.last, index as? IndexSymbol == .size
    {
      return .scalar(count(scope))
    }
    if name == "castObject:toType:" { return .scalar(try cast(arguments, expression)) }
    return .scalar(try call(name, try arguments.map { try scalar($0) }, expression))
  }

  private static func unsupported(_ expression: NSExpression) -> any Error {
    SQLLoweringError.make("Unsupported function expression \(expression)")
  }

  private func call(_ name: String, _ arguments: [SQLScalar], _ expression: NSExpression) throws -> SQLScalar {
    if name == "noindex:", let argument = arguments.first {
      return SQLScalar(expression: .unindexed(argument.expression), kind: argument.kind)
    }
    if let operation = Self.operators[name], arguments.count == 2 {
      return try arithmetic(operation, arguments[0], arguments[1], expression)
    }
    guard let function = SQLFunction.named(name) else { throw Self.unsupported(expression) }
    let isOfStrings = function.kind == .string || name == "length:"
    let values = try arguments.map { argument -> SQLExpression in
      if isOfStrings, !argument.kind.isText {
        guard argument.kind.isNumeric else { throw Self.unsupported(expression) }
        return .function(SQLFunction.text, [argument.expression])
      }
      guard isOfStrings || argument.kind.isNumeric else { throw Self.unsupported(expression) }
      return argument.expression
    }
    return SQLScalar(expression: .function(function.name, values), kind: function.kind)
  }

  // MARK: Arithmetic

  private static let operators: [String: SQLArithmetic] = [
    "add:to:": .plus, "from:subtract:": .minus, "multiply:by:": .times, "divide:by:": .divided,
    "modulus:by:": .modulus, "bitwiseAnd:with:": .bitAnd, "bitwiseOr:with:": .bitOr, "leftshift:by:": .shiftLeft,
    "rightshift:by:": .shiftRight,
  ]

  private func arithmetic(
    _ operation: SQLArithmetic, _ left: SQLScalar, _ right: SQLScalar, _ expression: NSExpression
  ) throws -> SQLScalar {
    guard left.kind.isNumeric, right.kind.isNumeric else { throw Self.unsupported(expression) }
    // A date moved by a number of seconds is a date; the distance of two dates is a number.
    let isMoved = operation == .plus || operation == .minus
    let kind: SQLKind
    switch (left.kind, right.kind) {
    case (.date, .date): kind = .number
    case (.date, _), (_, .date): kind = isMoved ? .date : .number
    case (.decimal, _), (_, .decimal): kind = .decimal
    default: kind = .number
    }
    return SQLScalar(
      expression: .arithmetic(operation, floating(left, operation), floating(right, operation)), kind: kind)
  }

  /// SQLite divides as integers what it keeps as integers: decimals and dates without a fraction are no integers.
  private func floating(_ value: SQLScalar, _ operation: SQLArithmetic) -> SQLExpression {
    guard operation == .divided, value.kind != .number else { return value.expression }
    return .arithmetic(.times, value.expression, .value(.real(1)))
  }

  /// CAST between numbers, dates and strings.
  private func cast(_ arguments: [NSExpression], _ expression: NSExpression) throws -> SQLScalar {
    guard arguments.count == 2, case .constant(let type) = try operand(arguments[1]), let type = type as? String else {
      throw Self.unsupported(expression)
    }
    let value = try scalar(arguments[0])
    switch type {
    case "NSNumber" where value.kind.isNumeric: return SQLScalar(expression: value.expression, kind: .number)
    case "NSNumber" where value.kind.isText:
      return SQLScalar(expression: .function(SQLFunction.number, [value.expression]), kind: .number)
    case "NSDate" where value.kind.isNumeric: return SQLScalar(expression: value.expression, kind: .date)
    case "NSString" where value.kind.isText: return value
    case "NSString" where value.kind == .number || value.kind == .decimal:
      return SQLScalar(expression: .function(SQLFunction.text, [value.expression]), kind: .string)
    default: throw SQLLoweringError.make("Don't know how to cast to \(type)")
    }
  }

  // MARK: Aggregates

  private static let aggregates = ["sum:": "@sum", "average:": "@avg", "min:": "@min", "max:": "@max"]

  /// `count:`, `sum:` and so on: of the members of a relationship, or of all rows where that is allowed.
  private func aggregate(
    _ name: String, _ arguments: [NSExpression], _ expression: NSExpression
  ) throws -> SQLOperand? {
    guard name == "count:" || Self.aggregates[name] != nil, arguments.count == 1 else { return nil }
    switch try operand(arguments[0]) {
    case .collection(let scope, let element):
      var value = element.value
      if element.isMember || element.keepsNil {
        if name == "count:" { return .scalar(count(scope)) }
      } else {
        // The values of a set's members are a set.
        value = SQLScalar(expression: .distinct(value.expression), kind: value.kind)
        if name == "count:" {
          let select = scope.select([.function("COUNT", [value.expression])])
          return .scalar(SQLScalar(expression: .select(select), kind: .number))
        }
      }
      guard let key = Self.aggregates[name] else { return nil }
      guard case .scalar(let result) = try aggregate(key, value) else { return nil }
      return .scalar(SQLScalar(expression: .select(scope.select([result.expression])), kind: result.kind))
    case .scalar(let scalar):
      guard allowsAggregates else { throw Self.unsupported(expression) }
      guard let key = Self.aggregates[name] else {
        return .scalar(SQLScalar(expression: .function("COUNT", [scalar.expression]), kind: .number))
      }
      return try aggregate(key, scalar)
    case .constant: return nil
    case .list: throw Self.unsupported(expression)
    }
  }
}
