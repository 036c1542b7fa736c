import CommandSupport
import ExampleSupport
import Foundation

extension Report {
  /// The report for people: the table, then the statements.
  var text: String { table.text + "\n\n" + explanations }

  /// A line for each piece of work in each design with each set of indexes.
  private var table: TextTable {
    var table = TextTable(
      ["\(count) photos", "design", "indexes"] + Cost.titles + ["to no index", "to one entity"], names: 3)
    for work in Work.allCases {
      for variant in variants {
        guard let step = variant.steps.first(where: { $0.work == work }) else { continue }
        let unindexed = self.step(work, variant.design, .none)
        let single = self.step(work, .single, variant.indexing)
        table.rows.append(
          [work.title, variant.design.title, variant.indexing.title] + step.cost.cells + [
            variant.indexing == .none ? "" : difference(step, unindexed),
            variant.design == .single ? "" : difference(step, single),
          ])
      }
    }
    return table
  }

  /// Returns the difference between the processor times of two steps, in per cent.
  private func difference(_ step: Step, _ other: Step?) -> String {
    guard let other, other.cost.processor > 0 else { return "" }
    return String(format: "%+.0f%%", (step.cost.processor / other.cost.processor - 1) * 100)
  }

  /// The statements of each request; stores with the same statements are named together.
  private var explanations: String {
    var texts: [(title: String, indexes: [String], statements: String)] = []
    for design in Design.allCases {
      for work in Work.allCases {
        for variant in variants where variant.design == design {
          guard let step = variant.steps.first(where: { $0.work == work }), !step.statements.isEmpty else { continue }
          let title = "\(work.title); \(design.title)"
          let statements = step.statements.map(\.text).joined(separator: "\n")
          if let last = texts.last, last.title == title, last.statements == statements {
            texts[texts.count - 1].indexes.append(variant.indexing.title)
          } else {
            texts.append((title, [variant.indexing.title], statements))
          }
        }
      }
    }
    return texts.map { "\($0.title); indexes: \($0.indexes.joined(separator: ", "))\n\($0.statements)" }
      .joined(separator: "\n\n")
  }
}
