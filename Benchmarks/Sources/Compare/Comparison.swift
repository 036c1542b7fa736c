/// A line of the table of ratios: a workload of the framework, a workload of C, and the budget and the goal of their ratio.
struct Comparison: Budget {
  let title: String
  let workload: String
  /// The name under which the baseline reports.
  let baseline: String
  /// The process to start on both sides.
  let process: String
  /// The ratio that the design aims at.
  let goal: Double
  /// The greatest ratio that is allowed.
  let budget: Double
  /// Why the goal is higher than the design's, if it is.
  let raised: RaisedGoal?

  /// - Parameters:
  ///   - goal: The goal; the budget if it is left out.
  ///   - raised: Why the goal is higher than the design's, if it is.
  init(
    _ title: String, _ workload: String, beside baseline: String? = nil, process: String? = nil, goal: Double? = nil,
    budget: Double, raised: RaisedGoal? = nil
  ) {
    self.raised = raised
    self.title = title
    self.workload = workload
    self.baseline = baseline ?? workload
    self.process = process ?? workload
    self.goal = goal ?? budget
    self.budget = budget
  }

  /// The goals and budgets that the design sets.
  static let all =
    examples + graphs + photos("10,000", suffix: "") + sightings + photos("1,000,000", suffix: "-1M") + batches
    + migrations

  private static let examples = [
    Comparison("A0 load through the context", "A0", goal: 1.1, budget: 2.0),
    Comparison(
      "A1 fetch all three entities, full rows, not cached", "A1", goal: 1.3, budget: 2.0,
      raised: RaisedGoal(
        before: 1.2, reason: "a row, which contexts share, and an object are made where C makes one allocation")),
    Comparison("A1 the same, rows cached", "A1-cached", beside: "A1", process: "A1", goal: 1.2, budget: 2.0),
    Comparison("A2 SingleFault, 500,000 times, beside 500,000 point reads", "A2", goal: 0.7, budget: 1.5),
    Comparison("A3 prefetch, then read 500,000 names, rows not cached", "A3", goal: 2.4, budget: 3.0),
    Comparison("A4 the same reads again, beside C's A3", "A4", beside: "A3", process: "A3", goal: 0.5, budget: 1.0),
    Comparison("A5 pattern or rating, 1,000 times, each with a reset, beside GLOB", "A5", goal: 1.1, budget: 1.5),
    Comparison("A6 subquery, beside EXISTS, rows not cached", "A6", goal: 1.2, budget: 2.0),
    Comparison(
      "A7 500 ratings one by one, rows not cached", "A7-single", process: "A7", goal: 2.1, budget: 4.0,
      raised: RaisedGoal(
        before: 2.0,
        reason: "SQLite takes a third, and C has no event, no plan of rows and no notifications of a save")),
    Comparison("A7 500 ratings by batch update", "A7-batch", process: "A7", goal: 1.1, budget: 1.3),
    Comparison(
      "C 10,000 saves of one object each", "C", goal: 2.0, budget: 4.0,
      raised: RaisedGoal(
        before: 1.8,
        reason: "Foundation's posts are 23 % of a save, and the centre does not tell whether anyone listens"
      )),
    Comparison(
      "C the same while another context counts all the while, without what that takes", "C-reader", process: "C",
      goal: 1.5, budget: 3.0),
  ]

  /// Returns the comparisons for one number of photos, with each choice of indexes.
  private static func photos(_ count: String, suffix: String) -> [Comparison] {
    let indexings = [("none", "no index"), ("single", "single indexes"), ("compound", "a compound index")]
    let works = [
      ("B1", "insert \(count) photos", 1.8, 3.0),
      ("B2", "fetch \(count) photos by date, full rows, not cached", suffix == "-1M" ? 1.1 : 1.2, 2.0),
      ("B3", "\(count) photos by likes and date with sections, full rows, not cached", 1.5, 2.5),
      ("B4-first", "first 30 of \(count) photos by likes and date, in batches of 30", 1.1, 2.0),
    ]
    let all = works.flatMap { name, title, goal, budget in
      // Inserting the large set with indexes takes minutes, on either side.
      indexings.prefix(name == "B1" && suffix == "-1M" ? 1 : 3).map { indexing, with in
        // Where SQLite keeps no index, what objects take besides its work is the larger part.
        let raised = name == "B1" && indexing == "none"
        return Comparison(
          "\(name.prefix(2)) \(title), \(with)", "\(name)-\(indexing)\(suffix)",
          process: "\(name.prefix(2))\(suffix)", goal: raised ? 2.2 : goal, budget: budget,
          raised: raised ? RaisedGoal(before: goal, reason: withoutIndex) : nil)
      }
    }
    return all + [
      Comparison(
        "B4 all of them, page after page", "B4-scroll-compound\(suffix)", process: "B4\(suffix)", goal: 1.3,
        budget: 2.0)
    ]
  }

  private static let withoutIndex =
    "SQLite has no index to keep, so that two thirds of the work are objects, their values, rows and events"

  private static let sightings = [
    Comparison("D count 60,000 sightings by shape", "D-group", process: "D", goal: 1.05, budget: 1.3),
    Comparison("D import 60,000 sightings, all new", "D-create", process: "D", goal: 1.8, budget: 3.0),
    Comparison("D import 60,000 sightings, all there, rows not cached", "D-find", process: "D", goal: 1.5, budget: 2.5),
  ]

  private static let batches = [
    Comparison("batch update of 1,000,000 photos", "batch-update-none-1M", process: "batch-1M", budget: 1.3),
    Comparison("batch delete of 1,000,000 photos", "batch-delete-none-1M", process: "batch-1M", budget: 1.3),
  ]

  /// The migrations are compared with the statements that one would write by hand.
  private static let migrations = [
    ("migrate-add", "an attribute added with a value"), ("migrate-remove", "an attribute removed"),
    ("migrate-convert", "a number converted"),
  ].map { name, title in
    Comparison("migrate 1,000,000 photos, \(title)", "\(name)-none-1M", process: "migrate-1M", budget: 3.0)
  }
}
