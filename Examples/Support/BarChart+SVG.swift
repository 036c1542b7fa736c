import Foundation

extension BarChart {
  private static let left = 190.0
  private static let space = 420.0
  private static let step = 20.0
  private static let width = 720.0

  /// The chart as a picture in SVG, in light and dark.
  package var svg: String {
    var y = 44.0
    var parts: [String] = []
    for group in groups {
      parts.append("<text class=\"heading\" x=\"12\" y=\"\(Self.number(y + 13))\">\(Self.escaped(group.title))</text>")
      y += Self.step + 2
      for (name, value) in zip(names, group.values) {
        parts.append(bar(name, value, in: group, y))
        y += Self.step
      }
      y += 12
    }
    let size = "\(Int(Self.width)) \(Int(y))"
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size)" width="\(Int(Self.width))" height="\(Int(y))" \
      role="img" aria-label="\(Self.escaped(title))">
      <style>
      text { font: 12px system-ui, sans-serif; fill: #24292f }
      .title { font-size: 15px; font-weight: 600 } .heading { font-weight: 600 }
      .ground { fill: #ffffff } .bar { fill: #0969da }
      @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .ground { fill: #0d1117 } .bar { fill: #388bfd } }
      </style>
      <rect class="ground" width="100%" height="100%"/>
      <text class="title" x="12" y="26">\(Self.escaped(title))</text>
      \(parts.joined(separator: "\n"))
      </svg>

      """
  }

  private func bar(_ name: String, _ value: Double?, in group: Group, _ y: Double) -> String {
    let base = Self.number(y + 13)
    let label =
      "<text x=\"\(Self.number(Self.left - 8))\" y=\"\(base)\" text-anchor=\"end\">\(Self.escaped(name))</text>"
    guard let value else { return label + "<text x=\"\(Self.number(Self.left))\" y=\"\(base)\">-</text>" }
    let length = max(1, share(value, in: group) * Self.space)
    return label
      + "<rect class=\"bar\" x=\"\(Self.number(Self.left))\" y=\"\(Self.number(y + 2))\" width=\"\(Self.number(length))\" height=\"14\"/>"
      + "<text x=\"\(Self.number(Self.left + length + 6))\" y=\"\(base)\">\(Self.escaped(group.text(value)))</text>"
  }

  private static func number(_ value: Double) -> String { String(format: "%.1f", value) }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }
}
