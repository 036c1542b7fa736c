/// A line of the budget table: what is measured beside what, and how much more it may take.
struct Comparison: Sendable {
  /// The name of the work in RESULTS.md.
  let title: String
  /// The name under which the framework's workload reports.
  let workload: String
  /// The name under which the baseline reports.
  let baseline: String
  /// What to start, on both sides.
  let process: String
  /// The greatest ratio that may be.
  let budget: Double

  init(_ title: String, _ workload: String, beside baseline: String? = nil, process: String? = nil, budget: Double) {
    self.title = title
    self.workload = workload
    self.baseline = baseline ?? workload
    self.process = process ?? workload
    self.budget = budget
  }

  /// The budgets that the design sets.
  static let all = [
    Comparison("A0 load through the context", "A0", budget: 2.0),
    Comparison("A1 fetch all three entities, full rows, not cached", "A1", budget: 2.0),
    Comparison("A1 the same, rows cached", "A1-cached", beside: "A1", process: "A1", budget: 2.0),
    Comparison("A2 SingleFault, 500,000 times, beside 500,000 point reads", "A2", budget: 1.5),
    Comparison("A3 prefetch, then read 500,000 names, rows not cached", "A3", budget: 3.0),
    Comparison("A4 the same reads again, beside C's A3", "A4", beside: "A3", process: "A3", budget: 1.0),
    Comparison("A5 pattern or rating, 1,000 times, each with a reset, beside GLOB", "A5", budget: 1.5),
    Comparison("A6 subquery, beside EXISTS, rows not cached", "A6", budget: 2.0),
    Comparison("A7 500 ratings one by one, rows not cached", "A7-single", process: "A7", budget: 4.0),
    Comparison("A7 500 ratings by batch update", "A7-batch", process: "A7", budget: 1.3),
    Comparison("C 10,000 saves of one object each", "C", budget: 4.0),
    Comparison("C the same while another context counts all the while", "C-reader", process: "C", budget: 3.0),
  ]
}
