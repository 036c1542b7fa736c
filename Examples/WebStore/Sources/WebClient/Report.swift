import Foundation

/// What a run has found out.
struct Report: Codable, Equatable, Sendable {
  struct Cost: Codable, Equatable, Sendable {
    /// Statements of a file, requests of a service.
    var questions: Int
    var rows: Int

    static func - (later: Cost, earlier: Cost) -> Cost {
      Cost(questions: later.questions - earlier.questions, rows: later.rows - earlier.rows)
    }
  }

  struct Step: Codable, Equatable, Sendable {
    var name: String
    /// What came of it: the same for each store.
    var result: String
    /// By store, in the order of `stores`.
    var costs: [Cost]
  }

  var stores: [String]
  var authors: Int
  var steps: [Step]

  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  /// A table: for each store its questions, and the rows that came.
  var text: String {
    let titles = ["step"] + stores.flatMap { [$0 == "file" ? "statements" : "requests", "rows"] } + ["result"]
    let rows = steps.map { step in
      [step.name] + step.costs.flatMap { ["\($0.questions)", "\($0.rows)"] } + [step.result]
    }
    let widths = titles.indices.map { column in ([titles] + rows).map { $0[column].count }.max() ?? 0 }
    func line(_ cells: [String]) -> String {
      let padded = cells.indices.map { column in
        let space = String(repeating: " ", count: widths[column] - cells[column].count)
        return column == 0 || column == cells.count - 1 ? cells[column] + space : space + cells[column]
      }
      return padded.joined(separator: "  ").trimmingCharacters(in: .whitespaces)
    }
    let rule = widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ")
    return ([line(titles), rule] + rows.map(line)).joined(separator: "\n")
  }
}
