/// A table in plain text: names to the left, numbers to the right.
package struct TextTable {
  package var titles: [String]
  package var rows: [[String]] = []
  private let names: Int

  /// - Parameter names: How many of the first columns are names.
  package init(_ titles: [String], names: Int = 1) {
    self.titles = titles
    self.names = names
  }

  /// Titles, a rule, and the rows; two spaces between columns and none at the end of a line.
  package var text: String {
    let widths = titles.indices.map { column in ([titles] + rows).map { $0[column].count }.max() ?? 0 }
    let rule = widths.map { String(repeating: "-", count: $0) }
    return ([titles, rule] + rows).map { line(of: $0, widths) }.joined(separator: "\n")
  }

  private func line(of cells: [String], _ widths: [Int]) -> String {
    let padded = cells.enumerated().map { column, cell in
      let space = String(repeating: " ", count: widths[column] - cell.count)
      return column < names ? cell + space : space + cell
    }
    var line = padded.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line
  }
}
