/// The text of a statement and the values of its variables, by position.
struct SQLStatement: Sendable, Equatable {
  var text: String
  var bindings: [SQLValue]
  /// The types of the variables, where the dialect declares them.
  var types: [String] = []
}
