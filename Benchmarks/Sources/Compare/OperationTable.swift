import Foundation

/// The times of single operations as a table in Markdown.
struct OperationTable {
  struct Row {
    let budget: OperationBudget
    let microseconds: Double
    /// The instructions of one operation; nil if they were not counted.
    let instructions: Double?
    /// The times of one operation in C and in the peers, if these have the work; in the order of the table's columns.
    let beside: [Double?]
    /// The time of GRDB's records, if the goal is to take no longer.
    let peer: Double?
    /// The ratio of this machine's time to that of the machine on which the budgets were set.
    let slowness: Double
    /// The goal and the budget of one operation on this machine, in microseconds.
    var goal: Double { peer ?? budget.goal * slowness }
    var limit: Double { budget.budget * slowness }
    var verdict: Verdict { Verdict(microseconds, goal: goal, budget: limit) }
  }

  let rows: [Row]
  /// The headings of the columns of C and the peers; empty if none of them has a work of this table.
  private let besides: [String]
  /// The ratio of this machine's time to that of the machine on which the budgets were set; nil if it was not measured.
  let slowness: Double?

  /// Computes the medians of the measurements.
  init(_ budgets: [OperationBudget], _ results: Results, _ counts: Counts) throws {
    let slowness = results.baseline[OperationBudget.yardstick.baseline].map {
      $0.median / OperationBudget.yardstick.milliseconds
    }
    self.slowness = slowness
    let others = ([("C", results.baseline)] + results.peers.map { ($0.name, $0.samples) })
      .filter { other in budgets.contains { other.1[$0.workload] != nil } }
    besides = others.map(\.0)
    rows = try budgets.map { budget in
      guard let samples = results.framework[budget.workload] else {
        throw CompareError("\(budget.workload) was not measured")
      }
      func time(_ samples: Samples?) throws -> Double? {
        guard let samples else { return nil }
        guard samples.answer == results.framework[budget.workload]?.answer else {
          throw CompareError("\(budget.workload): the answers differ")
        }
        return samples.median * 1000 / budget.repetitions
      }
      return Row(
        budget: budget, microseconds: samples.median * 1000 / budget.repetitions,
        instructions: counts.each(budget), beside: try others.map { try time($0.1[budget.workload]) },
        peer: budget.isBesidePeer
          ? try time(results.peers.first { $0.name == Peer.records }?.samples[budget.workload]) : nil,
        slowness: slowness ?? 1)
    }
  }

  var markdown: String {
    let head = [
      "| operation | µs | instructions | goal, µs | budget, µs | goal here, µs | budget here, µs | verdict |"
        + besides.map { " \($0), µs |" }.joined(),
      "|---|--:|--:|--:|--:|--:|--:|---|" + String(repeating: "--:|", count: besides.count),
    ]
    let lines = rows.map { row in
      "| \(row.budget.title) | \(Self.text(row.microseconds)) "
        + "| \(row.instructions.map { String(format: "%.0f", $0) } ?? "") | \(Self.short(row.budget.goal)) | \(Self.short(row.budget.budget)) "
        + "| \(Self.text(row.goal)) | \(Self.text(row.limit)) | \(row.verdict.rawValue) |"
        + row.beside.map { $0.map { " \(Self.text($0)) |" } ?? "  |" }.joined()
    }
    let notes = [
      slowness.map(Self.note),
      RaisedGoal.note(rows.map { ($0.budget.title, $0.budget.raised, $0.budget.goal) }, unit: " µs"),
    ]
    return ([(head + lines).joined(separator: "\n")] + notes.compactMap { $0 }).joined(separator: "\n\n")
  }

  private static func note(_ slowness: Double) -> String {
    "The budgets were set on a machine where C's \(OperationBudget.yardstick.baseline) took "
      + "\(OperationBudget.yardstick.milliseconds) ms. Here it took \(String(format: "%.2f", slowness)) times as long, "
      + "and so may these."
  }

  /// Goals and budgets are figures of three digits at most.
  private static func short(_ microseconds: Double) -> String { String(format: "%.3g", microseconds) }

  private static func text(_ microseconds: Double) -> String {
    String(format: microseconds < 1 ? "%.3f" : "%.2f", microseconds)
  }
}
