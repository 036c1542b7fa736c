import CommandSupport
import ExampleSupport
import Foundation

extension Report {
  /// The report for people: bars and a table for the arrangements, then a table for each other part.
  var text: String {
    var texts: [String] = []
    if !runs.isEmpty { texts += [chart.text, figures.text] }
    if !saves.isEmpty { texts.append(savesTable.text) }
    if !levels.isEmpty { texts.append(levelsTable.text) }
    if !waiting.isEmpty { texts.append(waitingTable.text) }
    texts += mistakes.map(\.text)
    if !editor.isEmpty { texts.append(editorTable.text) }
    return texts.joined(separator: "\n\n")
  }

  /// A bar for each arrangement.
  var chart: BarChart {
    func group(_ title: String, _ value: (Run) -> Double, _ text: @escaping (Double) -> String) -> BarChart.Group {
      BarChart.Group(title, runs.map(value), text)
    }
    return BarChart(
      title: "An import of \(FigureText.count(count, "song")) beside a list", names: runs.map(\.arrangement.title),
      groups: [
        group("Longest stall of the main queue", { $0.stalls.longest }, FigureText.duration),
        group("Stall at the 99th percentile", { $0.stalls.percentile99 }, FigureText.duration),
        group("Until the last song is on disk", { $0.written }, FigureText.duration),
        group("Until the list shows it", { $0.listed }, FigureText.duration),
        group("Memory at most", { $0.memory }) { String(format: "%.0f MB", $0) },
      ])
  }

  private var figures: TextTable {
    var table = TextTable([
      "\(count) songs, \(part) in a save", "stall ms", "99 % ms", "on disk s", "listed s", "songs/s", "MB",
      "statements",
      "reading", "faults", "misses", "changes told", "reports", "fetches", "edits", "longest ms",
    ])
    for run in runs {
      table.rows.append([
        run.arrangement.title, milliseconds(run.stalls.longest), milliseconds(run.stalls.percentile99),
        String(format: "%.2f", run.written), String(format: "%.2f", run.listed), "\(Int(run.throughput))",
        String(format: "%.0f", run.memory), "\(run.statements)", "\(run.reads)", "\(run.faults)", "\(run.misses)",
        "\(run.changes)", "\(run.reports)", "\(run.fetches)", "\(run.edits)", milliseconds(run.longestEdit),
      ])
    }
    return table
  }

  private var savesTable: TextTable {
    var table = TextTable(["songs in a save", "saves", "changes told", "stall ms", "99 % ms", "listed s"])
    table.rows = saves.map {
      [
        "\($0.part)", "\($0.saves)", "\($0.changes)", milliseconds($0.stalls.longest),
        milliseconds($0.stalls.percentile99), String(format: "%.2f", $0.listed),
      ]
    }
    return table
  }

  private var levelsTable: TextTable {
    var table = TextTable(["fetch of a context"] + Cost.titles + ["songs", "objects above"])
    table.rows = levels.map { [$0.title] + $0.cost.cells + ["\($0.songs)", "\($0.objectsAbove)"] }
    return table
  }

  private var waitingTable: TextTable {
    var table = TextTable(["work in the background", "ms", "stall ms", "99 % ms", "answers of the main queue"])
    table.rows = waiting.map {
      [
        $0.title, milliseconds($0.elapsed), milliseconds($0.stalls.longest), milliseconds($0.stalls.percentile99),
        "\($0.stalls.answers)",
      ]
    }
    return table
  }

  private var editorTable: TextTable {
    var table = TextTable(["the form", "in the form", "in the list", "in the store", "it says"], names: 5)
    table.rows = editor.map { [$0.title, $0.form, $0.list, $0.store, $0.words] }
    return table
  }

  private func milliseconds(_ seconds: Double) -> String { String(format: "%.1f", seconds * 1000) }
}

extension Mistake {
  fileprivate var text: String { "\(title)\n  wrong  \(wrong)\n  right  \(right)" }
}
