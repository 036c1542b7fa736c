import OpenCocoaFoundation

/// A function of a string that the framework computes itself, since a database would give another result for some strings.
package enum SQLStringFunction: Sendable, Hashable {
  case fold(SQLStringOptions)
  case uppercase, lowercase
  /// Converts the pattern of a predicate's LIKE to a pattern of SQL's LIKE.
  case sqlPattern

  /// The function that a call in a statement stands for.
  package init?(_ function: SQLFunctionName, _ arguments: [SQLExpression]) {
    switch (function, arguments.count) {
    case (.uppercase, 1): self = .uppercase
    case (.lowercase, 1): self = .lowercase
    case (.canonical, 1): self = .fold([.caseInsensitive, .diacriticInsensitive])
    case (.fold, 2):
      guard case .integer(let options) = arguments[1] else { return nil }
      self = .fold(SQLStringOptions(rawValue: options))
    default: return nil
    }
  }

  package func callAsFunction(_ string: String) -> String {
    switch self {
    case .fold(let options): StringFolding.fold(string, options.comparisonOptions)
    case .uppercase: string.uppercased()
    case .lowercase: string.lowercased()
    case .sqlPattern: PostgreSQLDialect.like(string)
    }
  }

  /// The function of a string that is known to be ASCII, which has neither marks nor widths; nil if no SQL has the same
  /// result.
  package func ofASCII(_ string: SQLExpression) -> SQLExpression? {
    switch self {
    case .fold(let options) where !options.contains(.caseInsensitive): string
    case .fold, .lowercase: .function(.lowercaseASCII, [string])
    case .uppercase: .function(.uppercaseASCII, [string])
    case .sqlPattern: nil
    }
  }
}

extension [SQLStringFunction] {
  /// All functions, one after the other.
  package func callAsFunction(_ string: String) -> String { reduce(string) { $1($0) } }

  /// The functions of a string that is known to be ASCII; nil if no SQL has the same result.
  package func ofASCII(_ string: SQLExpression) -> SQLExpression? {
    reduce(string as SQLExpression?) { string, function in string.flatMap(function.ofASCII) }
  }
}
