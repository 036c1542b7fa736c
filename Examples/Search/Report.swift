import ExampleSupport

/// The result of a run, in the structure of its JSON. Times are in seconds.
struct Report: JSONReport, Codable {
  /// The search in one way.
  struct Search: Codable {
    var way: Way
    var found: Int
    var cost: Cost
    /// The statements that read rows.
    var statements: [Explanation]
  }

  var count: Int
  var sought: String
  var filling: Cost
  var searches: [Search] = []
  var ladder: [Rung] = []
  var plainSQLite: [PlainSQLite.Query] = []
  var sortings: [Sorting] = []
  var keepings: [Keeping] = []
  var typing: [Typing.Step] = []
  var mistakes = Mistakes()
}
