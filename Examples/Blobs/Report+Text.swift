import CommandSupport
import ExampleSupport
import Foundation

extension Report {
  /// The report for people: the table, the sizes as bars, and what goes wrong.
  var text: String { [table.text, sizes, mistakes.text].joined(separator: "\n\n") }

  /// A line for each piece of work in each design.
  private var table: TextTable {
    var table = TextTable(
      ["\(count) pictures, \(megabytes(bytes)) MB", "stored"] + Cost.titles + ["MB on disk", "of it log", "files"],
      names: 2)
    for work in Work.allCases {
      for variant in variants {
        guard let step = step(work, variant.design) else { continue }
        table.rows.append(
          [work.title, variant.design.title] + step.cost.cells + [
            megabytes(step.size.total), megabytes(step.size.log), "\(step.size.files)",
          ])
      }
    }
    return table
  }

  /// A bar for each design: the memory that each way to a list takes.
  private var sizes: String {
    let works: [Work] = [.titles, .titlesInBatches, .titlesAlone, .thumbnails]
    let most = works.flatMap { work in variants.compactMap { step(work, $0.design)?.cost.peakMemory } }.max() ?? 0
    let lines = works.flatMap { work in
      variants.compactMap { variant -> String? in
        guard let memory = step(work, variant.design)?.cost.peakMemory, most > 0 else { return nil }
        let bar = String(repeating: "#", count: max(1, Int(50 * memory / most)))
        return "\(padded(work.title, to: 22))  \(padded(variant.design.title, to: 16))  \(bar) \(Int(memory))"
      }
    }
    return (["Most memory during a list, in MB"] + lines).joined(separator: "\n")
  }

  private var mistakes: TextTable {
    var table = TextTable(
      ["What goes wrong", "tried in a copy of the one file", "readable", "files left by a rollback", "after a start"])
    for variant in variants {
      let mistakes = variant.mistakes
      table.rows.append(
        [variant.design.title]
          + [mistakes.tried, mistakes.readable, mistakes.orphans, mistakes.orphansAfterStart].map(String.init))
    }
    return table
  }

  private func megabytes(_ bytes: Int) -> String { String(format: "%.1f", Double(bytes) / 1_000_000) }

  private func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
