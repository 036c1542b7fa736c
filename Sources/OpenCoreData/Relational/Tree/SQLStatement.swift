/// The text of a statement and the values of its variables, by position.
struct SQLStatement: Sendable, Equatable {
  var text: String
  var bindings: [SQLValue]
}
