import Foundation

/// A line of the third table: a work of the framework, compared with another work of the framework, with a budget.
struct SelfComparison: Budget {
  let title: String
  let workload: String
  /// The name of the work with which this work is compared.
  let beside: String
  let process: String
  /// The amount of this work as a multiple of the other's; the ratio applies to equal amounts.
  let times: Double
  /// The ratio that the design aims at.
  let goal: Double
  /// The greatest ratio that is allowed.
  let budget: Double

  /// - Parameter goal: The goal; the budget if it is left out.
  init(
    title: String, workload: String, beside: String, process: String, times: Double = 1, goal: Double? = nil,
    budget: Double
  ) {
    self.title = title
    self.workload = workload
    self.beside = beside
    self.process = process
    self.times = times
    self.goal = goal ?? budget
    self.budget = budget
  }

  /// Returns whether both works gave the same answer, in proportion to their amounts.
  func agrees(_ answer: Int, _ beside: Int) -> Bool {
    times == 1 ? answer == beside : Double(answer) == Double(beside) * times
  }

  static let all = single + growth + everyday

  private static let single = [
    SelfComparison(
      title: "median fetch of 100 rows while another context saves 100,000, beside idle", workload: "reads-beside-save",
      beside: "reads-idle", process: "reads", budget: 3),
    SelfComparison(
      title: "SingleFault while it is recorded, beside not", workload: "recording-on", beside: "recording-off",
      process: "recording", budget: 1.03),
    SelfComparison(
      title: "the same with each row read by itself", workload: "recording-one-by-one-on",
      beside: "recording-one-by-one-off", process: "recording", budget: 1.03),
    SelfComparison(
      title: "insert one at the front of 10,000 ordered members and save, beside members without order",
      workload: "ordered-front", beside: "ordered-plain", process: "ordered", budget: 1.5),
    SelfComparison(
      title: "BatchFault, 500 objects a fetch by `self IN`, beside SingleFault", workload: "batch-fault",
      beside: "batch-fault-single", process: "batch-fault", budget: 0.5),
    SelfComparison(
      title: "first 1,000 of 1,000,000 photos, ten changes pending, beside none", workload: "pending-ten-compound-1M",
      beside: "pending-no-compound-1M", process: "pending-1M", budget: 1.2),
    SelfComparison(
      title: "the same in a child context", workload: "pending-child-ten-compound-1M",
      beside: "pending-child-no-compound-1M", process: "pending-1M", budget: 1.2),
    SelfComparison(
      title: "batch insert of 1,000,000 dictionaries, beside objects", workload: "insert-dictionaries-none-1M",
      beside: "insert-objects-none-1M", process: "insert-1M", budget: 0.5),
    SelfComparison(
      title: "the same through a dictionary handler", workload: "insert-handler-none-1M",
      beside: "insert-objects-none-1M", process: "insert-1M", budget: 0.5),
    SelfComparison(
      title: "the same through an object handler", workload: "insert-object-handler-none-1M",
      beside: "insert-objects-none-1M", process: "insert-1M", budget: 0.5),
  ]
}

/// The table that compares works of the framework with each other, in Markdown.
struct SelfComparisonTable {
  struct Row {
    let comparison: SelfComparison
    let time: Double
    let beside: Double
    var ratio: Double { time / comparison.times / beside }
    var verdict: Verdict { Verdict(ratio, goal: comparison.goal, budget: comparison.budget) }
  }

  let rows: [Row]

  /// Computes the medians, and checks that both works gave the same answer, in proportion to their amounts.
  init(_ comparisons: [SelfComparison], _ results: Results) throws {
    rows = try comparisons.map { comparison in
      guard let samples = results.framework[comparison.workload], let beside = results.framework[comparison.beside]
      else { throw CompareError("\(comparison.workload) was not measured") }
      guard let answer = samples.answer, let expected = beside.answer, comparison.agrees(answer, expected) else {
        throw CompareError("\(comparison.workload): \(samples.answer ?? -1), but \(beside.answer ?? -1) beside it")
      }
      return Row(comparison: comparison, time: samples.median, beside: beside.median)
    }
  }

  var markdown: String {
    let head = ["| work | ms | beside, ms | ratio | goal | budget | verdict |", "|---|--:|--:|--:|--:|--:|---|"]
    let lines = rows.map { row in
      "| \(row.comparison.title) | \(String(format: "%.3f", row.time)) | \(String(format: "%.3f", row.beside)) "
        + "| \(String(format: "%.2f", row.ratio)) | \(row.comparison.goal) "
        + "| \(row.comparison.budget) | \(row.verdict.rawValue) |"
    }
    return (head + lines).joined(separator: "\n")
  }
}
