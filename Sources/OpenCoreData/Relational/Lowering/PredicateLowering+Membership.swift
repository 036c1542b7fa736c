import Foundation
import OpenCocoaFoundation

extension PredicateLowering {
  /// BETWEEN: not below the first bound and not above the second.
  package func between(_ value: SQLOperand, _ bounds: SQLOperand, _ test: SQLTest) throws -> SQLExpression {
    let low: SQLOperand
    let high: SQLOperand
    switch bounds {
    case .constant(let bounds):
      if Operand(bounds).isNull { return .bool(false) }
      guard let values = elements(of: bounds), values.count == 2 else { throw Self.badBounds }
      (low, high) = (.constant(values[0]), .constant(values[1]))
    case .list(let operands):
      guard operands.count == 2 else { throw Self.badBounds }
      (low, high) = (operands[0], operands[1])
    case .scalar, .collection, .parts: throw Self.badBounds
    }
    var test = test
    test.type = .greaterThanOrEqualTo
    let first = try compare(value, low, test)
    test.type = .lessThanOrEqualTo
    let second = try compare(value, high, test)
    if case .compare(.greaterOrEqual, .column(let alias, let name, let type), .value(let low)) = first,
      case .compare(.lessOrEqual, .column, .value(let high)) = second
    {
      return .between(.column(alias: alias, name: name, type: type), .value(low), .value(high))
    }
    return .all([first, second])
  }

  private static var badBounds: any Error {
    SQLLoweringError.make("The right hand side for a BETWEEN operator must be an array of two values")
  }

  /// Returns the condition of IN, or of CONTAINS with exchanged sides: a value is an element of a collection, or a part
  /// of a string.
  package func isMember(_ value: SQLOperand, of whole: SQLOperand, _ test: SQLTest) throws -> SQLExpression {
    switch whole {
    case .constant(let collection):
      if case .scalar(let scalar) = value, case .key(let root) = scalar.kind,
        let keys = ObjectKeys.keys(of: collection, root: root, model: model)
      {
        if !keys.isEmpty { require(scalar, test) }
        return isOne(of: keys, scalar.expression)
      }
      guard let elements = elements(of: collection) else {
        return Operand(collection).isNull ? .bool(false) : try isPart(value, of: whole, test)
      }
      guard case .scalar(let scalar) = value else {
        return .any(try elements.map { try compare(value, .constant($0), test.membership) })
      }
      return try isElement(scalar, of: elements, test)
    case .list(let operands):
      return .any(try operands.map { try compare(value, $0, test.membership) })
    case .scalar: return try isPart(value, of: whole, test)
    case .collection(let scope, let element):
      if scope.correlation == nil, element.isMember, case .scalar(let scalar) = value, scalar.kind == element.value.kind
      {
        return .inSelect(scalar.expression, scope.select([element.value.expression]))
      }
      return try exists(scope, element) { try compare($0, value, test.membership) }
    case .parts(let parts): return try exists(parts) { try compare($0, value, test.membership) }
    }
  }

  private func isPart(_ part: SQLOperand, of whole: SQLOperand, _ test: SQLTest) throws -> SQLExpression {
    var test = test
    test.type = .contains
    return try textCondition(whole, part, test)
  }

  /// Returns the condition that a value is one of the known elements. Nil is an element of no collection.
  private func isElement(_ scalar: SQLScalar, of elements: [Any], _ test: SQLTest) throws -> SQLExpression {
    var values: [SQLValue] = []
    var numbers: [SQLValue] = []
    for element in elements {
      switch try SQLConstant(element, as: scalar.kind, in: self) {
      case .value(let value): values.append(value)
      case .number(let number): numbers.append(number)
      case .null, .never: break
      }
    }
    if !values.isEmpty || !numbers.isEmpty { require(scalar, test) }
    var operand = scalar.expression
    if case .binary(isPrefixed: true) = scalar.kind { return .any(values.map { compareData(operand, $0, .equal) }) }
    if scalar.kind.isText, test.options.contains(.localeSensitive) {
      // Strings that a locale's collation treats as equal have no canonical form that could be put into a list.
      return .any([
        isSame(as: values, operand, test.options),
        isOne(of: numbers, .function(.number, [operand])),
      ])
    }
    if scalar.kind.isText, !test.options.isEmpty {
      operand = .function(.fold, [operand, .integer(test.options.rawValue)])
      values = values.map { value in
        guard case .text(let string) = value else { return value }
        return .text(StringFolding.fold(string, test.options.comparisonOptions))
      }
    }
    return .any([
      isOne(of: values, operand),
      isOne(of: numbers, .function(.number, [scalar.expression])),
    ])
  }
}
