import Foundation

/// The times of single operations as a table in Markdown.
struct OperationTable {
  struct Row {
    let budget: OperationBudget
    let microseconds: Double
    /// The instructions of one operation; nil if they were not counted.
    let instructions: Double?
    /// The ratio of this machine's time to that of the machine on which the budgets were set.
    let slowness: Double
    /// The goal and the budget of one operation on this machine, in microseconds.
    var goal: Double { budget.goal * slowness }
    var limit: Double { budget.budget * slowness }
    var verdict: Verdict { Verdict(microseconds, goal: goal, budget: limit) }
  }

  let rows: [Row]
  /// The ratio of this machine's time to that of the machine on which the budgets were set; nil if it was not measured.
  let slowness: Double?

  /// Computes the medians of the measurements.
  init(_ budgets: [OperationBudget], _ results: Results, _ counts: Counts) throws {
    let slowness = results.baseline[OperationBudget.yardstick.baseline].map {
      $0.median / OperationBudget.yardstick.milliseconds
    }
    self.slowness = slowness
    rows = try budgets.map { budget in
      guard let samples = results.framework[budget.workload] else {
        throw CompareError("\(budget.workload) was not measured")
      }
      return Row(
        budget: budget, microseconds: samples.median * 1000 / budget.repetitions,
        instructions: counts.each(budget), slowness: slowness ?? 1)
    }
  }

  var markdown: String {
    let head = [
      "| operation | µs | instructions | goal, µs | budget, µs | goal here, µs | budget here, µs | verdict |",
      "|---|--:|--:|--:|--:|--:|--:|---|",
    ]
    let lines = rows.map { row in
      "| \(row.budget.title) | \(Self.text(row.microseconds)) "
        + "| \(row.instructions.map { String(format: "%.0f", $0) } ?? "") | \(row.budget.goal) | \(row.budget.budget) "
        + "| \(Self.text(row.goal)) | \(Self.text(row.limit)) | \(row.verdict.rawValue) |"
    }
    return (head + lines).joined(separator: "\n") + (slowness.map { "\n\n" + Self.note($0) } ?? "")
  }

  private static func note(_ slowness: Double) -> String {
    "The budgets were set on a machine where C's \(OperationBudget.yardstick.baseline) took "
      + "\(OperationBudget.yardstick.milliseconds) ms. Here it took \(String(format: "%.2f", slowness)) times as long, "
      + "and so may these."
  }

  private static func text(_ microseconds: Double) -> String {
    String(format: microseconds < 1 ? "%.3f" : "%.2f", microseconds)
  }
}
