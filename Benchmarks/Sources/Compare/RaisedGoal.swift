/// A goal that was raised because the design's own goal is out of reach.
struct RaisedGoal: Sendable {
  /// The goal that the design had set, in the unit of the budget.
  let before: Double
  /// Why it cannot be reached: a clause that completes "because".
  let reason: String

  /// Lines for below a table that tell of raised goals; nil if there are none.
  static func note(_ goals: [(title: String, raised: RaisedGoal?, goal: Double)], unit: String = "") -> String? {
    let lines = goals.compactMap { line in
      line.raised.map { "- \(line.title): \(line.goal)\(unit), was \($0.before)\(unit), because \($0.reason)." }
    }
    if lines.isEmpty { return nil }
    return "The profiles showed that these goals of the design are out of reach; they were raised:\n"
      + lines.joined(separator: "\n")
  }
}
