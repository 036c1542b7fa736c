import OpenCocoaFoundation

/// An expression of a statement, as data; `SQLPrinter` turns it into text.
package indirect enum SQLExpression: Sendable {
  /// A column of the table with the given alias: 3 stands for `t3`. The type is nil for a column of keys, numbers or
  /// strings that is compared only with values of the same kind.
  case column(alias: Int, name: String, type: SQLColumnType? = nil)
  /// A column of a statement that has one table, which has no alias.
  case name(String)
  /// A value that is bound with the statement.
  case value(SQLValue)
  /// A value that is bound with the statement, in the type of a column.
  case typedValue(SQLValue, SQLColumnType)
  /// A value that is bound for each run of the statement.
  case parameter(SQLParameter)
  /// A number that is part of the text, because it is the same in every run.
  case integer(Int)
  /// A condition that holds for every row, or for none.
  case truth(Bool)
  case null
  case compare(SQLComparison, SQLExpression, SQLExpression)
  case arithmetic(SQLArithmetic, SQLExpression, SQLExpression)
  case and([SQLExpression])
  case or([SQLExpression])
  case isNull(SQLExpression)
  case isNotNull(SQLExpression)
  /// True where the condition is false or unknown. The result itself is never unknown.
  case isNotTrue(SQLExpression)
  case between(SQLExpression, SQLExpression, SQLExpression)
  case inValues(SQLExpression, [SQLValue])
  /// Whether a number is in a list that is part of the text.
  case inIntegers(SQLExpression, [Int])
  /// Whether a key is in a list. The text is the same for any number of keys.
  case inKeys(SQLExpression, [Int64])
  /// Whether a key is in a list that is bound for each run of the statement, in one variable.
  case inKeyParameter(SQLExpression)
  /// Whether a value is in a long list.
  case inList(SQLExpression, SQLList)
  /// Whether a string equals one of a long list, compared under the options.
  case isSameString(options: SQLStringOptions, SQLExpression, SQLList)
  case inSelect(SQLExpression, SQLSelect)
  /// Whether a key is not among the results of a select. The select must not return NULL, because NOT IN is never true
  /// for a list with NULL.
  case notInSelect(SQLExpression, SQLSelect)
  case exists(SQLSelect)
  case notExists(SQLSelect)
  case select(SQLSelect)
  case function(SQLFunctionName, [SQLExpression])
  /// Whether the first string contains the second, byte by byte. The second must not be empty.
  case contains(SQLExpression, SQLExpression)
  /// Whether a string ends with a text that is not empty, byte by byte.
  case endsWith(SQLExpression, String)
  /// Whether a string matches a pattern without folding: `*` stands for any run of characters and `?` for one
  /// character.
  case like(SQLExpression, String)
  /// Whether a string passes a test against a pattern that needs more than SQL's own operators.
  case stringTest(SQLStringTest, options: SQLStringOptions, SQLExpression, SQLExpression)
  /// A number less than, equal to or greater than zero, if the first string comes before, with or after the second.
  case stringOrder(options: SQLStringOptions, SQLExpression, SQLExpression)
  case choice(condition: SQLExpression, then: SQLExpression, otherwise: SQLExpression)
  /// The value of the first condition that holds.
  case cases([(condition: SQLExpression, value: SQLExpression)], otherwise: SQLExpression)
  /// The same as `cases`, for values that are true or false.
  case decisions([(condition: SQLExpression, value: Bool)], otherwise: SQLExpression)
  case collated(SQLExpression, SQLCollation)
  /// The number of the row among all rows of the select, in the order of a value.
  case rowNumber(orderedBy: SQLExpression)
  /// The argument of an aggregate that counts equal values once.
  case distinct(SQLExpression)
  /// A value for which the database is not to use an index.
  case unindexed(SQLExpression)
  /// A condition that most rows may meet, so that an index for it is of little use.
  case unselective(SQLExpression)

  /// A condition that holds for every row, or for none.
  package static func bool(_ value: Bool) -> SQLExpression { .truth(value) }
}

/// How two values are compared. `is` and `isNot` treat NULL like any other value.
package enum SQLComparison: String, Sendable {
  case equal = "="
  case notEqual = "<>"
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case `is` = "IS"
  case isNot = "IS NOT"

  /// Whether a value passes the comparison with itself.
  package var holdsForEqual: Bool {
    switch self {
    case .equal, .lessOrEqual, .greaterOrEqual, .is: true
    case .notEqual, .less, .greater, .isNot: false
    }
  }
}

/// An operator of numbers.
package enum SQLArithmetic: String, CaseIterable, Sendable {
  case plus = "+"
  case minus = "-"
  case times = "*"
  case divided = "/"
  case modulus = "%"
  case bitAnd = "&"
  case bitOr = "|"
  case shiftLeft = "<<"
  case shiftRight = ">>"

  /// The precedence. Operators of the same rank are evaluated from left to right.
  package var rank: Int {
    switch self {
    case .times, .divided, .modulus: 0
    case .plus, .minus: 1
    case .bitAnd, .bitOr, .shiftLeft, .shiftRight: 2
    }
  }
}

extension SQLArithmetic {
  /// The operator for a function of an expression; nil if no operator stands for the function.
  package init?(_ function: ExpressionFunction) {
    guard let operation = Self.allCases.first(where: { $0.function == function }) else { return nil }
    self = operation
  }

  /// The function of an expression that the operator stands for.
  package var function: ExpressionFunction {
    switch self {
    case .plus: .add
    case .minus: .subtract
    case .times: .multiply
    case .divided: .divide
    case .modulus: .modulus
    case .bitAnd: .bitAnd
    case .bitOr: .bitOr
    case .shiftLeft: .shiftLeft
    case .shiftRight: .shiftRight
    }
  }
}
