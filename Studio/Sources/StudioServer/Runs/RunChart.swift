import Foundation

/// A comparison as bars, in a space of `width` by `height`.
struct RunChart {
  struct Bar {
    let label: String
    let wholeLabel: String
    let value: String
    let y: Double
    let textY: Double
    let width: Double
    let valueX: Double
    /// The number of the bar's colour.
    let colour: Int
  }

  struct Heading {
    let text: String
    let y: Double
  }

  let headings: [Heading]
  let bars: [Bar]
  let height: Double
  let label: String
  /// The meanings of the colours; empty if there is one colour.
  let legend: [(title: String, colour: Int)]

  static let width = 760.0
  private static let left = 240.0
  private static let space = 410.0
  private static let step = 24.0

  init(_ comparison: RunComparison) {
    let most = max(comparison.series.flatMap(\.values.values).max() ?? 0, 1e-12)
    let isSingle = comparison.series.count == 1
    var y = 0.0, bars: [Bar] = [], headings: [Heading] = []
    for name in comparison.measures {
      if !isSingle {
        headings.append(Heading(text: name, y: y + 17))
        y += Self.step
      }
      for (place, series) in comparison.series.enumerated() {
        guard let value = series.values[name] else { continue }
        let label = isSingle ? name : series.title
        let width = (value / most * Self.space * 10).rounded() / 10
        bars.append(
          Bar(
            label: Self.shortened(label), wholeLabel: label, value: comparison.figure.text(value), y: y, textY: y + 14,
            width: max(width, 1), valueX: Self.left + max(width, 1) + 8, colour: isSingle ? 0 : place))
        y += Self.step
      }
      if !isSingle { y += 8 }
    }
    (self.bars, self.headings, height) = (bars, headings, max(y, Self.step))
    legend = isSingle ? [] : comparison.series.enumerated().map { ($1.title, $0) }
    label = comparison.measures.map { name in
      let parts = comparison.series.compactMap { series in
        series.values[name].map { (isSingle ? "" : series.title + " ") + comparison.figure.text($0) }
      }
      return "\(name): \(parts.joined(separator: ", "))"
    }.joined(separator: "; ")
  }

  /// Returns the text, shortened to the available width.
  private static func shortened(_ text: String) -> String { text.count <= 34 ? text : text.prefix(33) + "…" }

  /// The values for the template.
  var content: [String: Any] {
    [
      "headings": headings, "bars": bars, "height": Int(height), "width": Int(Self.width), "left": Int(Self.left),
      "label": label,
    ]
  }
}
