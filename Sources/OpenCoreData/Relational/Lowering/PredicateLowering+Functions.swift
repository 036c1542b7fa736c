import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

extension PredicateLowering {
  /// The operand for a function expression.
  package func function(
    _ name: String, target: NSExpression?, _ arguments: [NSExpression], _ expression: NSExpression
  ) throws -> SQLOperand {
    guard target == nil, let function = ExpressionFunction(rawValue: name) else { throw Self.unsupported(expression) }
    if function == .random { return .scalar(SQLScalar(expression: .function(.ofNumbers(.random), []), kind: .number)) }
    let operands = try arguments.map { try operand($0) }
    if let values = Self.constants(operands), function != .randomBelow {
      return .constant(try SQLLoweringError.evaluating { try function.call(values) })
    }
    if function.isAggregate { return try aggregate(function, operands, arguments, expression) }
    if function == .element { return try element(operands, arguments, expression) }
    if function == .cast { return .scalar(try cast(operands, arguments, expression)) }
    let scalars = try zip(operands, arguments).map { try scalar($0, $1) }
    return .scalar(try call(function, scalars, expression))
  }

  /// Returns `tags[SIZE]`, or an expression in braces by its index. Members have no index, because they have no order
  /// in SQL.
  private func element(
    _ operands: [SQLOperand], _ arguments: [NSExpression], _ expression: NSExpression
  ) throws -> SQLOperand {
    guard operands.count == 2, case .constant(let index) = operands[1] else { throw Self.unsupported(expression) }
    let symbol = index as? IndexSymbol
    switch operands[0] {
    case .collection(let scope, _) where symbol == .size: return .scalar(count(scope))
    case .parts(let parts) where symbol == .size: return .scalar(try count(parts, arguments[0]))
    case .list(let list):
      let number: Int
      switch (symbol, Operand(index)) {
      case (.size, _): return .constant(NSNumber(value: list.count))
      case (.first, _): number = 0
      case (.last, _): number = list.count - 1
      case (nil, .number(let value)): number = Int(Arithmetic.integer(value))
      default: throw Self.unsupported(expression)
      }
      return list.indices.contains(number) ? list[number] : .constant(nil)
    default: throw Self.unsupported(expression)
    }
  }

  package static func unsupported(_ expression: NSExpression) -> any Error {
    SQLLoweringError.make("Unsupported function expression \(expression)")
  }

  private func call(
    _ function: ExpressionFunction, _ arguments: [SQLScalar], _ expression: NSExpression
  ) throws -> SQLScalar {
    if function == .noIndex, let argument = arguments.first {
      return SQLScalar(expression: .unindexed(argument.expression), kind: argument.kind)
    }
    if let operation = SQLArithmetic(function), arguments.count == 2 {
      return try arithmetic(operation, arguments[0], arguments[1], expression)
    }
    guard let name = SQLFunctionName(function) else { throw Self.unsupported(expression) }
    let isOfStrings = function.argumentKind == .strings
    let values = try arguments.map { argument -> SQLExpression in
      if isOfStrings, !argument.kind.isText {
        guard argument.kind.isNumeric else { throw Self.unsupported(expression) }
        return .function(.text, [argument.expression])
      }
      guard isOfStrings || argument.kind.isNumeric else { throw Self.unsupported(expression) }
      return argument.expression
    }
    // The absolute value of a decimal number is a decimal number.
    let isDecimal = function == .absolute && arguments[0].kind == .decimal
    let kind: SQLKind = isDecimal ? .decimal : function.resultKind == .strings ? .string : .number
    return SQLScalar(expression: .function(name, values), kind: kind)
  }

  // MARK: Arithmetic

  private func arithmetic(
    _ operation: SQLArithmetic, _ left: SQLScalar, _ right: SQLScalar, _ expression: NSExpression
  ) throws -> SQLScalar {
    guard left.kind.isNumeric, right.kind.isNumeric else { throw Self.unsupported(expression) }
    let isExact = [.plus, .minus, .times, .divided].contains(operation)
    // A date plus or minus a number of seconds is a date. The difference of two dates is a number.
    let isMoved = operation == .plus || operation == .minus
    switch (left.kind, right.kind) {
    case (.date, .date), (.date, _), (_, .date):
      let isDate = isMoved && left.kind != right.kind
      // SQLite may store a date as an integer, and would then compute with integers.
      let first =
        isExact && !isDate ? SQLExpression.arithmetic(.times, left.expression, .value(.real(1))) : left.expression
      return SQLScalar(
        expression: .arithmetic(operation, first, right.expression), kind: isDate ? .date : .number)
    case (.decimal, _) where isExact, (_, .decimal) where isExact:
      let decimals = (left.kind == .decimal ? 1 : 0) | (right.kind == .decimal ? 2 : 0)
      return SQLScalar(
        expression: .function(
          .decimalArithmetic(operation), [.integer(decimals), left.expression, right.expression]), kind: .decimal)
    default:
      return SQLScalar(expression: .arithmetic(operation, left.expression, right.expression), kind: .number)
    }
  }

  /// CAST between numbers, dates and strings.
  private func cast(
    _ operands: [SQLOperand], _ arguments: [NSExpression], _ expression: NSExpression
  ) throws -> SQLScalar {
    guard operands.count == 2, case .constant(let type) = operands[1], let type = type as? String else {
      throw Self.unsupported(expression)
    }
    let value = try scalar(operands[0], arguments[0])
    switch type {
    case "NSNumber" where value.kind == .number || value.kind == .decimal: return value
    case "NSNumber" where value.kind == .date:
      return SQLScalar(expression: .function(.real, [value.expression]), kind: .number)
    case "NSNumber" where value.kind.isText:
      return SQLScalar(expression: .function(.number, [value.expression]), kind: .number)
    case "NSDecimalNumber" where value.kind.isNumeric: return SQLScalar(expression: value.expression, kind: .decimal)
    case "NSDecimalNumber" where value.kind.isText:
      return SQLScalar(expression: .function(.decimal, [value.expression]), kind: .decimal)
    case "NSDate" where value.kind.isText:
      return SQLScalar(expression: .function(.number, [value.expression]), kind: .date)
    case "NSDate" where value.kind.isNumeric: return SQLScalar(expression: value.expression, kind: .date)
    case "NSString" where value.kind.isText: return value
    case "NSString" where value.kind == .number || value.kind == .decimal:
      return SQLScalar(expression: .function(.text, [value.expression]), kind: .string)
    default: throw SQLLoweringError.make("Don't know how to cast to \(type)")
    }
  }
}
