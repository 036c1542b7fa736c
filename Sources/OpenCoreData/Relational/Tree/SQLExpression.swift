import OpenCocoaFoundation

/// An expression of a statement, as data; `SQLPrinter` makes text of it.
package indirect enum SQLExpression: Sendable {
  /// A column of the table with the given alias: 3 stands for `t3`. The type is nil if a key, a number or a string in it is
  /// compared only with others of its kind.
  case column(alias: Int, name: String, type: SQLColumnType? = nil)
  /// A column of a statement that has one table, which has no alias.
  case name(String)
  /// A value that is bound with the statement.
  case value(SQLValue)
  /// The same as a value of a column's type.
  case typedValue(SQLValue, SQLColumnType)
  /// A value that is bound for each run of the statement.
  case parameter(SQLParameter)
  /// A number that is written in the text of the statement, because it is the same each time.
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
  /// True where the condition is false or unknown: never unknown itself.
  case isNotTrue(SQLExpression)
  case between(SQLExpression, SQLExpression, SQLExpression)
  case inValues(SQLExpression, [SQLValue])
  /// Whether a number is one of the numbers that are part of the text.
  case inIntegers(SQLExpression, [Int])
  /// Whether a key is one of the given keys. The text does not depend on their number.
  case inKeys(SQLExpression, [Int64])
  /// Whether a key is one of the keys that are bound, all in one variable, for each run of the statement.
  case inKeyParameter(SQLExpression)
  /// Whether a value is in a long list.
  case inList(SQLExpression, SQLList)
  /// Whether a string is the same as one in a long list, by the order of a locale.
  case isSameString(options: SQLStringOptions, SQLExpression, SQLList)
  case inSelect(SQLExpression, SQLSelect)
  /// Whether a key is not among the keys that a select returns. The select must not return NULL, since NOT IN is never true
  /// then.
  case notInSelect(SQLExpression, SQLSelect)
  case exists(SQLSelect)
  case notExists(SQLSelect)
  case select(SQLSelect)
  case function(SQLFunctionName, [SQLExpression])
  /// Whether a string contains another one, compared byte by byte; false for the empty string.
  case contains(SQLExpression, SQLExpression)
  /// Whether a string ends with a text that is not empty, byte by byte.
  case endsWith(SQLExpression, String)
  /// Whether a string matches a pattern exactly; `*` stands for any characters, `?` for one character.
  case like(SQLExpression, String)
  /// A test of a string against a pattern that needs more than SQL's own operators.
  case stringTest(SQLStringTest, options: SQLStringOptions, SQLExpression, SQLExpression)
  /// Less than, equal to or greater than zero, as the first string comes before or after the second.
  case stringOrder(options: SQLStringOptions, SQLExpression, SQLExpression)
  case choice(condition: SQLExpression, then: SQLExpression, otherwise: SQLExpression)
  /// The value of the first condition that holds.
  case cases([(condition: SQLExpression, value: SQLExpression)], otherwise: SQLExpression)
  /// The same for values that are true or false.
  case decisions([(condition: SQLExpression, value: Bool)], otherwise: SQLExpression)
  case collated(SQLExpression, SQLCollation)
  /// The number of the row among all of the select, in the order of a value.
  case rowNumber(orderedBy: SQLExpression)
  /// The argument of an aggregate that takes each value once.
  case distinct(SQLExpression)
  /// A value that no index is to be used for.
  case unindexed(SQLExpression)
  /// A condition that most rows may meet, so that an index for it is worth little.
  case unselective(SQLExpression)

  /// A condition that holds for every row, or for none.
  package static func bool(_ value: Bool) -> SQLExpression { .truth(value) }
}

/// How two values are compared. For `is` and `isNot`, NULL is a value like any other.
package enum SQLComparison: String, Sendable {
  case equal = "="
  case notEqual = "<>"
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case `is` = "IS"
  case isNot = "IS NOT"
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

  /// Operators of the same rank are evaluated from left to right.
  package var rank: Int {
    switch self {
    case .times, .divided, .modulus: 0
    case .plus, .minus: 1
    case .bitAnd, .bitOr, .shiftLeft, .shiftRight: 2
    }
  }
}

extension SQLArithmetic {
  /// The operator for an expression's function; nil if the function is not an operator.
  package init?(_ function: ExpressionFunction) {
    guard let operation = Self.allCases.first(where: { $0.function == function }) else { return nil }
    self = operation
  }

  /// The function of the expression.
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
