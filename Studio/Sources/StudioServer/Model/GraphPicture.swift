import Foundation

/// Draws a model as SVG, with boxes whose positions are known. Colours come from the style sheet, which has a light and a
/// dark theme.
struct GraphPicture {
  let sketch: ModelSketch
  let places: GraphLayout.Places

  private static let margin = 14.0

  /// Returns the picture as SVG; all texts of the model are escaped.
  func svg(title: String, description: String) -> String {
    let width = number(places.width + Self.margin * 2), height = number(places.height + Self.margin * 2)
    let lines = zip(sketch.lines, places.lines).map { drawn($0, $1.curve, $1.label) }
    let boxes = zip(sketch.boxes, places.boxes).map(drawn)
    return """
      <svg class="model-graph" role="group" aria-labelledby="graph-name graph-text" width="\(width)" height="\(height)" \
      viewBox="\(number(-Self.margin)) \(number(-Self.margin)) \(width) \(height)">
      <title id="graph-name">\(Self.escaped(title))</title><desc id="graph-text">\(Self.escaped(description))</desc>
      \(Self.markers)
      \(lines.joined(separator: "\n"))
      \(boxes.joined(separator: "\n"))
      </svg>
      """
  }

  /// The ends of lines: a crow's foot for a to-many relationship, a bar for a to-one relationship, a hollow arrow at a
  /// superentity. Each marker ends at the edge of the box.
  private static let markers = """
    <defs>
    <marker id="end-many" viewBox="0 0 12 12" refX="12" refY="6" markerWidth="12" markerHeight="12" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path class="line" d="M0 6 12 1M0 6H12M0 6 12 11"/></marker>
    <marker id="end-one" viewBox="0 0 12 12" refX="12" refY="6" markerWidth="12" markerHeight="12" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path class="line" d="M7 1V11"/></marker>
    <marker id="end-parent" viewBox="0 0 12 12" refX="12" refY="6" markerWidth="12" markerHeight="12" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path class="hollow" d="M1 1 11.5 6 1 11Z"/></marker>
    </defs>
    """

  // MARK: Boxes

  private func drawn(_ box: ModelSketch.Box, _ middle: GraphLayout.Point) -> String {
    let left = middle.x - box.width / 2, top = middle.y - box.height / 2
    var parts = [
      """
      <a class="entity\(box.isAbstract ? " abstract" : "")" href="\(Self.escaped(box.link))" \
      aria-label="\(Self.escaped("Entity \(box.title)"))">
      """,
      rectangle("box", left, top, box.width, box.height),
      rectangle("name", left, top, box.width, ModelSketch.titleHeight),
      text("title", left + 11, top + 19, box.title),
    ]
    for (index, line) in box.lines.enumerated() {
      let y = top + ModelSketch.titleHeight + 17 + Double(index) * ModelSketch.lineHeight
      parts.append(text("attribute", left + 11, y, line))
    }
    return parts.joined() + "</a>"
  }

  private func rectangle(_ name: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double) -> String {
    "<rect class=\"\(name)\" x=\"\(number(x))\" y=\"\(number(y))\" width=\"\(number(width))\" height=\"\(number(height))\" rx=\"5\"/>"
  }

  private func text(_ name: String, _ x: Double, _ y: Double, _ text: String) -> String {
    "<text class=\"\(name)\" x=\"\(number(x))\" y=\"\(number(y))\">\(Self.escaped(text))</text>"
  }

  // MARK: Lines

  private func drawn(_ line: ModelSketch.Line, _ curve: [GraphLayout.Point], _ label: GraphLayout.Point?) -> String {
    let (source, destination) = (sketch.boxes[line.source].title, sketch.boxes[line.destination].title)
    let path =
      "M\(pair(curve[0]))" + (curve.count > 1 ? "C" : "") + curve.dropFirst().map(pair).joined(separator: " ")
    guard let forward = line.forward else {
      return """
        <g class="inheritance"><title>\(Self.escaped("\(destination) inherits from \(source)"))</title>\
        <path class="line" d="\(path)" marker-start="url(#end-parent)"/></g>
        """
    }
    let start = line.backward.map { " marker-start=\"url(#\($0.isToMany ? "end-many" : "end-one"))\"" } ?? ""
    var parts = [
      "<g class=\"relationship\"><title>\(Self.escaped("\(source).\(forward.name)"))</title>",
      "<path class=\"line\" d=\"\(path)\"\(start) marker-end=\"url(#\(forward.isToMany ? "end-many" : "end-one"))\"/>",
    ]
    if let label {
      let arrows = arrows(from: places.boxes[line.source], to: places.boxes[line.destination])
      let texts = [(forward, arrows.forward), line.backward.map { ($0, arrows.backward) }].compactMap { $0 }
      let top = label.y - Double(texts.count - 1) * ModelSketch.labelHeight / 2 + 4
      for (index, (end, arrow)) in texts.enumerated() {
        parts.append(
          text("label", label.x, top + Double(index) * ModelSketch.labelHeight, "\(Self.cut(end.text)) \(arrow)"))
      }
    }
    return parts.joined() + "</g>"
  }

  /// Returns arrows for the directions in which a relationship and its inverse lead in the picture.
  private func arrows(
    from source: GraphLayout.Point, to destination: GraphLayout.Point
  ) -> (forward: String, backward: String) {
    if source == destination { return ("\u{21BB}", "\u{21BA}") }
    if abs(source.x - destination.x) < 1 {
      return source.y < destination.y ? ("\u{2193}", "\u{2191}") : ("\u{2191}", "\u{2193}")
    }
    return source.x < destination.x ? ("\u{2192}", "\u{2190}") : ("\u{2190}", "\u{2192}")
  }

  // MARK: Texts

  private func pair(_ point: GraphLayout.Point) -> String { "\(number(point.x)),\(number(point.y))" }

  private func number(_ value: Double) -> String { String(format: "%.1f", value) }

  /// Shortens a name. Names may be of any length; the list beside the picture has them in full.
  static func cut(_ text: String) -> String {
    let line = String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    return line.count > 42 ? line.prefix(41) + "\u{2026}" : line
  }

  /// Returns a text for SVG inside of HTML, without the control characters that both formats forbid.
  static func escaped(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      scalars.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
    }
    var html = HTMLText()
    html.escaped(String(scalars))
    return html.html
  }
}
