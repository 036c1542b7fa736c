/// A table in plain text, its columns aligned.
package struct TextTable {
  package enum Alignment { case left, right }

  package struct Column {
    package var title: String
    package var alignment: Alignment

    package init(_ title: String, _ alignment: Alignment = .left) {
      self.title = title
      self.alignment = alignment
    }
  }

  package var columns: [Column]
  package var rows: [[String]] = []

  package init(columns: [Column]) { self.columns = columns }

  /// Creates a table whose names are aligned to the left, and whose numbers are aligned to the right.
  ///
  /// - Parameter names: How many of the first columns have names.
  package init(_ titles: [String], names: Int = 1) {
    columns = titles.enumerated().map { Column($1, $0 < names ? .left : .right) }
  }

  /// Titles, a rule, and the rows; two spaces between columns and none at the end of a line.
  package var text: String {
    let widths = columns.indices.map { column in
      max(columns[column].title.count, rows.map { $0[column].count }.max() ?? 0)
    }
    let rule = columns.indices.map { String(repeating: "-", count: ruled($0, of: widths)) }
    let lines = [columns.map(\.title), rule] + rows
    return lines.map { line(of: $0, widths: widths) }.joined(separator: "\n")
  }

  /// Returns the width of the rule below a title. Texts in the last column may be long, so the rule of a last column of
  /// text is as wide as its title.
  private func ruled(_ column: Int, of widths: [Int]) -> Int {
    let isLastText = column == columns.count - 1 && columns[column].alignment == .left
    return isLastText ? columns[column].title.count : widths[column]
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
