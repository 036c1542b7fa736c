import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// The text of conditions and expressions in a store's schema: in indexes and triggers.
///
/// The text has no variables, and calls no functions of this framework, because other programs could not write the file
/// otherwise.
package enum SQLDefinition {
  /// A condition on one row of an entity.
  /// - Throws: An error of `SQLLoweringError` for a condition that needs other rows, or functions that the database
  ///   does not have.
  package static func condition(
    _ predicate: NSPredicate, on entity: SQLEntity, in model: SQLModel
  ) throws -> SQLExpression {
    try checked(on: entity, in: model, of: "\(predicate)") { try $0.condition(predicate) }
  }

  /// A value computed from one row of an entity.
  /// - Throws: An error of `SQLLoweringError`, as for a condition.
  package static func expression(
    _ expression: NSExpression, on entity: SQLEntity, in model: SQLModel
  ) throws -> SQLExpression {
    try checked(on: entity, in: model, of: "\(expression)") { lowering in
      guard case .scalar(let scalar) = try lowering.operand(expression) else {
        throw SQLLoweringError.make("\(expression) is no value of a row")
      }
      return scalar.expression
    }
  }

  /// The text of a condition or value.
  /// - Parameter alias: the text before each column; nil for none.
  package static func text(_ expression: SQLExpression, _ dialect: any SQLDialect, alias: String? = nil) -> String {
    var printer = SQLPrinter(dialect: dialect)
    printer.printDefinition(expression, alias: alias)
    return printer.text
  }

  private static func checked(
    on entity: SQLEntity, in model: SQLModel, of source: String, _ lower: (PredicateLowering) throws -> SQLExpression
  ) throws -> SQLExpression {
    let scope = SQLScope(table: entity.tableName)
    let expression = try lower(PredicateLowering(model: model, row: SQLRow(entity: entity, scope: scope)))
    // The text that is searched has variables in the place of constants, so that words in constants do not count.
    let statement = try SQLStatement.printed(model.dialect) { $0.print(expression) }
    let words = ["NSCoreData", "SELECT", "json_each", "COLLATE", " LIKE "]
    guard scope.joins.isEmpty, statement.resolutions.isEmpty, !words.contains(where: statement.text.contains) else {
      throw SQLLoweringError.make("\(source) cannot be part of a store's schema")
    }
    return expression
  }
}

extension SQLValue {
  /// The value as a part of a statement's text.
  package var literal: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): String(value)
    case .real(let value) where value.isNaN: "NULL"
    case .real(let value) where value.isInfinite: value < 0 ? "-9e999" : "9e999"
    case .real(let value): "\(value)"
    case .text(let value): "'\(value.replacingOccurrences(of: "'", with: "''"))'"
    case .blob(let value): "X'\(value.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())'"
    }
  }
}
