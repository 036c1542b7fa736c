import OpenCocoaFoundation

/// Turns statements into text and bindings.
package struct SQLPrinter {
  package private(set) var text = ""
  package private(set) var bindings: [SQLValue] = []
  /// The types of the variables, where the dialect declares them.
  package private(set) var types: [String] = []
  /// The variables whose values depend on the contents of columns.
  package private(set) var resolutions: [SQLResolution] = []
  /// The tables that the aliases stand for, in the select that is being printed and in those around it.
  package var tables = SQLTables()
  /// The number of variables so far.
  package private(set) var variableCount = 0
  /// The first part that the dialect cannot express.
  private var refusal: String?
  package let dialect: any SQLDialect
  /// Whether the expression is part of a schema's definition. Values are then part of the text, and columns have no
  /// alias, or `definitionAlias`.
  package private(set) var isDefinition = false
  private var definitionAlias: String?
  /// Whether values are part of the text. Grouped selects need this in a database that takes two variables for two
  /// different values.
  package var inlinesValues = false

  package init(dialect: any SQLDialect) {
    self.dialect = dialect
    text.reserveCapacity(256)
  }

  /// The statement that was printed.
  /// - Throws: 134060 with the first part that the dialect cannot express.
  package func statement() throws -> SQLStatement {
    if let refusal { throw SQLLoweringError.make("Unsupported by this kind of store: \(refusal)") }
    return SQLStatement(text: text, bindings: bindings, types: types, resolutions: resolutions)
  }

  /// Records that the dialect cannot express a part.
  package mutating func refuse(_ part: String) { refusal = refusal ?? part }

  package mutating func write(_ string: String) { text += string }

  /// Writes a column: `t3.ZNAME`. An interpolated string would first be built as a string of its own, so the parts are
  /// appended one by one.
  private mutating func write(alias: Int, _ name: String) {
    if isDefinition { return write((definitionAlias.map { $0 + "." } ?? "") + dialect.quoted(name)) }
    text += "t"
    text += String(alias)
    text += "."
    text += dialect.quoted(name)
  }

  package mutating func bind(_ value: SQLValue) {
    if isDefinition || inlinesValues { return text += dialect.literal(value) }
    bindings.append(value)
    variableCount += 1
    text += dialect.variable(variableCount)
    dialect.declareVariable(of: value, to: &self)
  }

  /// Writes a list of variables at once, which for a thousand values takes a fraction of one after the other.
  /// - Returns: false, without having written anything, where each variable is written in a way of its own.
  package mutating func bind(all values: [SQLValue]) -> Bool {
    guard !isDefinition, !inlinesValues, !values.isEmpty, let variable = dialect.plainVariable else { return false }
    bindings.append(contentsOf: values)
    variableCount += values.count
    text += variable
    text += String(repeating: "," + variable, count: values.count - 1)
    return true
  }

  /// Binds a value and declares the type of its variable. The value's own type does not tell it, as for an array in its
  /// binary form.
  package mutating func bind(_ value: SQLValue, declaredAs type: String) {
    if inlinesValues, !type.hasSuffix("[]") { return write("\(dialect.literal(value))::\(type)") }
    bindings.append(value)
    variableCount += 1
    declare(type)
    write(dialect.variable(variableCount))
  }

  /// Writes a variable for an answer about the values of columns. If the statement already has a variable with the same
  /// value, that one is written again.
  package mutating func bind(
    _ answer: SQLResolution.Answer, of columns: [SQLStringColumn], and constants: [String] = []
  ) {
    if isDefinition { return refuse("values of other rows in a schema") }
    let new = SQLResolution(binding: bindings.count, columns: columns, constants: constants, answer: answer)
    if let known = resolutions.first(where: { $0.isSameMap(as: new) }) {
      return write(dialect.repeatedVariable(known.binding + 1))
    }
    resolutions.append(new)
    bind(.null, declaredAs: "text[]")
  }

  /// Writes a variable that is bound for each run.
  package mutating func print(_ parameter: SQLParameter) {
    let isNew = parameter.number.map { $0 > variableCount } ?? true
    if isNew {
      variableCount += 1
      dialect.declare(parameter.content, to: &self)
    }
    write(parameter.number.map(dialect.repeatedVariable) ?? dialect.variable(variableCount))
  }

  /// Appends a statement that was printed by itself. No variable may have been written before it.
  package mutating func append(_ statement: SQLStatement) {
    precondition(variableCount == 0, "its variables are numbered from 1")
    write(statement.text)
    bindings = statement.bindings
    types = statement.types
    resolutions = statement.resolutions
    variableCount = bindings.count
  }

  /// Declares the type of the last variable.
  package mutating func declare(_ type: String) { types.append(type) }

  /// Prints an expression that is part of a schema's definition.
  /// - Parameter alias: the text before each column; nil for none.
  package mutating func printDefinition(_ expression: SQLExpression, alias: String? = nil) {
    let outer = (isDefinition, definitionAlias)
    (isDefinition, definitionAlias) = (true, alias)
    print(expression)
    (isDefinition, definitionAlias) = outer
  }

  /// Prints an expression. An expression with operators is put in parentheses, unless it is a whole condition.
  package mutating func print(_ expression: SQLExpression) {
    if !StackRoom.isLeft { return refuse(OCDEvaluationError.nestedTooDeeply.reason) }
    if dialect.print(expression, with: &self) { return }
    switch expression {
    case .column(let alias, let name, _): write(alias: alias, name)
    case .name(let name): write(dialect.quoted(name))
    case .parameter(let parameter): print(parameter)
    case .rowNumber(let order):
      write("ROW_NUMBER() OVER (ORDER BY ")
      print(order)
      write(")")
    case .value(.null), .null: write("NULL")
    case .value(let value), .typedValue(let value, _): bind(value)
    case .integer(let value): write(String(value))
    case .truth(let value): write(dialect.truth(value))
    case .compare(let comparison, let left, let right): infix(left, comparison.rawValue, right)
    case .arithmetic:
      write("(")
      arithmetic(expression)
      write(")")
    case .and(let terms): chain(terms[...], "AND", none: true)
    case .or(let terms): chain(terms[...], "OR", none: false)
    case .isNull(let operand): postfix(operand, "IS NULL")
    case .isNotNull(let operand): postfix(operand, "IS NOT NULL")
    case .between(let operand, let low, let high):
      infix(operand, "BETWEEN", low)
      write(" AND ")
      print(high)
    case .inValues(let operand, let values): list(operand, values)
    case .inIntegers(let operand, let numbers):
      print(operand)
      write(" IN (\(numbers.map(String.init).joined(separator: ",")))")
    case .inSelect(let operand, let select):
      print(operand)
      write(" IN ")
      nested(select)
    case .notInSelect(let operand, let select):
      print(operand)
      write(" NOT IN ")
      nested(select)
    case .exists(let select):
      write("EXISTS ")
      nested(select)
    case .notExists(let select):
      write("NOT EXISTS ")
      nested(select)
    case .select(let select): nested(select)
    case .function(let function, let arguments): call(function, arguments)
    case .choice(let condition, let first, let second): choose([(condition, first)], second)
    case .cases(let cases, let otherwise): choose(cases, otherwise)
    case .decisions(let cases, let otherwise): choose(cases.map { ($0.condition, .truth($0.value)) }, otherwise)
    case .distinct(let operand):
      write("DISTINCT ")
      print(operand)
    case .collated(let operand, let collation): collate(operand, collation)
    case .inKeys, .inKeyParameter, .inList, .isSameString, .contains, .endsWith, .like, .stringTest, .stringOrder,
      .unselective, .unindexed, .isNotTrue:
      preconditionFailure("every dialect prints these itself")
    }
  }
}
