/// The comparison of a figure with its goal and its budget.
enum Verdict: String {
  /// The figure is at most the goal.
  case reached = "goal reached"
  /// The figure is over the goal, and at most the budget.
  case within
  /// The figure is over the budget: the run fails.
  case over

  /// Compares a figure with its full precision, not as it is printed.
  init(_ value: Double, goal: Double, budget: Double) {
    self = value <= goal ? .reached : value <= budget ? .within : .over
  }
}
