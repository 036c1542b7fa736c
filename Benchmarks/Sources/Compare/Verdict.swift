/// The comparison of a figure with its goal and its budget.
enum Verdict: String {
  /// The figure is at most the goal.
  case reached = "goal reached"
  /// Over the goal, at most the budget.
  case within
  /// Over the budget: the run fails.
  case over

  /// Compares a figure, as it was measured and not as it is printed.
  init(_ value: Double, goal: Double, budget: Double) {
    self = value <= goal ? .reached : value <= budget ? .within : .over
  }
}
