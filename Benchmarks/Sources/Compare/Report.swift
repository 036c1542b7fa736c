import Foundation

/// The tables of one size.
struct Tables {
  let results: ResultTable
  let operations: OperationTable
  let own: SelfComparisonTable
  let memory: MemoryTable
  private let isLarge: Bool

  /// Those of the large data sets, or those of all others.
  init(_ budgets: Budgets, _ measured: Results, isLarge: Bool) throws {
    self.isLarge = isLarge
    results = try ResultTable(budgets.comparisons.filter { $0.isLarge == isLarge }, measured)
    operations = try OperationTable(budgets.operations.filter { $0.isLarge == isLarge }, measured)
    own = try SelfComparisonTable(budgets.own.filter { $0.isLarge == isLarge }, measured)
    memory = try MemoryTable(budgets.memory.filter { $0.isLarge == isLarge }, measured)
  }

  var isWithinBudget: Bool {
    results.rows.allSatisfy(\.isWithinBudget) && operations.rows.allSatisfy(\.isWithinBudget)
      && own.rows.allSatisfy(\.isWithinBudget) && memory.rows.allSatisfy(\.isWithinBudget)
  }

  var verdict: String {
    isWithinBudget ? "All figures are within their budgets." : "Not all figures are within budget."
  }

  var resultsMarkdown: String { results.markdown(showsMemory: isLarge) }

  /// The tables that have lines.
  var all: [String] {
    [
      results.rows.isEmpty ? nil : resultsMarkdown, operations.rows.isEmpty ? nil : operations.markdown,
      own.rows.isEmpty ? nil : own.markdown, memory.rows.isEmpty ? nil : memory.markdown,
    ].compactMap { $0 }
  }
}

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
