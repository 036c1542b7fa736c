import Foundation

/// A line of the memory table: the resident memory that a workload adds, with a goal and a budget.
struct MemoryBudget: Budget {
  /// The kind of measurement.
  enum Measure: Sendable {
    /// The memory that remains after the work, in bytes per object.
    case bytesKept(objects: Int)
    /// The most memory during the work, in MB.
    case megabytesAtMost
  }

  let title: String
  let workload: String
  /// The name under which the baseline reports; nil if the baseline has no such work.
  let baseline: String?
  let process: String
  let measure: Measure
  /// The value that the design aims at.
  let goal: Double
  /// The greatest value that is allowed.
  let budget: Double

  /// - Parameter goal: The goal; the budget if it is left out.
  init(
    title: String, workload: String, baseline: String?, process: String, measure: Measure, goal: Double? = nil,
    budget: Double
  ) {
    self.title = title
    self.workload = workload
    self.baseline = baseline
    self.process = process
    self.measure = measure
    self.goal = goal ?? budget
    self.budget = budget
  }

  static let all = [
    MemoryBudget(
      title: "a program that saves one object, MB resident at most", workload: "minimal-resident", baseline: nil,
      process: "minimal", measure: .megabytesAtMost, goal: 36, budget: 40),
    MemoryBudget(
      title: "the same, MB of its file without symbols", workload: "minimal-stripped", baseline: nil,
      process: "minimal", measure: .megabytesAtMost, goal: 8.3, budget: 9),
    MemoryBudget(
      title:
        "a results controller of 100,000 with `fetchBatchSize` 50, a page shown, then 10 merged inserts, MB at most",
      workload: "results-batched-100000", baseline: nil, process: "results-batched", measure: .megabytesAtMost, goal: 8,
      budget: 32),
    MemoryBudget(
      title: "the same of 1,000,000", workload: "results-batched-1000000", baseline: nil, process: "results-batched-1M",
      measure: .megabytesAtMost, goal: 64, budget: 256),
    MemoryBudget(
      title: "a photo with its values, bytes", workload: "B2-none-1M", baseline: "B2-none-1M", process: "B2-1M",
      measure: .bytesKept(objects: 1_000_000), goal: 270, budget: 400),
    MemoryBudget(
      title: "a photo that is a fault, bytes", workload: "faults-none-1M", baseline: "faults-none-1M",
      process: "faults-1M", measure: .bytesKept(objects: 1_000_000), goal: 96, budget: 160),
    MemoryBudget(
      title: "batch insert of 1,000,000 dictionaries, MB at most", workload: "insert-dictionaries-none-1M",
      baseline: nil, process: "insert-1M", measure: .megabytesAtMost, budget: 32),
    MemoryBudget(
      title: "the same through a dictionary handler, MB at most", workload: "insert-handler-none-1M", baseline: nil,
      process: "insert-1M", measure: .megabytesAtMost, budget: 32),
    MemoryBudget(
      title: "migration of 1,000,000 photos in place, MB at most", workload: "migrate-add-none-1M",
      baseline: "migrate-add-none-1M", process: "migrate-1M", measure: .megabytesAtMost, budget: 32),
    MemoryBudget(
      title: "a walk over 1,000,000 photos by `fetchPages`, MB at most", workload: "walk-pages-none-1M", baseline: nil,
      process: "walk-pages-1M", measure: .megabytesAtMost, budget: 32),
    MemoryBudget(
      title: "the same by `fetchOffset`, a reset after each 10,000, MB at most", workload: "walk-offset-none-1M",
      baseline: nil, process: "walk-offset-1M", measure: .megabytesAtMost, budget: 32),
    MemoryBudget(
      title: "the same by date, a reset after each 1,000, MB at most", workload: "walk-keyed-single-1M", baseline: nil,
      process: "walk-keyed-1M", measure: .megabytesAtMost, budget: 32),
    MemoryBudget(
      title: "insert 1,000,000 photos, save and reset after each 1,000, MB at most",
      workload: "walk-insert-none-1M",
      baseline: nil, process: "walk-insert-1M", measure: .megabytesAtMost, budget: 32),
  ]

  /// Returns the value in the unit of the line.
  func value(of samples: Samples) -> Double {
    switch measure {
    case .bytesKept(let objects): samples.kilobytesKept * 1024 / Double(objects)
    case .megabytesAtMost: samples.kilobytesAtMost / 1024
    }
  }
}

/// The memory as a table in Markdown.
struct MemoryTable {
  struct Row {
    let budget: MemoryBudget
    let baseline: Double?
    let framework: Double
    var verdict: Verdict { Verdict(framework, goal: budget.goal, budget: budget.budget) }
  }

  let rows: [Row]

  /// Computes the medians of the measurements.
  init(_ budgets: [MemoryBudget], _ results: Results) throws {
    rows = try budgets.map { budget in
      guard let samples = results.framework[budget.workload] else {
        throw CompareError("\(budget.workload) was not measured")
      }
      let baseline = budget.baseline.flatMap { results.baseline[$0] }
      return Row(budget: budget, baseline: baseline.map(budget.value), framework: budget.value(of: samples))
    }
  }

  var markdown: String {
    let head = ["| memory that is added | C | framework | goal | budget | verdict |", "|---|--:|--:|--:|--:|---|"]
    let lines = rows.map { row in
      "| \(row.budget.title) | \(row.baseline.map(Self.text) ?? "") | \(Self.text(row.framework)) "
        + "| \(Self.text(row.budget.goal)) | \(Self.text(row.budget.budget)) | \(row.verdict.rawValue) |"
    }
    return (head + lines).joined(separator: "\n")
  }

  private static func text(_ value: Double) -> String { String(format: value < 10 ? "%.1f" : "%.0f", value) }
}
