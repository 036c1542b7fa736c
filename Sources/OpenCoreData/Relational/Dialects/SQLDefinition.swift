import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// Text of conditions and expressions that stand in a store's schema: in indexes and triggers.
///
/// The text has no variables, and calls no functions of this framework: other programs could not write the file
/// otherwise.
enum SQLDefinition {
  /// A condition on one row of an entity.
  ///
  /// - Parameter alias: What stands before the columns, or nil for nothing.
  /// - Throws: An error of `SQLLoweringError` for what needs other rows, or functions that SQLite does not have.
  static func condition(
    _ predicate: NSPredicate, on entity: SQLEntity, in model: SQLModel, alias: String? = nil
  ) throws -> String {
    try text(on: entity, in: model, alias: alias, of: "\(predicate)") { try $0.condition(predicate) }
  }

  /// A value computed from one row of an entity, with bare columns.
  ///
  /// - Throws: An error of `SQLLoweringError`, as for a condition.
  static func expression(_ expression: NSExpression, on entity: SQLEntity, in model: SQLModel) throws -> String {
    try text(on: entity, in: model, alias: nil, of: "\(expression)") { lowering in
      guard case .scalar(let scalar) = try lowering.operand(expression) else {
        throw SQLLoweringError.make("\(expression) is no value of a row")
      }
      return scalar.expression
    }
  }

  private static func text(
    on entity: SQLEntity, in model: SQLModel, alias: String?, of source: String,
    _ lower: (PredicateLowering) throws -> SQLExpression
  ) throws -> String {
    let scope = SQLScope(table: entity.tableName)
    let expression = try lower(PredicateLowering(model: model, row: SQLRow(entity: entity, scope: scope)))
    let dialect = SQLDefinitionDialect(alias: alias)
    var draft = SQLPrinter(dialect: dialect)
    draft.print(expression)
    // Without the constants, so that words in them do not count.
    let words = ["NSCoreData", "SELECT", "json_each", "COLLATE", " LIKE "]
    guard scope.joins.isEmpty, !words.contains(where: draft.text.contains) else {
      throw SQLLoweringError.make("\(source) cannot be part of a store's schema")
    }
    var printer = SQLPrinter(dialect: dialect, inlinesValues: true)
    printer.print(expression)
    return printer.text
  }
}

/// Columns with the given alias or none, and no hints for the planner.
private struct SQLDefinitionDialect: SQLDialect {
  let alias: String?
  private let sqlite = SQLiteDialect()

  init(alias: String?) { self.alias = alias }

  var columns: SQLFixedColumns { sqlite.columns }
  var limits: SQLLimits { sqlite.limits }
  var suffixOfNestedTable: String { sqlite.suffixOfNestedTable }

  func quoted(_ name: String) -> String { sqlite.quoted(name) }
  func truth(_ value: Bool) -> String { sqlite.truth(value) }
  func name(of function: SQLFunctionName) -> String? { sqlite.name(of: function) }
  func name(of collation: SQLCollation) -> String? { sqlite.name(of: collation) }
  func suffix(ofOrderThatIsDescending isDescending: Bool) -> String {
    sqlite.suffix(ofOrderThatIsDescending: isDescending)
  }

  func name(of type: SQLColumnType) -> String { sqlite.name(of: type) }
  func variable(_ number: Int) -> String { sqlite.variable(number) }
  func declareVariable(of value: SQLValue, to printer: inout SQLPrinter) {}

  func writePage(limit: Int, offset: Int, to printer: inout SQLPrinter) {
    sqlite.writePage(limit: limit, offset: offset, to: &printer)
  }

  func print(_ expression: SQLExpression, with printer: inout SQLPrinter) -> Bool {
    switch expression {
    case .column(_, let name): printer.write(alias.map { "\($0).\(name)" } ?? name)
    case .unselective(let condition): printer.print(condition)
    default: return sqlite.print(expression, with: &printer)
    }
    return true
  }
}

extension SQLValue {
  /// The value as a part of a statement's text.
  var literal: String {
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
