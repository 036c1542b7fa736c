/// A table in plain text, its columns aligned.
struct TextTable {
  enum Alignment { case left, right }

  struct Column {
    var title: String
    var alignment: Alignment

    init(_ title: String, _ alignment: Alignment = .left) {
      self.title = title
      self.alignment = alignment
    }
  }

  var columns: [Column]
  var rows: [[String]] = []

  /// Titles, a rule, and the rows; two spaces between columns and none at the end of a line.
  var text: String {
    let widths = columns.indices.map { column in
      max(columns[column].title.count, rows.map { $0[column].count }.max() ?? 0)
    }
    // Texts in the last column may be long: its rule is as wide as the title.
    let ruled = widths.dropLast() + columns.suffix(1).map(\.title.count)
    let rule = ruled.map { String(repeating: "-", count: $0) }
    let lines = [columns.map(\.title), rule] + rows
    return lines.map { line(of: $0, widths: widths) }.joined(separator: "\n")
  }

  private func line(of cells: [String], widths: [Int]) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() {
      let padding = String(repeating: " ", count: widths[index] - cell.count)
      line += index > 0 ? "  " : ""
      switch columns[index].alignment {
      case .left: line += cell + padding
      case .right: line += padding + cell
      }
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
