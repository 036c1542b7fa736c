import CommandSupport
import Foundation
import PerformanceTuning

/// The report for people.
enum TuneText {
  /// Returns the line that is printed after each test.
  static func line(for record: PerfTestRecord) -> String {
    """
    \(record.name)
      start \(time(record.start))  stop \(time(record.stop))  elapsed \(FigureText.seconds(record.elapsed)) s
      \(record.result)
    """
  }

  /// Returns the text that is printed at the end: the load, and a table of the tests.
  static func summary(of report: TuneReport) -> String {
    var table = TextTable(
      columns: [
        .init("Test"), .init("Elapsed", .right), .init("SELECTs", .right), .init("Rows read", .right),
        .init("Faults fired", .right), .init("Cache hits", .right), .init("Result"),
      ])
    for test in report.tests {
      table.rows.append([
        test.name, FigureText.seconds(test.elapsed) + " s", FigureText.grouped(test.statements),
        FigureText.grouped(test.rows),
        FigureText.grouped(test.faults),
        FigureText.grouped(test.cacheHits), test.result,
      ])
    }
    return "\n" + loadText(report.load) + "\n\n" + table.text + "\n\n" + memory(of: report).text
  }

  /// Returns the table of the most memory used.
  private static func memory(of report: TuneReport) -> TextTable {
    var table = TextTable(
      columns: [
        .init("Memory, at most"), .init("Live objects", .right), .init("Faults", .right), .init("Row cache", .right),
        .init("Peak RSS", .right),
      ])
    table.rows = report.tests.map { test in
      [
        test.name, FigureText.grouped(test.memory.objects), FigureText.grouped(test.memory.faults),
        FigureText.bytes(test.memory.rowCacheBytes), FigureText.bytes(test.memory.peakResidentBytes),
      ]
    }
    return table
  }

  private static func loadText(_ load: TuneReport.Load) -> String {
    let what =
      "\(FigureText.grouped(load.people)) people, \(FigureText.grouped(load.selfies)) selfies, \(FigureText.grouped(load.networks)) social networks, "
      + "\(FigureText.grouped(load.joinRows)) rows in the join tables"
    let how = load.loaded ? "loaded in \(FigureText.seconds(load.elapsed)) s" : "loaded by an earlier run"
    return "Store: \(load.store)\n\(what), \(how)."
  }

  private static func time(_ date: Date) -> String {
    date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
