import CommandSupport
import ExampleSupport
import Foundation

extension Report {
  /// The report for people: tables with bars.
  var text: String {
    [searchTable.text, ladderTable.text, sortTable.text, keepingTable.text, typingText, mistakesText].joined(
      separator: "\n\n")
  }

  private var searchTable: TextTable {
    var table = TextTable(["\(count) sightings, “\(sought)”"] + Cost.titles + ["found"])
    table.rows.append(["save all, with three kinds of words"] + filling.cells + [""])
    table.rows += searches.map { [$0.way.title] + $0.cost.cells + ["\($0.found)"] }
    return table
  }

  /// A bar for the time of the request in the store without an index, and what an index makes of it.
  private var ladderTable: TextTable {
    let most = ladder.map(\.scanned.processor).max() ?? 0
    var table = TextTable(columns: [
      .init("place ..."), .init("scan ms", .right), .init("index ms", .right), .init("in memory ms", .right),
      .init("found", .right), .init("served by"), .init("scan"),
    ])
    for rung in ladder {
      table.rows.append([
        rung.comparison.rawValue + rung.folding.rawValue, milliseconds(rung.scanned), milliseconds(rung.indexed),
        milliseconds(rung.inMemory), "\(rung.found)", rung.indexes.joined(separator: ", "),
        bar(rung.scanned.processor, of: most),
      ])
    }
    for query in plainSQLite {
      table.rows.append(
        [
          "SQLite: \(query.text)", "", milliseconds(query.cost), "", "\(query.found)", "",
          bar(query.cost.processor, of: most),
        ])
    }
    return table
  }

  private var sortTable: TextTable {
    var table = TextTable(["Sorted by", "first"] + ["in SQL ms", "in memory ms", "misplaced neighbours"], names: 2)
    table.rows = sortings.map {
      [$0.order.title, $0.first, milliseconds($0.inStore), milliseconds($0.inMemory), "\($0.misplaced)"]
    }
    return table
  }

  private var keepingTable: TextTable {
    var table = TextTable([
      "The canonical text", "insert ms", "change ms", "statements", "wrong before the save", "after it",
      "after a batch update",
    ])
    table.rows = keepings.map {
      [
        $0.keeper.title, milliseconds($0.inserting), milliseconds($0.changing), "\($0.changing.statements)",
        "\($0.wrongBeforeSave)", "\($0.wrongAfterSave)", "\($0.wrongAfterBatchUpdate)",
      ]
    }
    return table
  }

  private var typingText: String {
    let steps = typing.map { "“\($0.typed)” \($0.found.map { "\($0) found" } ?? "given up")" }
    return "Typed, with a fetch beside the main thread for each letter: " + steps.joined(separator: ", ")
  }

  private var mistakesText: String {
    "Of \(mistakes.noted) URIs that were noted before the first save, \(mistakes.foundByTemporary) lead to an object; "
      + "of those after it, \(mistakes.foundByPermanent)."
  }

  private func milliseconds(_ cost: Cost) -> String { String(format: "%.2f", cost.processor * 1000) }

  private func bar(_ value: Double, of most: Double) -> String {
    most > 0 ? String(repeating: "#", count: max(1, Int(24 * value / most))) : ""
  }
}
