import Foundation

/// The comparison as a table in Markdown.
struct ResultTable {
  struct Row {
    let comparison: Comparison
    let baseline: Double
    let framework: Double
    /// Resident memory of either at most, in MB.
    let peaks: [Double]
    /// The ratio of instructions, where they were counted.
    let instructions: Double?
    var ratio: Double { framework / baseline }
    /// The ratio that the verdict goes by. What takes less than 100 ms goes by its instructions: such a time says as much of
    /// what else the machine does.
    var decisive: Double { max(baseline, framework) < 100 ? instructions ?? ratio : ratio }
    var verdict: Verdict { Verdict(decisive, goal: comparison.goal, budget: comparison.budget) }
  }

  let rows: [Row]

  /// Takes the medians, and checks that both sides found the same.
  init(_ comparisons: [Comparison], _ results: Results, _ counts: Counts) throws {
    rows = try comparisons.map { comparison in
      guard let baseline = results.baseline[comparison.baseline], let framework = results.framework[comparison.workload]
      else { throw CompareError("\(comparison.workload) was not measured on both sides") }
      guard let expected = baseline.answer, framework.answer == expected else {
        throw CompareError(
          "\(comparison.workload): \(baseline.answer ?? -1) in C, \(framework.answer ?? -1) in the framework")
      }
      return Row(
        comparison: comparison, baseline: baseline.median, framework: framework.median,
        peaks: [baseline.peak / 1024, framework.peak / 1024],
        instructions: counts.ratio(comparison))
    }
  }

  /// - Parameter showsMemory: Whether the most that either side had resident stands beside the times.
  func markdown(showsMemory: Bool = false) -> String {
    let head = [
      "| work | C, ms | framework, ms | ratio | of instructions | goal | budget | verdict |\(showsMemory ? " C, MB | framework, MB |" : "")",
      "|---|--:|--:|--:|--:|--:|--:|---|\(showsMemory ? "--:|--:|" : "")",
    ]
    let lines = rows.map { row in
      let figures = [row.baseline, row.framework].map { String(format: $0 < 10 ? "%.3f" : "%.1f", $0) }
      let line =
        "| \(row.comparison.title) | \(figures[0]) | \(figures[1]) | \(String(format: "%.2f", row.ratio)) "
        + "| \(row.instructions.map { String(format: "%.2f", $0) } ?? "") | \(row.comparison.goal) | \(row.comparison.budget) | \(row.verdict.rawValue) |"
      return showsMemory ? line + row.peaks.map { String(format: " %.0f |", $0) }.joined() : line
    }
    return (head + lines).joined(separator: "\n")
  }
}
