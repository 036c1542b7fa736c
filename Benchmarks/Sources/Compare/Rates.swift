import Foundation

/// The number of times per second that something was done, shown beside a time that depends on concurrent work.
struct Rate {
  let title: String
  /// The name under which both sides report the rate, in place of milliseconds.
  let workload: String

  static let all = [
    Rate(title: "C saves while another context counts all the while", workload: "C-reader-saves"),
    Rate(title: "C counts beside them", workload: "C-reader-reads"),
  ]
}

/// The rates as a table in Markdown.
struct RateTable {
  let rows: [(rate: Rate, baseline: Double, framework: Double)]

  /// Computes the medians of the measurements.
  init(_ results: Results) {
    rows = Rate.all.compactMap { rate in
      guard let baseline = results.baseline[rate.workload], let framework = results.framework[rate.workload] else {
        return nil
      }
      return (rate, baseline.median, framework.median)
    }
  }

  var markdown: String {
    let head = ["| in a second of wall time | C | framework |", "|---|--:|--:|"]
    let lines = rows.map { "| \($0.rate.title) | \(Self.text($0.baseline)) | \(Self.text($0.framework)) |" }
    return (head + lines).joined(separator: "\n")
  }

  private static func text(_ rate: Double) -> String { String(format: "%.0f", rate) }
}
