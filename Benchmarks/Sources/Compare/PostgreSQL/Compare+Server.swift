import ArgumentParser
import Foundation

extension Compare {
  /// Measures the store in a server, and writes its section of RESULTS.md.
  func runOverServer() throws {
    let lines = ServerLine.chosen(isQuick: quick, isLarge: large, only: only)
    if lines.isEmpty { throw ValidationError("There is no such workload over a server.") }
    let rounds = quick ? 1 : rounds
    let isWritten = only.isEmpty && !quick
    if isWritten { try Places.checkOutput(output) }
    let run = try ServerRun(lines, rounds: rounds, roundTrips: quick ? [0] : [0, 0.5, 5])
    try run.prepare()
    if peers { try Places.checkFolder(folder) }
    let results = try run.measure(peers ? ServerPeers.prepare(folder: folder) : [])
    let report = try ServerReport(lines, results, run.measureFlights(), roundTrips: run.roundTrips)
    print(report.ratios, report.flightTable, separator: "\n\n")
    if isWritten {
      var document = ResultsDocument(try String(contentsOfFile: output, encoding: .utf8))
      document.put(report.section(rounds: rounds, server: try run.version()), titled: ServerReport.title)
      try document.text(Report.beginning).write(toFile: output, atomically: true, encoding: .utf8)
    }
    if !report.isWithinBudget { throw ExitCode.failure }
  }
}
