import Foundation

/// RESULTS.md.
struct Report {
  private static let largeTitle = "## 1,000,000 photos"

  let rounds: Int
  let tables: Tables
  /// Nil when the large data sets were not measured.
  let large: Tables?

  /// The whole text; what `earlier` says of the large data sets stays when they were not measured.
  func text(keeping earlier: String?) -> String {
    """
    # Results
    CPU time of the framework beside C over SQLite, one heap object for each row in a hash map: the least that an \
    object graph can take. Medians of interleaved rounds, each workload a process of its own; work shorter than 50 ms \
    is repeated until it takes 200. Quote the ratios: the times are this machine's.

    \(origin)

    \(tables.resultsMarkdown)

    What stands beside nothing in C is measured by itself: CPU time of one operation.

    \(tables.operations.markdown)

    What one context does beside another is compared with the same work by itself: median wall time.

    \(tables.own.markdown)

    What a program takes at least.

    \(tables.memory.markdown)

    \(tables.verdict)

    \(large.map(section) ?? earlier.flatMap(Self.section(in:)) ?? "\(Self.largeTitle)\nNot measured: see `--large`.\n")
    """
  }

  private func section(_ large: Tables) -> String {
    """
    \(Self.largeTitle)
    The same with a hundred times the photos, and what only shows there. The last columns are the most that either \
    process had resident while the work was done for the first time.

    \(origin)

    \(large.resultsMarkdown)

    Work of the framework beside other work of its own: CPU time.

    \(large.own.markdown)

    What the work adds to the resident memory of the process.

    \(large.memory.markdown)

    \(large.verdict)

    """
  }

  /// How, when and on what it was measured.
  private var origin: String {
    let command = (["Benchmarks/run"] + CommandLine.arguments.dropFirst()).joined(separator: " ")
    let date = Date().formatted(.iso8601.year().month().day())
    return "Made by `\(command)` on \(date), \(rounds) rounds.\n\n"
      + Machine.facts.map { "- \($0)" }.joined(separator: "\n")
  }

  // It is the last of the document.
  private static func section(in earlier: String) -> String? {
    earlier.range(of: largeTitle).map { String(earlier[$0.lowerBound...]) }
  }
}
