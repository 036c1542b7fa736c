/// A line of the second table: an operation without a counterpart in C, and the time that one operation may take.
struct OperationBudget: Budget {
  let title: String
  let workload: String
  let process: String
  /// The number of operations in one measurement.
  let repetitions: Double
  /// The number of operations while instructions are counted.
  let countedRepetitions: Double
  /// The time of one operation that the design aims at, in microseconds. It applies to a machine with the speed of the
  /// yardstick.
  let goal: Double
  /// The greatest time of one operation, in the same unit.
  let budget: Double
  /// Whether the goal is the time of GRDB's records, where these are measured in the same run.
  let isBesidePeer: Bool
  /// Why the goal is higher than the design's, if it is.
  let raised: RaisedGoal?

  /// - Parameters:
  ///   - counted: The number of operations while instructions are counted; if it is left out, at most 1,000.
  ///   - goal: The goal; the budget if it is left out.
  ///   - raised: Why the goal is higher than the design's, if it is.
  init(
    title: String, workload: String, process: String, repetitions: Double = 10_000, counted: Double? = nil,
    goal: Double? = nil, budget: Double, isBesidePeer: Bool = false, raised: RaisedGoal? = nil
  ) {
    self.raised = raised
    self.title = title
    self.workload = workload
    self.process = process
    self.repetitions = repetitions
    countedRepetitions = counted ?? min(repetitions, 1000)
    self.goal = goal ?? budget
    self.budget = budget
    self.isBesidePeer = isBesidePeer
  }

  /// The measure of a machine's speed: a work of C, with its milliseconds on the machine on which the budgets were set.
  static let yardstick = (baseline: "A3", milliseconds: 43.1)

  static let all = single + everyday

  private static let single = [
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
    OperationBudget(
      title: "`await perform` on an idle private context", workload: "await-perform", process: "await", budget: 3),
    OperationBudget(
      title: "what the order adds to an insert at the front of 10,000 members and its save", workload: "ordered-part",
      process: "ordered", repetitions: 100, budget: 100),
    OperationBudget(
      title: "open a new store of 100 entities", workload: "open-100-new", process: "open", repetitions: 1,
      goal: 14_000, budget: 18_000,
      raised: RaisedGoal(
        before: 8_000,
        reason: "SQLite makes a table for each entity, and the store keeps a copy of its model, as Apple's do")),
    OperationBudget(
      title: "open a store of 100 entities that is there", workload: "open-100-existing", process: "open",
      repetitions: 1, budget: 8_000),
    OperationBudget(
      title: "open a new store of 1,000 entities", workload: "open-1000-new", process: "open", repetitions: 1,
      budget: 1_000_000),
    OperationBudget(
      title: "open a store of 1,000 entities that is there", workload: "open-1000-existing", process: "open",
      repetitions: 1, budget: 1_000_000),
  ]
}
