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

  @Flag(help: "Measure with 1,000,000 photos too, whose stores are made once in the folder: a gigabyte.")
  var large = false

  @Option(help: "The folder for the stores.")
  var folder = "data"

  @Option(help: "The file to write; none is written when --only is given.")
  var output = "RESULTS.md"

  func validate() throws {
    if rounds < 1 { throw ValidationError("--rounds must be 1 or more.") }
    for name in only where Budgets(names: [name], isLarge: large).isEmpty {
      let isLarge = !Budgets(names: [name], isLarge: true).isEmpty
      throw ValidationError("There is no workload '\(name)'\(isLarge ? " without --large" : "").")
    }
  }

  func run() throws {
    let budgets = Budgets(names: only, isLarge: large)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let results = try measure(budgets)
    let tables = try Tables(budgets, results, isLarge: false)
    let largeTables = large ? try Tables(budgets, results, isLarge: true) : nil
    for table in tables.all + (largeTables?.all ?? []) { print(table) }
    if only.isEmpty {
      let report = Report(rounds: rounds, tables: tables, large: largeTables)
      let earlier = try? String(contentsOfFile: output, encoding: .utf8)
      try report.text(keeping: earlier).write(toFile: output, atomically: true, encoding: .utf8)
    }
    if !tables.isWithinBudget || largeTables?.isWithinBudget == false { throw ExitCode.failure }
  }

  private func measure(_ budgets: Budgets) throws -> Results {
    let programs = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let baseline = programs.appending(path: "baseline")
    let framework = programs.appending(path: "workloads")
    for preparation in budgets.needsLarge ? ["prepare", "prepare-1M"] : ["prepare"] {
      say("Preparing the stores: \(preparation)")
      _ = try Measurement.run(baseline, [preparation, folder])
      _ = try Measurement.run(framework, [preparation, folder])
    }

    var results = Results()
    for round in 1...rounds {
      for process in budgets.processes {
        say("Round \(round) of \(rounds): \(process)")
        try results.add(baseline: Measurement.run(baseline, [process, folder]))
        try results.add(framework: Measurement.run(framework, [process, folder]))
      }
      for process in budgets.ownProcesses {
        say("Round \(round) of \(rounds): \(process)")
        try results.add(framework: Measurement.run(framework, [process, folder]))
      }
    }
    return results
  }

  private func say(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }
}
