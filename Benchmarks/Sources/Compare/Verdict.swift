/// What a figure is worth beside its goal and its budget.
enum Verdict: String {
  /// At most the goal.
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
