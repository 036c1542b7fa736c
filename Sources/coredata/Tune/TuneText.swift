import Foundation
import PerformanceTuning

/// The report for people.
enum TuneText {
  /// What is printed as soon as a test has run.
  static func line(for record: PerfTestRecord) -> String {
    """
    \(record.name)
      start \(time(record.start))  stop \(time(record.stop))  elapsed \(seconds(record.elapsed)) s
      \(record.result)
    """
  }

  /// What is printed in the end: the load, and a table of the tests.
  static func summary(of report: TuneReport) -> String {
    var table = TextTable(
      columns: [
        .init("Test"), .init("Elapsed", .right), .init("SELECTs", .right), .init("Rows read", .right),
        .init("Faults fired", .right), .init("Cache hits", .right), .init("Result"),
      ])
    for test in report.tests {
      table.rows.append([
        test.name, seconds(test.elapsed) + " s", grouped(test.statements), grouped(test.rows), grouped(test.faults),
        grouped(test.cacheHits), test.result,
      ])
    }
    return "\n" + loadText(report.load) + "\n\n" + table.text + "\n\n" + memory(of: report).text
  }

  /// What was in memory at most.
  private static func memory(of report: TuneReport) -> TextTable {
    var table = TextTable(
      columns: [
        .init("Memory, at most"), .init("Live objects", .right), .init("Faults", .right), .init("Row cache", .right),
        .init("Peak RSS", .right),
      ])
    table.rows = report.tests.map { test in
      [
        test.name, grouped(test.memory.objects), grouped(test.memory.faults),
        FigureText.bytes(test.memory.rowCacheBytes), FigureText.bytes(test.memory.peakResidentBytes),
      ]
    }
    return table
  }

  private static func loadText(_ load: TuneReport.Load) -> String {
    let what =
      "\(grouped(load.people)) people, \(grouped(load.selfies)) selfies, \(grouped(load.networks)) social networks, "
      + "\(grouped(load.joinRows)) rows in the join tables"
    let how = load.loaded ? "loaded in \(seconds(load.elapsed)) s" : "loaded by an earlier run"
    return "Store: \(load.store)\n\(what), \(how)."
  }

  /// Seconds with three decimals.
  static func seconds(_ value: Double) -> String { String(format: "%.3f", value) }

  /// A number with commas between the thousands, whatever the locale.
  static func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number.magnitude).reversed().enumerated() {
      if index > 0, index.isMultiple(of: 3) { text.insert(",", at: text.startIndex) }
      text.insert(digit, at: text.startIndex)
    }
    return number < 0 ? "-" + text : text
  }

  private static func time(_ date: Date) -> String {
    date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
