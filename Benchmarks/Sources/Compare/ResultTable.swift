import Foundation

/// The comparison as a table in Markdown.
struct ResultTable {
  struct Row {
    let comparison: Comparison
    let baseline: Double
    let framework: Double
    /// The largest resident memory of each side, in MB.
    let peaks: [Double]
    /// The ratio of each peer to C, if the peer has a counterpart.
    let peers: [Double?]
    /// The ratio of instructions; nil if they were not counted.
    let instructions: Double?
    var ratio: Double { framework / baseline }
    /// The ratio on which the verdict depends. For works of less than 100 ms, this is the ratio of instructions if there is
    /// one, because other work of the machine affects such a short time too much.
    var decisive: Double { max(baseline, framework) < 100 ? instructions ?? ratio : ratio }
    var verdict: Verdict { Verdict(decisive, goal: comparison.goal, budget: comparison.budget) }
  }

  let rows: [Row]
  /// The names of the measured peers, for the headings of their columns.
  private let peers: [String]

  /// Computes the medians of the measurements, and checks that both sides gave the same answer.
  init(_ comparisons: [Comparison], _ results: Results, _ counts: Counts) throws {
    peers = results.peers.map(\.name)
    rows = try comparisons.map { comparison in
      guard let baseline = results.baseline[comparison.baseline], let framework = results.framework[comparison.workload]
      else { throw CompareError("\(comparison.workload) was not measured on both sides") }
      guard let expected = baseline.answer, framework.answer == expected else {
        throw CompareError(
          "\(comparison.workload): \(baseline.answer ?? -1) in C, \(framework.answer ?? -1) in the framework")
      }
      let peers = try results.peers.map { peer -> Double? in
        guard let samples = peer.samples[comparison.workload] else { return nil }
        guard samples.answer == expected else {
          throw CompareError("\(comparison.workload): \(expected) in C, \(samples.answer ?? -1) in \(peer.name)")
        }
        return samples.median / baseline.median
      }
      return Row(
        comparison: comparison, baseline: baseline.median, framework: framework.median,
        peaks: [baseline.peak / 1024, framework.peak / 1024],
        peers: peers, instructions: counts.ratio(comparison))
    }
  }

  /// - Parameter showsMemory: Whether the largest resident memory of both sides is shown beside the times.
  func markdown(showsMemory: Bool = false) -> String {
    let head = [
      "| work | C, ms | framework, ms | ratio | of instructions | goal | budget | verdict |"
        + peers.map { " \($0) to C |" }.joined() + (showsMemory ? " C, MB | framework, MB |" : ""),
      "|---|--:|--:|--:|--:|--:|--:|---|" + String(repeating: "--:|", count: peers.count + (showsMemory ? 2 : 0)),
    ]
    let lines = rows.map { row in
      let figures = [row.baseline, row.framework].map { String(format: $0 < 10 ? "%.3f" : "%.1f", $0) }
      let line =
        "| \(row.comparison.title) | \(figures[0]) | \(figures[1]) | \(String(format: "%.2f", row.ratio)) "
        + "| \(row.instructions.map { String(format: "%.2f", $0) } ?? "") | \(row.comparison.goal) | \(row.comparison.budget) | \(row.verdict.rawValue) |"
        + row.peers.map { $0.map { String(format: " %.1f |", $0) } ?? "  |" }.joined()
      return showsMemory ? line + row.peaks.map { String(format: " %.0f |", $0) }.joined() : line
    }
    let note = RaisedGoal.note(rows.map { ($0.comparison.title, $0.comparison.raised, $0.comparison.goal) })
    return (head + lines).joined(separator: "\n") + (note.map { "\n\n" + $0 } ?? "")
  }
}
