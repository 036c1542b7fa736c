import Foundation

/// The ratios as a chart in SVG: a bar for each line of the table, and a mark at the line's goal.
struct Chart {
  private static let labelWidth = 560.0
  private static let barWidth = 420.0
  private static let lineHeight = 18.0
  private static let top = 56.0

  let rows: [ResultTable.Row]

  /// The content of the SVG file.
  var svg: String {
    let height = Self.top + Double(rows.count) * Self.lineHeight + 12
    let width = Self.labelWidth + Self.barWidth + 60
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(width)) \(Int(height))" width="\(Int(width))" \
      height="\(Int(height))" role="img" aria-label="Time of the framework as a ratio to C, with goals">
      <style>
      text { font: 11px system-ui, sans-serif; fill: #24292f }
      .ground { fill: #ffffff } .line { stroke: #d0d7de } .one { stroke: #57606a }
      .reached { fill: #2da44e } .within { fill: #54aeff } .over { fill: #cf222e } .goal { stroke: #24292f; stroke-width: 2 }
      @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 } .ground { fill: #0d1117 } .line { stroke: #30363d } .one { stroke: #8b949e }
      .reached { fill: #3fb950 } .within { fill: #388bfd } .over { fill: #f85149 } .goal { stroke: #e6edf3 }
      }
      </style>
      <rect class="ground" width="100%" height="100%"/>
      \(legend)
      \(scale(to: height - 8))
      \(rows.indices.map(line).joined(separator: "\n"))
      </svg>

      """
  }

  /// The ratio at the right end of the scale.
  private var most: Double {
    max(2, rows.map { max($0.decisive, $0.comparison.goal) }.max()?.rounded(.up) ?? 2)
  }

  private func place(_ ratio: Double) -> Double { Self.labelWidth + ratio / most * Self.barWidth }

  private var legend: String {
    let kinds = [
      ("reached", "at its goal or better"), ("within", "within its budget"), ("over", "over its budget"),
    ]
    let keys = kinds.enumerated().map { index, kind in
      let x = 12 + index * 150
      return "<rect class=\"\(kind.0)\" x=\"\(x)\" y=\"12\" width=\"10\" height=\"10\"/>"
        + "<text x=\"\(x + 15)\" y=\"21\">\(kind.1)</text>"
    }
    return keys.joined() + "<path class=\"goal\" d=\"M466 10v14\"/><text x=\"473\" y=\"21\">its goal</text>"
  }

  private func scale(to bottom: Double) -> String {
    stride(from: 0, through: most, by: most > 6 ? 2 : 1).map { ratio in
      let x = Self.number(place(ratio))
      return
        "<path class=\"\(ratio == 1 ? "one" : "line")\" d=\"M\(x) \(Self.number(Self.top - 6))V\(Self.number(bottom))\"/>"
        + "<text x=\"\(x)\" y=\"\(Self.number(Self.top - 12))\" text-anchor=\"middle\">\(ratio == 1 ? "C = 1" : "\(Int(ratio))")</text>"
    }.joined(separator: "\n")
  }

  private func line(_ index: Int) -> String {
    let row = rows[index]
    let y = Self.top + Double(index) * Self.lineHeight
    let kind =
      switch row.verdict {
      case .reached: "reached"
      case .within: "within"
      case .over: "over"
      }
    let length = place(row.decisive) - Self.labelWidth
    let goal = Self.number(place(row.comparison.goal))
    let beside = max(place(row.decisive), place(row.comparison.goal)) + 5
    let base = Self.number(y + 11)
    return
      "<text x=\"\(Self.number(Self.labelWidth - 8))\" y=\"\(base)\" text-anchor=\"end\">\(Self.escaped(row.comparison.title))</text>"
      + "<rect class=\"\(kind)\" x=\"\(Self.number(Self.labelWidth))\" y=\"\(Self.number(y + 1))\" width=\"\(Self.number(length))\" height=\"12\"/>"
      + "<path class=\"goal\" d=\"M\(goal) \(Self.number(y - 1))v16\"/>"
      + "<text x=\"\(Self.number(beside))\" y=\"\(base)\">\(String(format: "%.2f", row.decisive))</text>"
  }

  private static func number(_ value: Double) -> String { String(format: "%.1f", value) }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }
}
