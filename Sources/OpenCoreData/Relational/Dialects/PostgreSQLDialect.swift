import Foundation

/// PostgreSQL 15 or later: quoted names, numbered variables of declared types, lists as arrays, and conditions that are
/// not numbers. Strings are compared byte by byte, as in columns with the collation "C".
///
/// Expressions that need the framework's own folding, orders or regular expressions become variables, whose values the
/// framework computes from the values of columns (`SQLResolution`). Sort keys are an exception.
package struct PostgreSQLDialect: SQLDialect {
  package init() {}

  package let columns = SQLFixedColumns(key: "_pk", entity: "_ent", version: "_opt")

  package let naming: any SQLNaming = ExactNaming(longestName: 63)

  // A list of any length is one array. A result can have 1,664 columns at most, and sort keys count as columns.
  package let limits = SQLLimits(orderTerms: 1000, listVariables: 1, functionValues: 60, sumTerms: 100)

  package let inlinesValuesOfGroups = true

  package let ordersTies = true

  package let marksData = false

  package let suffixOfNestedTable = " AS counted"

  package func notANumber(isDecimal: Bool) -> SQLValue? { .real(.nan) }

  package func quoted(_ name: String) -> String { "\"\(name.replacingOccurrences(of: "\"", with: "\"\""))\"" }

  package func quotedForeign(_ name: String) -> String { quoted(name) }

  package func literal(_ value: SQLValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let value): String(value)
    case .real(let value) where value.isNaN: "'NaN'::double precision"
    case .real(let value) where value.isInfinite: "'\(value < 0 ? "-" : "")Infinity'::double precision"
    case .real(let value): "\(value)::double precision"
    case .text(let value): "'\(value.replacingOccurrences(of: "'", with: "''"))'"
    case .blob(let value): "'\\x\(value.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())'::bytea"
    }
  }

  /// An index has rows without a value where the order of a fetch has them.
  package func suffix(ofIndexTermThatIsDescending isDescending: Bool) -> String {
    suffix(ofOrderThatIsDescending: isDescending)
  }

  package func truth(_ value: Bool) -> String { value ? "TRUE" : "FALSE" }

  /// The order of a locale is a collation of the schema, which is chosen when the schema is made.
  package func name(of collation: SQLCollation) -> String? {
    switch collation {
    case .caseInsensitive: nil
    case .localized: quoted("_localized")
    case .localizedCaseInsensitive: quoted("_localizedCaseInsensitive")
    case .localizedStandard: quoted("_localizedStandard")
    }
  }

  package func suffix(ofOrderThatIsDescending isDescending: Bool) -> String {
    isDescending ? " DESC NULLS LAST" : " NULLS FIRST"
  }

  package func writePage(limit: Int, offset: Int, to printer: inout SQLPrinter) {
    if limit > 0 {
      printer.write(" LIMIT ")
      printer.bind(.integer(Int64(limit)))
    }
    if offset > 0 {
      printer.write(" OFFSET ")
      printer.bind(.integer(Int64(offset)))
    }
  }

  package func print(_ expression: SQLExpression, with printer: inout SQLPrinter) -> Bool {
    if let typed = Self.withTypes(expression) {
      printer.print(typed)
      return true
    }
    if write(strings: expression, to: &printer) { return true }
    switch expression {
    case .column(let alias, let name, .boolean?): printer.say("(\(.column(alias: alias, name: name)))::integer")
    case .typedValue(let value, let type): printer.bind(value, declaredAs: typeName(type))
    case .inKeyParameter(let operand):
      printer.operand(operand)
      printer.say(" = ANY(\(.parameter(SQLParameter(content: .keys, number: nil))))")
    case .isNotTrue(let condition): printer.say("(\(condition)) IS NOT TRUE")
    case .compare(.is, let left, .value(let value)), .compare(.is, .value(let value), let left):
      printer.say("\(left) IS NOT DISTINCT FROM \(.value(value))")
    case .compare(.is, let left, let right):
      // The server cannot use an index for IS NOT DISTINCT FROM.
      printer.say("(\(left) = \(right) OR (\(left) IS NULL AND \(right) IS NULL))")
    case .compare(.isNot, let left, let right): printer.say("\(left) IS DISTINCT FROM \(right)")
    case .arithmetic(let operation, let left, let right): write(operation, left, right, isDecimal: false, to: &printer)
    case .inKeys(let operand, let keys): write(operand, isOneOf: .integers(keys), to: &printer)
    case .inList(.column(let alias, let name, .uuid?), .data(let values)):
      let array = PostgreSQLArray(uuids: values)
      printer.say("\(.column(alias: alias, name: name)) = ANY(")
      printer.bind(.blob(array.bytes), declaredAs: "uuid[]")
      printer.write(")")
    case .inList(let operand, let list): write(operand, isOneOf: list, to: &printer)
    case .contains(let string, let pattern): printer.say("strpos(\(string), \(pattern)) > 0")
    case .endsWith(let string, let pattern):
      let count = SQLExpression.integer(pattern.unicodeScalars.count)
      printer.say("right(\(string), \(count)) = \(.value(.text(pattern)))")
    case .like(let string, let pattern): printer.say("\(string) LIKE \(.value(.text(Self.like(pattern))))")
    case .stringOrder: printer.refuse("the order of two strings as a number")
    case .collated(let string, .caseInsensitive): writeCaseInsensitive(string, to: &printer)
    case .unselective(let condition): printer.print(condition)
    case .unindexed(let operand): printer.operand(operand)
    case .function(let function, let arguments): return write(function, arguments, to: &printer)
    default: return false
    }
    return true
  }

  // MARK: Lists

  private func write(_ operand: SQLExpression, isOneOf list: SQLList, to printer: inout SQLPrinter) {
    printer.operand(operand)
    printer.write(" = ANY(")
    printer.bind(list)
    printer.write(")")
  }
}
