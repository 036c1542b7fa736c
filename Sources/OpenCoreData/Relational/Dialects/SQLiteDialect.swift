import Foundation

/// SQLite with the functions and collations that each connection registers under these names, and the columns of Apple's
/// files.
package struct SQLiteDialect: SQLDialect {
  package static let columns = SQLFixedColumns(key: "Z_PK", entity: "Z_ENT", version: "Z_OPT")

  package var columns: SQLFixedColumns { Self.columns }

  package var naming: any SQLNaming { AppleNaming() }

  // SQLite 3.40.1 crashes with 64 terms of an order and a join, because it keeps a bit for each term in a word. SQLite
  // takes 250,000 variables in all. Beside 60 values, an integer has room for a bit for each value. The depth of a sum
  // is limited.
  package let limits = SQLLimits(orderTerms: 63, listVariables: 1024, functionValues: 60, sumTerms: 100)

  package let marksData = true

  /// A text is greater than all numbers.
  package func notANumber(isDecimal: Bool) -> SQLValue? { isDecimal ? .notANumber : nil }

  /// Returns the name itself: names of the schema need no quotes.
  package func quoted(_ name: String) -> String { name }

  package func quotedForeign(_ name: String) -> String {
    name.isPlainName ? name : "\"\(name.replacingOccurrences(of: "\"", with: "\"\""))\""
  }

  package func literal(_ value: SQLValue) -> String { value.literal }

  package func suffix(ofIndexTermThatIsDescending isDescending: Bool) -> String {
    " COLLATE BINARY \(isDescending ? "DESC" : "ASC")"
  }

  package func truth(_ value: Bool) -> String { value ? "1" : "0" }

  package func name(of type: SQLColumnType) -> String {
    switch type {
    case .integer16, .integer32, .integer64, .boolean, .key, .entityNumber, .version, .position: "INTEGER"
    case .timestamp: "TIMESTAMP"
    case .double, .float: "FLOAT"
    case .decimal: "DECIMAL"
    case .string: "VARCHAR"
    case .uuid, .data: "BLOB"
    }
  }

  package func variable(_ number: Int) -> String { "?" }

  package var plainVariable: String? { "?" }

  package func repeatedVariable(_ number: Int) -> String { "?\(number)" }

  package func declare(_ content: SQLParameter.Content, to printer: inout SQLPrinter) {}

  package func declareVariable(of value: SQLValue, to printer: inout SQLPrinter) {}

  package func name(of collation: SQLCollation) -> String? { Self.name(of: collation) }

  package func suffix(ofOrderThatIsDescending isDescending: Bool) -> String { isDescending ? " DESC" : "" }

  /// Writes limit and offset as variables, so that all pages share one statement.
  package func writePage(limit: Int, offset: Int, to printer: inout SQLPrinter) {
    printer.write(" LIMIT ")
    printer.bind(.integer(limit > 0 ? Int64(limit) : -1))
    guard offset > 0 else { return }
    printer.write(" OFFSET ")
    printer.bind(.integer(Int64(offset)))
  }

  package let inlinesValuesOfGroups = false

  package let ordersTies = false

  package var suffixOfNestedTable: String { "" }

  package func print(_ expression: SQLExpression, with printer: inout SQLPrinter) -> Bool {
    switch expression {
    case .inKeys(let operand, let keys):
      printer.print(operand)
      printer.write(" IN (SELECT value FROM json_each(")
      printer.bind(SQLValue(keys: keys))
      printer.write("))")
    case .inKeyParameter(let operand):
      printer.print(operand)
      printer.write(" IN (SELECT value FROM json_each(")
      printer.print(SQLParameter(content: .keys, number: nil))
      printer.write("))")
    case .inList(let operand, let list):
      let list = JSONList(list)
      printer.print(operand)
      printer.write(" IN (SELECT \(list.element) FROM json_each(")
      printer.bind(list.json)
      printer.write("))")
    case .isSameString(let options, let string, let list):
      let list = JSONList(list)
      printer.write("EXISTS (SELECT 1 FROM json_each(")
      printer.bind(list.json)
      printer.write(") WHERE \(Self.stringCompare)(")
      printer.print(string)
      printer.write(", \(list.element), \(options.rawValue)) = 0)")
    case .contains(let string, let pattern):
      printer.write("instr(")
      printer.print(string)
      printer.write(", ")
      printer.print(pattern)
      printer.write(") > 0")
    case .endsWith(let string, let pattern):
      // The bytes are compared, because SQLite would search a text from its start, and only up to the first NUL.
      printer.write("substr(CAST(")
      printer.print(string)
      printer.write(" AS BLOB), \(-pattern.utf8.count)) = ")
      printer.bind(.blob(Data(pattern.utf8)))
    case .like(let string, let pattern):
      // SQLite's own GLOB ends at a NUL, refuses long patterns, and takes exponential time for many stars.
      printer.call(Self.like, [string, .value(.text(pattern))])
    case .stringTest(let test, let options, let string, let pattern):
      printer.call(
        Self.stringSearch, [string, pattern, .integer(options.rawValue), .integer(test.rawValue)])
    case .stringOrder(let options, let first, let second):
      printer.call(Self.stringCompare, [first, second, .integer(options.rawValue)])
    case .unselective(let condition) where printer.isDefinition: printer.print(condition)
    case .unselective(let condition):
      // This is a hint for the planner to use the index only if nothing else helps.
      printer.write("likelihood(")
      printer.print(condition)
      printer.write(", 0.4)")
    case .unindexed(let operand):
      printer.write("+")
      printer.operand(operand)
    case .isNotTrue(let condition):
      printer.write("(")
      printer.print(condition)
      printer.write(") IS NOT 1")
    default: return false
    }
    return true
  }
}
