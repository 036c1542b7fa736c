import ArgumentParser
import Foundation

/// Measures the framework beside C, round after round, and writes down the ratios.
@main
struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "Benchmarks/run",
    abstract: "Measures the framework beside C over SQLite, interleaved, and compares medians of CPU time.",
    discussion: "Each measurement is a process of its own. Exits with 1 when a ratio is over its budget.")

  @Option(help: "How many times each workload is measured on each side.")
  var rounds = 5

  @Option(name: .customLong("only"), help: "Measure this workload alone, as in A2; may be given several times.")
  var only: [String] = []

  @Option(help: "The folder for the stores.")
  var folder = "data"

  @Option(help: "The file to write; none is written when --only is given.")
  var output = "RESULTS.md"

  func validate() throws {
    if rounds < 1 { throw ValidationError("--rounds must be 1 or more.") }
    for name in only
    where !Comparison.all.contains(where: { $0.workload.hasPrefix(name) })
      && !OperationBudget.all.contains(where: { $0.workload.hasPrefix(name) })
      && !SelfComparison.all.contains(where: { $0.workload.hasPrefix(name) })
    {
      throw ValidationError("There is no workload '\(name)'.")
    }
  }

  func run() throws {
    let comparisons = Comparison.all.filter { comparison in
      only.isEmpty || only.contains { comparison.workload.hasPrefix($0) }
    }
    let budgets = OperationBudget.all.filter { budget in
      only.isEmpty || only.contains { budget.workload.hasPrefix($0) }
    }
    let own = SelfComparison.all.filter { comparison in
      only.isEmpty || only.contains { comparison.workload.hasPrefix($0) }
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let results = try measure(comparisons, budgets, own)
    let table = try ResultTable(comparisons, results)
    let operations = try OperationTable(budgets, results)
    let ownTable = try SelfComparisonTable(own, results)
    if !table.rows.isEmpty { print(table.markdown) }
    if !operations.rows.isEmpty { print(operations.markdown) }
    if !ownTable.rows.isEmpty { print(ownTable.markdown) }
    let isWithin =
      table.rows.allSatisfy(\.isWithinBudget) && operations.rows.allSatisfy(\.isWithinBudget)
      && ownTable.rows.allSatisfy(\.isWithinBudget)
    if only.isEmpty {
      try document(table, operations, ownTable, isWithin).write(toFile: output, atomically: true, encoding: .utf8)
    }
    if !isWithin { throw ExitCode.failure }
  }

  private func measure(
    _ comparisons: [Comparison], _ budgets: [OperationBudget], _ own: [SelfComparison]
  ) throws -> Results {
    let programs = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let baseline = programs.appending(path: "baseline")
    let framework = programs.appending(path: "workloads")
    say("Preparing the stores")
    _ = try Measurement.run(baseline, ["prepare", folder])
    _ = try Measurement.run(framework, ["prepare", folder])

    var results = Results()
    var processes: [String] = []
    for comparison in comparisons where !processes.contains(comparison.process) {
      processes.append(comparison.process)
    }
    for round in 1...rounds {
      for process in processes {
        say("Round \(round) of \(rounds): \(process)")
        try results.add(baseline: Measurement.run(baseline, [process, folder]))
        try results.add(framework: Measurement.run(framework, [process, folder]))
      }
      for process in Set(budgets.map(\.process) + own.map(\.process)).sorted() {
        say("Round \(round) of \(rounds): \(process)")
        try results.add(framework: Measurement.run(framework, [process, folder]))
      }
    }
    return results
  }

  private func document(
    _ table: ResultTable, _ operations: OperationTable, _ own: SelfComparisonTable, _ isWithin: Bool
  ) -> String {
    let command = (["Benchmarks/run"] + CommandLine.arguments.dropFirst()).joined(separator: " ")
    let verdict = isWithin ? "All figures are within their budgets." : "Not all figures are within budget."
    return """
      # Results
      CPU time of the framework beside C over SQLite, one heap object for each row in a hash map: the least that an \
      object graph can take. Medians of \(rounds) interleaved rounds, each workload a process of its own; work \
      shorter than 50 ms is repeated until it takes 200. Quote the ratios: the times are this machine's.

      Made by `\(command)` on \(Date().formatted(.iso8601.year().month().day())).

      \(Machine.facts.map { "- \($0)" }.joined(separator: "\n"))

      \(table.markdown)

      What stands beside nothing in C is measured by itself: CPU time of one operation.

      \(operations.markdown)

      What one context does beside another is compared with the same work by itself: median wall time.

      \(own.markdown)

      \(verdict)

      """
  }

  private func say(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }
}
