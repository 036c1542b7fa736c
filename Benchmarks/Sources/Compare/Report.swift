import Foundation

/// The text of a run for RESULTS.md.
struct Report {
  let rounds: Int
  /// Whether instructions were counted as well.
  let hasCounts: Bool
  let tables: Tables
  /// The tables of the large data sets; nil if these were not measured.
  let large: Tables?

  /// Returns the whole text. Some parts of `earlier` are kept: the sections of other processors, the part on the large data
  /// sets if these were not measured now, and the sections that were written by hand.
  func text(keeping earlier: String?) -> String {
    var document = ResultsDocument(earlier ?? "")
    let notMeasured = "\(ResultsDocument.largeTitle)\nNot measured: see `--large`.\n"
    let largePart = large.map(section) ?? document.large(of: Machine.processor) ?? notMeasured
    document.put(own + "\n\n" + largePart, of: Machine.processor)
    return document.text(Self.beginning)
  }

  static let beginning = """
    # Results
    CPU time of the framework beside C over SQLite, one heap object for each row in a hash map: the least that an \
    object graph can take. Medians of interleaved rounds, each workload a process of its own; work shorter than 50 ms \
    is repeated until it takes 200. Quote the ratios: the times are a machine's. A goal is what the design aims at, a \
    budget what fails a run. There is a section for each processor that was measured on, of its last run, the newest first.

    ![Ratio to C of each line, with its goal, as last measured](chart.svg)
    """

  private var own: String {
    """
    \(origin)\(hasCounts ? "\n\n" + Self.counting : "")

    \(tables.resultsMarkdown)

    What stands beside nothing in C is measured by itself: CPU time of one operation.

    \(tables.operations.markdown)

    Work of the framework beside other work of its own: CPU time; of a read beside a save and of one beside nothing, median wall time.

    \(tables.own.markdown)

    What a program takes at least.

    \(tables.memory.markdown)

    \(tables.verdict)
    """
  }

  private static let counting = """
    "Of instructions" is the ratio of the instructions that callgrind counts for the work alone, done for the second time, \
    with fewer repetitions where the cost is linear. Work under 100 ms is judged by it, since such a time says as much of \
    what else the machine does.
    """

  private func section(_ large: Tables) -> String {
    """
    \(ResultsDocument.largeTitle)
    The same with a hundred times the photos, and what only shows there. The last columns are the most that either \
    process had resident while the work was done for the first time.

    \(origin)

    \(large.resultsMarkdown)

    Single operations: CPU time.

    \(large.operations.markdown)

    Work of the framework beside other work of its own: CPU time.

    \(large.own.markdown)

    What the work adds to the resident memory of the process.

    \(large.memory.markdown)

    \(large.verdict)

    """
  }

  /// The command, the date and the machine of the measurement.
  private var origin: String {
    let command = (["Benchmarks/run"] + CommandLine.arguments.dropFirst()).joined(separator: " ")
    let date = Date().formatted(.iso8601.year().month().day())
    return "Made by `\(command)` on \(date), \(rounds) rounds.\n\n"
      + Machine.facts.map { "- \($0)" }.joined(separator: "\n")
  }
}
