import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSComparisonPredicate
import class OpenCocoaFoundation.NSExpression

extension PredicateLowering {
  /// The entity of a row's object.
  package func entity(of row: SQLRow) -> SQLScalar {
    let column = row.column(row.entity.fixed.entity)
    let values = members(of: row).map { (number: $0.number, value: $0.entity as Any) }
    return SQLScalar(
      expression: column, kind: .entity, row: row,
      choices: SQLChoices(column: column, values: values, isOptional: row.isOptional))
  }

  /// The name of the entity of a row's object.
  package func entityName(of row: SQLRow) -> SQLScalar {
    let column = row.column(row.entity.fixed.entity)
    let members = members(of: row)
    let name = SQLExpression.cases(
      members.map { (.compare(.equal, column, .integer($0.number)), .value(.text($0.name))) }, otherwise: .null)
    let values = members.map { (number: $0.number, value: $0.name as Any) }
    return SQLScalar(
      expression: name, kind: .string, choices: SQLChoices(column: column, values: values, isOptional: row.isOptional))
  }

  private func members(of row: SQLRow) -> [SQLEntity] { row.entity.numbers.compactMap { model.entity(number: $0) } }

  /// Returns the condition that an entity, or its name, passes a comparison with a known value. There are few entities,
  /// so the evaluator decides which of them pass. Nil for an operator that needs another condition, or has none.
  package func choice(
    of choices: SQLChoices, _ sides: (Any?) -> (Any?, Any?), _ comparison: NSComparisonPredicate
  ) throws -> SQLExpression? {
    switch comparison.predicateOperatorType {
    case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo: break
    case .in where isCollection(sides(nil).1): break
    case .beginsWith, .endsWith, .contains, .like:
      let (left, right) = sides("")
      guard choices.values.allSatisfy({ $0.value is String }), Operand(left).text != nil, Operand(right).text != nil
      else { return nil }
    default: return nil
    }
    func holds(_ value: Any?) throws -> Bool {
      let (left, right) = sides(value)
      let known = NSComparisonPredicate(
        leftExpression: NSExpression(forConstantValue: left), rightExpression: NSExpression(forConstantValue: right),
        modifier: .direct, type: comparison.predicateOperatorType, options: comparison.options)
      return try SQLLoweringError.evaluating { try known.holds(for: nil) }
    }
    let numbers = try choices.values.filter { try holds($0.value) }.map(\.number)
    let holdsForNil = try choices.isOptional && holds(nil)
    if numbers.count == choices.values.count {
      return choices.isOptional && !holdsForNil ? .isNotNull(choices.column) : .bool(true)
    }
    let isOne: SQLExpression =
      switch numbers.count {
      case 0: .bool(false)
      case 1: .compare(.equal, choices.column, .value(.integer(Int64(numbers[0]))))
      default: .inIntegers(choices.column, numbers)
      }
    return holdsForNil ? .any([isOne, .isNull(choices.column)]) : isOne
  }
}
