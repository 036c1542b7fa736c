import ArgumentParser
import Foundation

/// Measures the framework and the baseline in C in alternating rounds, and writes the ratios.
@main
struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "Benchmarks/run",
    abstract: "Measures the framework beside C over SQLite, interleaved, and compares medians of CPU time.",
    discussion:
      "Each measurement is a process of its own. Exits with 1 when a ratio is over its budget, or, with --quick, a count over its record."
  )

  @Option(help: "How many times each workload is measured on each side.")
  var rounds = 5

  @Option(name: .customLong("only"), help: "Measure this workload alone, as in A2; may be given several times.")
  var only: [String] = []

  @Flag(help: "Measure with 1,000,000 photos too, whose stores are made once in the folder: a gigabyte.")
  var large = false

  @Flag(help: "Count instructions on both sides besides, under callgrind: some minutes. Needs valgrind.")
  var instructions = false

  @Flag(help: "Measure GRDB and SQLAlchemy too, which are built and installed for it.")
  var peers = false

  @Flag(
    help:
      "Measure the store in a PostgreSQL server instead, beside C over libpq, on a server that is started for it. Needs postgresql and libpq-dev. With --quick in less than a minute."
  )
  var postgresql = false

  @Flag(help: "Count the framework's instructions alone, and fail where one is 2 % over this machine's record.")
  var quick = false

  @Flag(help: "With --quick: write this machine's record instead of comparing.")
  var record = false

  @Option(help: "With --quick: the folder of the records.")
  var records = "Records"

  @Option(help: "With --quick: a file to keep the counts in, as a record has them.")
  var keepCounts: String?

  @Option(help: "With --quick: a file with kept counts, which are compared without counting again.")
  var counts: String?

  @Option(help: "The folder for the stores; from that of Benchmarks/run, where it is not absolute.")
  var folder = "data"

  @Option(help: "The file to write, from the same folder, with chart.svg beside it; none when --only is given.")
  var output = "RESULTS.md"

  func validate() throws {
    if rounds < 1 { throw ValidationError("--rounds must be 1 or more.") }
    if postgresql {
      if record || keepCounts != nil || counts != nil || instructions {
        throw ValidationError("--postgresql takes neither --instructions nor what is of counts.")
      }
      if quick, large || peers { throw ValidationError("--quick takes neither --large nor --peers.") }
      return
    }
    if !quick, record || keepCounts != nil || counts != nil {
      throw ValidationError("--record, --keep-counts and --counts are options of --quick.")
    }
    if quick, large || instructions || peers {
      throw ValidationError("--quick takes neither --large nor --instructions nor --peers.")
    }
    for name in only where Budgets(names: [name], isLarge: large).isEmpty {
      let isLarge = !Budgets(names: [name], isLarge: true).isEmpty
      throw ValidationError("There is no workload '\(name)'\(isLarge ? " without --large" : "").")
    }
  }

  func run() throws {
    if postgresql {
      #if POSTGRESQL
        return try runOverServer()
      #else
        throw CompareError("This was built without PostgreSQL: Benchmarks/run --postgresql builds it with it.")
      #endif
    }
    if instructions || quick && counts == nil, !Callgrind.isInstalled {
      throw CompareError("valgrind is not there, which counts instructions: apt-get install valgrind")
    }
    let budgets = Budgets(names: only, isLarge: large)
    if quick { return try runQuick(budgets) }
    try Places.checkFolder(folder)
    if only.isEmpty { try Places.checkOutput(output) }
    let programs = Programs(folder: folder)
    try programs.prepare(needsLarge: budgets.needsLarge)
    let results = try programs.measure(
      budgets, peers: peers ? Peer.prepare(folder: folder) : [], rounds: rounds)
    let counts = instructions ? try programs.count(budgets) : Counts()
    let tables = try Tables(budgets, results, counts, isLarge: false)
    let largeTables = large ? try Tables(budgets, results, counts, isLarge: true) : nil
    for table in tables.all + (largeTables?.all ?? []) { print(table) }
    if only.isEmpty {
      let report = Report(rounds: rounds, hasCounts: instructions, tables: tables, large: largeTables)
      let earlier = try? String(contentsOfFile: output, encoding: .utf8)
      try report.text(keeping: earlier).write(toFile: output, atomically: true, encoding: .utf8)
      let chart = URL(fileURLWithPath: output).deletingLastPathComponent().appending(path: "chart.svg")
      let rows = tables.results.rows + (largeTables?.results.rows ?? [])
      try Chart(rows: rows).svg.write(to: chart, atomically: true, encoding: .utf8)
    }
    if !tables.isWithinBudget || largeTables?.isWithinBudget == false { throw ExitCode.failure }
  }

  private func runQuick(_ budgets: Budgets) throws {
    if counts == nil { try Places.checkFolder(folder) }
    if let keepCounts { try Places.checkOutput(keepCounts) }
    let run = QuickRun(
      budgets: budgets, programs: Programs(folder: folder), records: records, isWhole: only.isEmpty)
    let counted = try run.counts(keptIn: counts)
    if let keepCounts { try CountRecord(counted).write(to: URL(fileURLWithPath: keepCounts)) }
    if record {
      try run.write(counted)
    } else if try !run.compare(counted) {
      throw ExitCode.failure
    }
  }
}
