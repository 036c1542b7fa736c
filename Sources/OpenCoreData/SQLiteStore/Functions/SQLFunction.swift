import Foundation
import OpenCocoaFoundation

/// A function that the SQL of predicates calls and that SQLite does not have itself.
struct SQLFunction: Sendable {
  let name: String
  let argumentCount: Int
  /// Whether equal arguments always give an equal result.
  let isDeterministic: Bool
  let body: @Sendable (SQLFunctionArguments) throws -> SQLValue

  /// Makes a function whose name in statements is that of `function`.
  init(
    _ function: SQLFunctionName, argumentCount: Int, isDeterministic: Bool = true,
    body: @escaping @Sendable (SQLFunctionArguments) throws -> SQLValue
  ) {
    self.init(
      name: SQLiteDialect.name(of: function), argumentCount: argumentCount, isDeterministic: isDeterministic, body: body
    )
  }

  init(
    name: String, argumentCount: Int, isDeterministic: Bool = true,
    body: @escaping @Sendable (SQLFunctionArguments) throws -> SQLValue
  ) {
    self.name = name
    self.argumentCount = argumentCount
    self.isDeterministic = isDeterministic
    self.body = body
  }

  /// All functions, for each connection to register.
  static let all: [SQLFunction] = strings + numbers + lists + ofLists
}
