/// The origin of a string expression's values: the columns and constants that they come from, and the functions of
/// strings that are applied to these.
package struct SQLStringSource {
  /// The expression without the functions.
  package let expression: SQLExpression
  /// The functions, the innermost first.
  package private(set) var functions: [SQLStringFunction] = []
  package private(set) var columns: [SQLStringColumn] = []
  package private(set) var constants: [String] = []

  /// Whether the expression can have no values from elsewhere. A number that the statement computes can have any value.
  package private(set) var isComplete = true

  /// Whether all values are ASCII. The texts of numbers always are.
  package var isASCII: Bool {
    columns.allSatisfy { $0.form != .text } && constants.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
  }

  /// The only value that the expression can have; nil if there are several.
  package var constant: String? { isComplete && columns.isEmpty && constants.count == 1 ? constants[0] : nil }
}

extension SQLStringSource {
  /// Finds the sources of an expression.
  /// - Parameter tables: the tables that the aliases stand for, as the printer has noted them.
  /// - Returns: nil if the possible values of the expression cannot be determined.
  package init?(_ expression: SQLExpression, _ tables: SQLTables) {
    switch expression {
    case .function(let function, let arguments):
      guard let function = SQLStringFunction(function, arguments) else {
        self.init(plain: expression, tables)
        return
      }
      guard let inner = SQLStringSource(arguments[0], tables) else { return nil }
      self = inner
      functions.append(function)
    case .unindexed(let operand): self.init(operand, tables)
    default: self.init(plain: expression, tables)
    }
  }

  private init?(plain expression: SQLExpression, _ tables: SQLTables) {
    self.expression = expression
    guard add(expression, tables) else { return nil }
  }

  /// Adds the values of an expression without functions of strings.
  private mutating func add(_ expression: SQLExpression, _ tables: SQLTables) -> Bool {
    switch expression {
    case .null, .value(.null): return true
    case .value(.text(let text)), .typedValue(.text(let text), _):
      if !text.utf8.contains(0) { constants.append(text) }
      return true
    case .column, .name: return add(column: expression, .text, tables)
    case .function(.text, let arguments): return add(textOf: arguments, tables)
    case .function(.coalesce, let operands), .function(.ifNull, let operands):
      return operands.allSatisfy { add($0, tables) }
    case .function(.minimum, let operands), .function(.maximum, let operands), .function(.nullIf, let operands):
      return operands.first.map { add($0, tables) } ?? false
    case .unindexed(let operand), .distinct(let operand): return add(operand, tables)
    case .choice(_, let first, let second): return add(first, tables) && add(second, tables)
    case .cases(let cases, let otherwise):
      return cases.allSatisfy { add($0.value, tables) } && add(otherwise, tables)
    case .select(let select):
      var inner = tables
      inner.note(select)
      return select.results.count == 1 && add(select.results[0].expression, inner)
    default: return false
    }
  }

  private mutating func add(textOf arguments: [SQLExpression], _ tables: SQLTables) -> Bool {
    guard arguments.count == 1 else { return false }
    switch arguments[0] {
    case .column(_, _, .boolean?): return add(column: arguments[0], .boolean, tables)
    case .column(_, _, .string?): return add(column: arguments[0], .text, tables)
    case .column: return add(column: arguments[0], .number, tables)
    default:
      isComplete = false
      return true
    }
  }

  private mutating func add(column: SQLExpression, _ form: SQLStringColumn.Form, _ tables: SQLTables) -> Bool {
    guard let (table, name) = tables.column(column) else { return false }
    let column = SQLStringColumn(table: table, column: name, form: form)
    if !columns.contains(column) { columns.append(column) }
    return true
  }
}

/// The tables that the aliases of a statement stand for.
package struct SQLTables {
  private var byAlias: [Int: String] = [:]
  /// The table of a select whose expressions name columns without an alias.
  private var plain: String?

  package init() {}

  package mutating func note(_ select: SQLSelect) {
    note(select.table, select.alias)
    for join in select.joins { byAlias[join.alias] = join.table }
  }

  package mutating func note(_ table: String, _ alias: Int?) {
    if let alias { byAlias[alias] = table } else { plain = table }
  }

  /// The table and name of a column; nil for any other expression.
  package func column(_ expression: SQLExpression) -> (table: String, name: String)? {
    switch expression {
    case .column(let alias, let name, _): byAlias[alias].map { ($0, name) }
    case .name(let name): plain.map { ($0, name) }
    default: nil
    }
  }
}
