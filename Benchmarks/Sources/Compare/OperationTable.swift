import Foundation

/// The times of single operations as a table in Markdown.
struct OperationTable {
  struct Row {
    let budget: OperationBudget
    let microseconds: Double
    var isWithinBudget: Bool { microseconds <= budget.microseconds }
  }

  let rows: [Row]

  /// Takes the medians.
  init(_ budgets: [OperationBudget], _ results: Results) throws {
    rows = try budgets.map { budget in
      guard let samples = results.framework[budget.workload] else {
        throw CompareError("\(budget.workload) was not measured")
      }
      return Row(budget: budget, microseconds: samples.median * 1000 / OperationBudget.repetitions)
    }
  }

  var markdown: String {
    let head = ["| operation | µs | budget, µs | verdict |", "|---|--:|--:|---|"]
    let lines = rows.map { row in
      "| \(row.budget.title) | \(String(format: row.microseconds < 1 ? "%.3f" : "%.2f", row.microseconds)) "
        + "| \(row.budget.microseconds) | \(row.isWithinBudget ? "within" : "over") |"
    }
    return (head + lines).joined(separator: "\n")
  }
}
