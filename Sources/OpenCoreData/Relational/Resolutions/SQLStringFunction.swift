import OpenCocoaFoundation

/// A function of a string that the framework computes, because a database gives other results for some strings.
package enum SQLStringFunction: Sendable, Hashable {
  case fold(SQLStringOptions)
  case uppercase, lowercase
  /// The pattern of SQL's LIKE for a pattern of a predicate's LIKE.
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

  /// The same function for a string that is known to be ASCII, so that diacritics and width do not matter; nil if SQL
  /// cannot express the function.
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
  /// Applies all functions, one after the other.
  package func callAsFunction(_ string: String) -> String { reduce(string) { $1($0) } }

  /// The same functions for a string that is known to be ASCII; nil if SQL cannot express them.
  package func ofASCII(_ string: SQLExpression) -> SQLExpression? {
    reduce(string as SQLExpression?) { string, function in string.flatMap(function.ofASCII) }
  }
}
