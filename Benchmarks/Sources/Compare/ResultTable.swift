import Foundation

/// The comparison as a table in Markdown.
struct ResultTable {
  struct Row {
    let comparison: Comparison
    let baseline: Double
    let framework: Double
    /// Resident memory of either at most, in MB.
    let peaks: [Double]
    var ratio: Double { framework / baseline }
    var verdict: Verdict { Verdict(ratio, goal: comparison.goal, budget: comparison.budget) }
  }

  let rows: [Row]

  /// Takes the medians, and checks that both sides found the same.
  init(_ comparisons: [Comparison], _ results: Results) throws {
    rows = try comparisons.map { comparison in
      guard let baseline = results.baseline[comparison.baseline], let framework = results.framework[comparison.workload]
      else { throw CompareError("\(comparison.workload) was not measured on both sides") }
      guard let expected = baseline.answer, framework.answer == expected else {
        throw CompareError(
          "\(comparison.workload): \(baseline.answer ?? -1) in C, \(framework.answer ?? -1) in the framework")
      }
      return Row(
        comparison: comparison, baseline: baseline.median, framework: framework.median,
        peaks: [baseline.peak / 1024, framework.peak / 1024])
    }
  }

  /// - Parameter showsMemory: Whether the most that either side had resident stands beside the times.
  func markdown(showsMemory: Bool = false) -> String {
    let head = [
      "| work | C, ms | framework, ms | ratio | goal | budget | verdict |\(showsMemory ? " C, MB | framework, MB |" : "")",
      "|---|--:|--:|--:|--:|--:|---|\(showsMemory ? "--:|--:|" : "")",
    ]
    let lines = rows.map { row in
      let figures = [row.baseline, row.framework].map { String(format: $0 < 10 ? "%.3f" : "%.1f", $0) }
      let line =
        "| \(row.comparison.title) | \(figures[0]) | \(figures[1]) | \(String(format: "%.2f", row.ratio)) "
        + "| \(row.comparison.goal) | \(row.comparison.budget) | \(row.verdict.rawValue) |"
      return showsMemory ? line + row.peaks.map { String(format: " %.0f |", $0) }.joined() : line
    }
    return (head + lines).joined(separator: "\n")
  }
}
