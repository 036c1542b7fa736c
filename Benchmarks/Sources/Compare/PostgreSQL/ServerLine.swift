/// A line of the tables over a server: a work of the framework and a work of C.
struct ServerLine {
  /// The process to start, and the name under which it reports.
  struct Work {
    let process: String
    let name: String
  }

  let title: String
  let framework: Work
  let baseline: Work
  /// The ratio of the clients' CPU times that the design aims at.
  let goal: Double
  /// The greatest ratio that is allowed.
  let budget: Double
  /// Whether flights are counted, and the time behind delays is measured. A work that only repeats another work more often does
  /// not need this.
  let showsFlights: Bool
  /// Whether the line belongs to the short run.
  let isQuick: Bool
  /// Whether the work takes a million rows.
  let isLarge: Bool

  /// - Parameters:
  ///   - workload: The framework's process, with the number of rows in its name.
  ///   - name: The name under which the framework reports; the workload if it is left out.
  ///   - baseline: C's process; the workload if it is left out.
  init(
    _ title: String, _ workload: String, name: String? = nil, beside baseline: String? = nil,
    baselineName: String? = nil, goal: Double, budget: Double? = nil, showsFlights: Bool = true, isQuick: Bool = false
  ) {
    self.title = title
    let inC = baseline ?? workload
    framework = Work(process: workload, name: name ?? workload)
    self.baseline = Work(process: inC, name: baselineName ?? (baseline == nil ? name : nil) ?? inC)
    self.goal = goal
    self.budget = budget ?? goal
    self.showsFlights = showsFlights
    self.isQuick = isQuick
    isLarge = workload.hasSuffix("-1000000")
  }

  /// Returns the lines of a run.
  static func chosen(isQuick: Bool, isLarge: Bool, only names: [String]) -> [ServerLine] {
    all.filter { line in
      (isQuick ? line.isQuick : isLarge || !line.isLarge)
        && (names.isEmpty || names.contains { line.framework.name.hasPrefix($0) })
    }
  }

  static let all = small + large

  private static let small = [
    ServerLine(
      "batch insert of 10,000 dictionaries, beside COPY", "pg-batch-10000", goal: 2, isQuick: true),
    ServerLine(
      "batch insert of 10,000 objects filled in by a handler, beside COPY", "pg-batch-10000",
      name: "pg-batch-10000-objects", beside: "pg-batch-10000", goal: 2, isQuick: true),
    ServerLine(
      "insert 10,000 photos in one save, beside arrays in one flight", "pg-save-10000", goal: 3, isQuick: true),
    ServerLine("10,000 saves of one object each", "pg-saves-10000", goal: 2, showsFlights: false),
    ServerLine("1,000 saves of one object each", "pg-saves-1000", goal: 2, isQuick: true),
    ServerLine("1,000 saves of one object each by eight writers at once", "pg-writers-1000", goal: 2, isQuick: true),
    ServerLine("fetch 10,000 photos, beside a whole result", "pg-fetch-10000", goal: 1.5, isQuick: true),
    ServerLine(
      "1,000 faults fired by reading an attribute, beside reads by key, 256 at once", "pg-faults-1000", goal: 1.5,
      isQuick: true),
    ServerLine(
      "prefetch 250,000 pairs of 500 selfies, beside arrays of keys in one flight", "pg-prefetch-500", goal: 1.5,
      isQuick: true),
    ServerLine(
      "the same, and read 250,000 names", "pg-prefetch-500", name: "pg-prefetch-500-walk", goal: 2.4, isQuick: true),
    ServerLine(
      "merge 10,000 photos that another program has saved, and read them, beside one query", "pg-merge-10000", goal: 3,
      isQuick: true),
  ]

  private static let large = [
    ServerLine("batch insert of 1,000,000 dictionaries, beside COPY", "pg-batch-1000000", goal: 2),
    ServerLine(
      "batch insert of 1,000,000 objects filled in by a handler, beside COPY", "pg-batch-1000000",
      name: "pg-batch-1000000-objects", beside: "pg-batch-1000000", goal: 2),
    ServerLine("insert 1,000,000 photos, 10,000 in a save", "pg-save-1000000", goal: 3),
    ServerLine(
      "fetch 1,000,000 photos, beside a result row by row", "pg-fetch-1000000", beside: "pg-rows-1000000", goal: 1.3),
    ServerLine("the same beside a whole result", "pg-fetch-1000000", beside: "pg-fetch-1000000", goal: 1.3),
  ]
}
