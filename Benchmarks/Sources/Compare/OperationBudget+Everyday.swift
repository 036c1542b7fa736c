extension OperationBudget {
  /// What programs do every day. The budget of a line is what the operation took at commit 569b0a46, before it was made faster, and
  /// its goal a share of that, unless the goal is the time of GRDB's records in the same run.
  ///
  /// Lists with `fetchBatchSize` were no longer in batches after their first change then, and have no such figure. Their budgets are
  /// a third above what they took on 2026-11-29 (260, 417 and 11,600 microseconds), and their goal is 300. The last is that of a first
  /// time, which reads the store's file: done again, each takes 1.28 times the instructions of one among a tenth of the rows.
  static let everyday = pending + results + largeResults + evaluation + sorting + text + saves + openings

  /// - Parameters:
  ///   - operations: The number of operations in one measurement.
  ///   - counted: The number of operations while instructions are counted.
  ///   - today: The microseconds at commit 569b0a46, on a machine with the speed of the yardstick.
  ///   - goal: The part of these microseconds that the design aims at.
  private init(
    _ title: String, _ workload: String, _ process: String, _ operations: Double = 10_000, counted: Double? = nil,
    today: Double, goal: Double, isBesidePeer: Bool = false
  ) {
    self.init(
      title: title, workload: workload, process: process, repetitions: operations, counted: counted,
      goal: today * goal, budget: today, isBesidePeer: isBesidePeer)
  }

  private static let pending =
    [
      ("0 inserted objects", "inserts-0", 11.4, 1), ("100 inserted objects", "inserts-100", 44, 0.34),
      ("1,000 inserted objects", "inserts-1000", 330, 0.045),
      ("10,000 inserted objects", "inserts-10000", 3200, 0.0046),
      ("1,000 objects changed in another attribute", "updates-1000", 500, 0.03),
      ("10,000 objects changed in another attribute", "updates-10000", 4900, 0.003),
    ].map { title, name, today, goal in
      OperationBudget(
        "fetch one object by its key, \(title) pending", "pending-\(name)", "pending", 200, counted: 4, today: today,
        goal: goal)
    } + [
      OperationBudget(
        "a newcomer's import, three fetches an object, a save each 1,000: all new", "newcomer-create", "pending", 3000,
        counted: 100, today: 460, goal: 0.2, isBesidePeer: true),
      OperationBudget(
        "the same, all there", "newcomer-find", "pending", 3000, counted: 100, today: 350, goal: 0.2,
        isBesidePeer: true),
    ]

  /// One change of a list in a results controller. A list of ten times the rows should take no more.
  private static func results(
    _ count: String, _ name: String, _ process: String, _ today: [Double]
  ) -> [OperationBudget] {
    let changes = [("merge one inserted object", "insert"), ("rename one object", "rename")]
    return zip(changes, today).flatMap { change, today in
      [("single objects and section counts", "", 100 / today), ("`fetchedObjects`", "-all", 1)].map {
        reads, suffix, goal in
        OperationBudget(
          "\(change.0), \(count) in a results controller, whose delegate reads \(reads)",
          "results-\(change.1)\(suffix)-\(name)", process, 10, counted: 10, today: today, goal: goal)
      }
    }
  }

  private static let results =
    results("10,000", "10000", "results", [150, 130]) + results("100,000", "100000", "results", [4000, 3500]) + [
      OperationBudget(
        "merge one inserted object, 10,000 in a results controller with `fetchBatchSize` 50",
        "results-paged-insert-10000",
        "results-paged", 10, counted: 10, today: 350, goal: 0.86),
      OperationBudget(
        "the same, 100,000", "results-paged-insert-100000", "results-paged", 10, counted: 10, today: 560, goal: 0.54),
      OperationBudget(
        "rename one of 100,000 objects in 10 sections", "results-sections-10", "results", 10, counted: 10, today: 4000,
        goal: 0.025),
      OperationBudget(
        "the same in 1,000 sections", "results-sections-1000", "results", 10, counted: 10, today: 4500, goal: 0.025),
      OperationBudget(
        "rename one of 100,000 objects that ten controllers list", "results-listeners-10", "results", 10, counted: 10,
        today: 45_000, goal: 0.022),
    ]

  private static let largeResults =
    results("1,000,000", "1000000", "results-1M", [30_000, 30_000]) + [
      OperationBudget(
        "merge one inserted object, 1,000,000 in a results controller with `fetchBatchSize` 50",
        "results-paged-insert-1000000", "results-paged-1M", 10, counted: 10, today: 15_500, goal: 0.0194)
    ]

  private static let evaluation = [
    ("rating > 500", "number", 0.67, 0.2), ("name == \"x\"", "name", 0.3, 0.2),
    ("rating > 500 AND rating < 900", "and", 1, 0.2), ("name IN` 20 names `", "in", 0.52, 0.1),
    ("rating IN` 20 numbers `", "in-numbers", 0.9, 0.1), ("rating + 1 > 500", "arithmetic", 2.6, 0.1),
  ].map { format, name, today, goal in
    OperationBudget(
      "evaluate `\(format)` on a managed object with its values", "evaluate-\(name)", "predicates", 10_000,
      today: today,
      goal: goal)
  }

  private static let sorting = [
    ("a number", "number", 30, 0.1), ("a name", "name", 39, 0.2), ("a number and a name", "both", 72, 0.14),
  ].map { keys, name, today, goal in
    OperationBudget(
      "`sortedArray(using:)` of 100,000 objects by \(keys), each", "sort-\(name)", "predicates", 100_000, counted: 500,
      today: today, goal: goal)
  }

  private static let text =
    [
      ("10,000 ASCII names by `caseInsensitiveCompare:`", "ascii", 10_000, 1.4, 1),
      ("10,000 names with umlauts by `caseInsensitiveCompare:`", "umlauts", 10_000, 45, 0.077),
      ("10,000 names with umlauts by `localizedStandardCompare:`", "localized", 10_000, 13, 1),
      ("100,000 names with umlauts by `caseInsensitiveCompare:`", "umlauts-100000", 100_000, 65, 0.041),
    ].map { title, name, count, today, goal in
      OperationBudget(
        "sort \(title) in the store, each", "text-order-\(name)", "text", count, today: today, goal: goal)
    } + textPredicates("ASCII names", "ascii", [0.11, 0.17, 0.17, 0.17, 1.1, 1.4], [1, 1, 1, 1, 0.82, 0.23])
    + textPredicates(
      "names with umlauts", "umlauts", [0.11, 3.5, 3.5, 3.5, 1.1, 1.5], [1, 0.21, 0.21, 0.21, 0.82, 0.23])

  private static func textPredicates(
    _ names: String, _ suffix: String, _ today: [Double], _ goals: [Double]
  ) -> [OperationBudget] {
    let tests = [
      ("CONTAINS", "contains"), ("CONTAINS[cd]", "contains-cd"), ("==[cd]", "equal-cd"),
      ("BEGINSWITH[cd]", "begins-cd"),
      ("MATCHES", "matches"), ("MATCHES` with a plain text between `.*", "matches-plain"),
    ]
    return zip(tests, zip(today, goals)).map { test, figures in
      OperationBudget(
        "count 10,000 \(names) by `\(test.0)` in the store, each", "text-\(test.1)-\(suffix)", "text", 10_000,
        today: figures.0, goal: figures.1)
    }
  }

  private static let saves = [
    OperationBudget(
      "a request of a server: a new context, fetch 20, save 1", "request", "saving", 1000, counted: 100, today: 113,
      goal: 0.56, isBesidePeer: true),
    OperationBudget(
      "save one object, without history", "history-off", "saving", 2000, counted: 200, today: 23, goal: 1),
    OperationBudget("save one object, with history", "history-on", "saving", 2000, counted: 200, today: 67, goal: 0.56),
    OperationBudget(
      "import by a uniqueness constraint, a save each 1,000: all new", "unique-create", "saving", today: 3.2,
      goal: 0.53,
      isBesidePeer: true),
    OperationBudget(
      "the same, all there", "unique-again", "saving", today: 11, goal: 0.55, isBesidePeer: true),
    OperationBudget(
      "import by a uniqueness constraint, a save for each: all new", "unique-one-create", "saving", 2000, counted: 100,
      today: 27, goal: 0.53, isBesidePeer: true),
    OperationBudget(
      "the same, all there", "unique-one-again", "saving", 2000, counted: 100, today: 60, goal: 0.55, isBesidePeer: true
    ),
    OperationBudget(
      "save 10,000 new objects at once, each", "large-save-10000", "saving", counted: 2000, today: 1.6, goal: 1),
    OperationBudget("save 100,000 at once, each", "large-save-100000", "saving", 100_000, today: 2.6, goal: 0.67),
    OperationBudget("save 300,000 at once, each", "large-save-300000", "saving", 300_000, today: 3.7, goal: 0.67),
  ]

  private static let openings = [
    ("the first of the process", "first", "open-first", 12_500, 0.32),
    ("again with the same model", "again", "open", 2900, 0.2),
    ("again with the model made anew", "model", "open", 4800, 0.2),
  ].map { title, name, process, today, goal in
    OperationBudget(
      "open a container of 50 entities that is there, \(title)", "open-50-\(name)", process, 1, today: today,
      goal: goal,
      isBesidePeer: true)
  }
}
