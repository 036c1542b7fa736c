extension SQLiteDialect {
  /// `(string, pattern, options, test)`: whether the string passes the test, NULL if either is NULL.
  package static let stringSearch = "NSCoreDataStringSearch"
  /// `(string, pattern)`: whether the string matches the pattern of LIKE, without folding.
  package static let like = "NSCoreDataLike"
  /// `(first, second, options)`: less than, equal to or greater than 0, NULL if either is NULL.
  package static let stringCompare = "NSCoreDataStringCompare"
  /// `(integer)`: the floating number with these bits.
  package static let realOfBits = "NSCoreDataRealOfBits"
  /// `(digits)`: the bytes that hexadecimal digits represent, as data.
  package static let bytesOfHex = "NSCoreDataBytesOfHex"
  /// `(digits)`: the bytes that hexadecimal digits represent, as text.
  package static let textOfHex = "NSCoreDataTextOfHex"

  package func name(of function: SQLFunctionName) -> String? { Self.name(of: function) }

  /// The name of a function: one of SQLite's own, or one that connections register.
  package static func name(of function: SQLFunctionName) -> String {
    switch function {
    case .count: "COUNT"
    case .total: "TOTAL"
    case .sum: "SUM"
    case .average: "AVG"
    case .minimum: "MIN"
    case .maximum: "MAX"
    case .aggregate(let aggregate): name(of: aggregate)
    case .ifNull: "IFNULL"
    case .coalesce: "COALESCE"
    case .nullIf: "NULLIF"
    case .data: "NSCoreDataData"
    case .isData: "NSCoreDataIsData"
    case .fold: "NSCoreDataFold"
    case .length: "NSCoreDataLength"
    case .uppercase: "NSCoreDataUppercase"
    case .lowercase: "NSCoreDataLowercase"
    case .canonical: "NSCoreDataCanonical"
    case .uppercaseASCII: "upper"
    case .lowercaseASCII: "lower"
    case .number: "NSCoreDataNumber"
    case .text: "NSCoreDataText"
    case .decimal: "NSCoreDataDecimal"
    case .real: "NSCoreDataReal"
    case .integer: "NSCoreDataInteger"
    case .ofNumbers(let function): name(of: function.selector)
    case .decimalArithmetic(let operation): name(of: operation.function.selector) + "_decimal"
    case .ofList(let function): name(of: function.selector) + "_list"
    }
  }

  /// The name under which connections register an aggregate.
  package static func name(of aggregate: SQLAggregate) -> String {
    switch aggregate {
    case .median: "NSCoreDataMedian"
    case .standardDeviation: "NSCoreDataDeviation"
    case .sum: "NSCoreDataDecimalSum"
    case .average: "NSCoreDataDecimalAverage"
    }
  }

  /// The name under which connections register an order.
  package static func name(of collation: SQLCollation) -> String {
    switch collation {
    case .caseInsensitive: "NSCollateCaseInsensitive"
    case .localized: "NSCollateLocaleSensitive"
    case .localizedCaseInsensitive: "NSCollateLocaleSensitiveCaseInsensitive"
    case .localizedStandard: "NSCollateFinderlike"
    }
  }

  private static func name(of selector: String) -> String { "NSCoreData_" + selector.filter { $0 != ":" } }
}
