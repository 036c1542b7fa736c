import Foundation

/// The times of single operations as a table in Markdown.
struct OperationTable {
  struct Row {
    let budget: OperationBudget
    let microseconds: Double
    /// What one may take on this machine.
    let limit: Double
    var isWithinBudget: Bool { microseconds <= limit }
  }

  let rows: [Row]
  /// How many times slower than the machine that the budgets were set on this one is; nil where that was not measured.
  let slowness: Double?

  /// Takes the medians.
  init(_ budgets: [OperationBudget], _ results: Results) throws {
    let slowness = results.baseline[OperationBudget.yardstick.baseline].map {
      $0.median / OperationBudget.yardstick.milliseconds
    }
    self.slowness = slowness
    rows = try budgets.map { budget in
      guard let samples = results.framework[budget.workload] else {
        throw CompareError("\(budget.workload) was not measured")
      }
      return Row(
        budget: budget, microseconds: samples.median * 1000 / OperationBudget.repetitions,
        limit: budget.microseconds * (slowness ?? 1))
    }
  }

  var markdown: String {
    let head = ["| operation | µs | budget, µs | here, µs | verdict |", "|---|--:|--:|--:|---|"]
    let lines = rows.map { row in
      "| \(row.budget.title) | \(Self.text(row.microseconds)) | \(row.budget.microseconds) | \(Self.text(row.limit)) "
        + "| \(row.isWithinBudget ? "within" : "over") |"
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
