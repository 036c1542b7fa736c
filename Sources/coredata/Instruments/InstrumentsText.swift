import CommandSupport
import CoreDataTools
import Foundation
import InstrumentsAnalysis

/// A report for people.
struct InstrumentsText {
  private let report: RecordingReport

  init(_ report: RecordingReport) { self.report = report }

  var text: String {
    var parts = [head, summary, counters, findings]
    if let statements = report.statements { parts.append(self.statements(statements)) }
    if let tree = report.tree { parts.append(self.tree(tree)) }
    if let events = report.events { parts.append(self.events(events)) }
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private var head: String {
    let file = report.recording
    let started = file.started.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    return """
      \(file.path)
      \(file.program), process \(file.processID), from \(started) for \(FigureText.duration(file.duration)); \
      \(file.end ?? "the program was killed or still runs")
      """
  }

  // MARK: Summary

  private var summary: String {
    var table = TextTable(
      columns: [
        .init(""), .init("Count", .right), .init("Total", .right), .init("Mean", .right), .init("Worst", .right),
        .init("Rows", .right),
      ])
    let rows = report.summary.groups.map { ($0.title, $0.measure) } + [("Statements", report.summary.statements)]
    table.rows = rows.map { title, measure in
      [
        title, FigureText.grouped(measure.count), FigureText.duration(measure.total), FigureText.duration(measure.mean),
        FigureText.duration(measure.worst), FigureText.grouped(measure.rows),
      ]
    }
    return table.text
  }

  private var counters: String {
    var lines: [String] = []
    if let counters = report.summary.counters {
      let hits = FigureText.percent(Double(counters.cacheHits), of: Double(counters.faultsFired))
      lines.append(
        "\(FigureText.count(counters.faultsFired, "fault")) fired, "
          + "\(FigureText.grouped(counters.cacheHits)) (\(hits)) from the row cache.")
    }
    if let memory = report.summary.memory {
      let process = "the process had up to \(FigureText.bytes(memory.peakResidentBytes)) in memory."
      if let objects = memory.objects, let faults = memory.faults, let rows = memory.rowCacheBytes {
        lines.append(
          "At most \(FigureText.count(objects, "live object")), \(FigureText.count(faults, "fault")), "
            + "\(FigureText.bytes(rows)) of rows in the cache; " + process)
      } else {
        lines.append("The run was too short for a sample of its objects and rows; " + process)
      }
    }
    if report.summary.failures > 0 { lines.append("\(FigureText.count(report.summary.failures, "failure")).") }
    return lines.joined(separator: "\n")
  }

  // MARK: Findings

  private var findings: String {
    if report.findings.isEmpty { return "Nothing was found that could be done better." }
    let texts = report.findings.enumerated().map { number, finding in
      """
      \(number + 1). \(finding.title)
         \(finding.facts)
         -> \(finding.advice)
      """
    }
    return (["What could be done better"] + texts).joined(separator: "\n\n")
  }

  // MARK: Parts

  private func statements(_ statements: [StatementUse]) -> String {
    let texts = statements.map { use in
      let measure = use.measure
      let facts =
        "\(FigureText.duration(measure.total)): \(FigureText.count(measure.count, "time")), mean "
        + "\(FigureText.duration(measure.mean)), worst \(FigureText.duration(measure.worst)), "
        + FigureText.count(measure.rows, "row")
      let remarks = use.remarks.isEmpty ? "" : "; " + use.remarks.joined(separator: ", ")
      return ([facts + remarks, "  " + use.text] + use.plan.map { "    " + $0 }).joined(separator: "\n")
    }
    return (["Statements"] + texts).joined(separator: "\n\n") + more(report.statementCount, statements.count)
  }

  private func tree(_ nodes: [CallTree.Node]) -> String {
    var table = TextTable(
      columns: [.init("Total", .right), .init("Share", .right), .init("Count", .right), .init("Function")])
    let whole = nodes.reduce(0) { $0 + $1.measure.total }
    func add(_ node: CallTree.Node, _ depth: Int) {
      let name = node.isActivity ? "[\(node.name)]" : node.name
      table.rows.append([
        FigureText.duration(node.measure.total), FigureText.percent(node.measure.total, of: whole),
        FigureText.grouped(node.measure.count), String(repeating: "  ", count: depth) + name,
      ])
      for child in node.children { add(child, depth + 1) }
    }
    for node in nodes { add(node, 0) }
    return "Where time went\n\n" + table.text
  }

  private func events(_ events: [RecordingReport.Event]) -> String {
    var table = TextTable(
      columns: [
        .init("Start", .right), .init("Duration", .right), .init("Thread", .right), .init("Rows", .right),
        .init("What"), .init("Who"),
      ])
    table.rows = events.map { event in
      let touched = event.fired.map { ", \($0) of \(event.faults ?? 0) read" } ?? ""
      return [
        String(format: "%.6f s", event.start), FigureText.duration(event.duration), "\(event.thread)",
        FigureText.grouped(event.rows), event.title + touched + (event.failed ? ", failed" : ""), event.caller ?? "",
      ]
    }
    return table.text + more(report.eventCount, events.count)
  }

  private func more(_ all: Int, _ shown: Int) -> String {
    all > shown ? "\n\n\(FigureText.grouped(all - shown)) more; --limit 0 shows all." : ""
  }
}
