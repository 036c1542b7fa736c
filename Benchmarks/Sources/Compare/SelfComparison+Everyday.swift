extension SelfComparison {
  /// What should not grow with what it does not see, and what predicates and sort descriptors take beside closures of Swift. The
  /// budgets are the ratios of commit 569b0a46.
  static let everyday = pending + results + closures + saves

  private init(
    _ title: String, _ workload: String, beside: String, _ process: String, times: Double = 1, goal: Double,
    budget: Double
  ) {
    self.init(
      title: title, workload: workload, beside: beside, process: process, times: times, goal: goal, budget: budget)
  }

  private static let pending = [
    ("100 inserted objects", "inserts-100", 4.3), ("1,000 inserted objects", "inserts-1000", 32),
    ("10,000 inserted objects", "inserts-10000", 310),
    ("1,000 objects changed in another attribute", "updates-1000", 48),
    ("10,000 objects changed in another attribute", "updates-10000", 470),
  ].map { title, name, budget in
    SelfComparison(
      "fetch one by its key, \(title) pending, beside none", "pending-\(name)", beside: "pending-inserts-0", "pending",
      goal: 1.3, budget: budget)
  }

  private static let results =
    [("merge one inserted object", "insert", 45.0), ("rename one object", "rename", 45)].flatMap {
      title, name, budget in
      [
        SelfComparison(
          "\(title), 100,000 in a results controller, beside 10,000", "results-\(name)-100000",
          beside: "results-\(name)-10000", "results", goal: 1.5, budget: budget),
        SelfComparison(
          "\(title), 1,000,000 in a results controller, beside 100,000", "results-\(name)-1000000",
          beside: "results-\(name)-100000",
          "results-1M", goal: 1.5, budget: budget),
      ]
    } + [
      SelfComparison(
        "merge one inserted object with `fetchBatchSize`, 100,000 in a results controller, beside 10,000",
        "results-paged-insert-100000", beside: "results-paged-insert-10000", "results-paged", goal: 1.5, budget: 2),
      SelfComparison(
        "merge one inserted object with `fetchBatchSize`, 1,000,000 in a results controller, beside 100,000",
        "results-paged-insert-1000000", beside: "results-paged-insert-100000", "results-paged-1M", goal: 1.5, budget: 35
      ),
      SelfComparison(
        "rename in a results controller of 1,000 sections, beside 10", "results-sections-1000",
        beside: "results-sections-10", "results", goal: 1.5, budget: 3.5),
      SelfComparison(
        "rename while ten results controllers follow, beside one, for each", "results-listeners-10",
        beside: "results-listeners-1", "results", times: 10, goal: 1.1, budget: 1.5),
    ]

  private static let closures = [
    ("evaluate `rating > 500`", "evaluate-number", 8, 60), ("evaluate `name == \"x\"`", "evaluate-name", 2, 12.0),
    ("evaluate `rating > 500 AND rating < 900`", "evaluate-and", 10, 70),
    ("evaluate `name IN` 20 names", "evaluate-in", 1, 8),
    ("evaluate `rating IN` 20 numbers", "evaluate-in-numbers", 2, 20),
    ("evaluate `rating + 1 > 500`", "evaluate-arithmetic", 16, 190),
    ("`sortedArray(using:)` by a number", "sort-number", 5, 50), ("by a name", "sort-name", 1.3, 20),
    ("by both", "sort-both", 3.2, 30),
  ].map { title, name, goal, budget in
    SelfComparison(
      "\(title), beside a closure", name, beside: "\(name)-closure", "predicates", goal: goal, budget: budget)
  }

  private static let saves = [
    SelfComparison(
      "save one object with history, beside without", "history-on", beside: "history-off", "saving", goal: 1.5,
      budget: 3.3),
    SelfComparison(
      "save 300,000 objects at once, beside 10,000, for each", "large-save-300000", beside: "large-save-10000",
      "saving",
      times: 30, goal: 1.3, budget: 2.5),
  ]
}
