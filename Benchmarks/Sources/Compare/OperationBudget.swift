/// A line of the second table: an operation that stands beside nothing in C, and what one of it may take.
struct OperationBudget: Budget {
  let title: String
  let workload: String
  let process: String
  /// The time of one operation that the design aims at, in microseconds, on a machine as fast as the yardstick says.
  let goal: Double
  /// The greatest time of one operation, in the same unit.
  let budget: Double

  /// - Parameter goal: The budget where it is left out.
  init(title: String, workload: String, process: String, goal: Double? = nil, budget: Double) {
    self.title = title
    self.workload = workload
    self.process = process
    self.goal = goal ?? budget
    self.budget = budget
  }

  /// What tells how fast a machine is: C's work under this name, and the milliseconds that it took on the machine that the
  /// budgets were set on.
  static let yardstick = (baseline: "A3", milliseconds: 43.1)

  /// How many operations a measurement repeats, as the workloads have it.
  static let repetitions = 10_000.0

  static let all = [
    OperationBudget(
      title: "parse a format of three comparisons with three arguments", workload: "predicate-parse",
      process: "predicates", budget: 10),
    OperationBudget(
      title: "evaluate `name == \"x\"` on a managed object", workload: "predicate-evaluate", process: "predicates",
      budget: 0.3),
    OperationBudget(
      title: "read a String of a realised object", workload: "read-string", process: "accessors", budget: 0.1),
    OperationBudget(
      title: "read an Integer of a realised object", workload: "read-integer", process: "accessors", budget: 0.03),
    OperationBudget(
      title: "`value(forKey:)` of a number", workload: "read-number-by-key", process: "accessors", budget: 0.15),
    OperationBudget(
      title: "`performAndWait` on an idle private context", workload: "perform-and-wait", process: "accessors",
      budget: 1),
  ]
}
