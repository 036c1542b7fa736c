import CommandSupport
import Foundation
import InstrumentsAnalysis
import OpenCoreData

/// The shapes of the page's timeline, in a space of `width` by `height`.
package struct TimelineChart {
  /// The number of parts into which the time is divided.
  package static let parts = 240
  private static let width = 960.0
  private static let height = 28.0

  private let timeline: Timeline
  private let recording: Recording

  package init(_ timeline: Timeline, _ recording: Recording) {
    self.timeline = timeline
    self.recording = recording
  }

  /// A line of bars for each group.
  package var lanes: [[String: Any]] {
    timeline.lanes.map { lane in
      let most = max(lane.seconds.max() ?? 0, 1e-9)
      let step = Self.width / Double(Self.parts)
      let bars: [[String: Any]] = lane.seconds.indices.filter { lane.seconds[$0] > 0 || lane.counts[$0] > 0 }.map {
        part in
        // The square root makes short times visible beside long ones.
        let high = max((lane.seconds[part] / most).squareRoot() * (Self.height - 2), 1.5)
        return [
          "x": Self.number(Double(part) * step), "y": Self.number(Self.height - high), "w": Self.number(step - 0.4),
          "h": Self.number(high),
        ]
      }
      let count = lane.counts.reduce(0, +)
      return [
        "group": lane.group.rawValue, "title": lane.group.title, "count": count, "bars": bars, "width": Int(Self.width),
        "sum": "\(FigureText.grouped(count)) in \(FigureText.duration(lane.seconds.reduce(0, +)))",
      ]
    }
  }

  /// A curve for each use of memory, each with a scale of its own.
  package var memory: [[String: Any]] {
    guard recording.memory.count > 1 else { return [] }
    return [
      curve("objects", "Live objects", { Double($0.objects) }, { FigureText.count(Int($0), "object") }),
      curve("rowCacheBytes", "Row cache", { Double($0.rowCacheBytes) }, { FigureText.bytes(Int($0)) }),
      curve("residentBytes", "Process", { Double($0.residentBytes) }, { FigureText.bytes(Int($0)) }),
    ]
  }

  private func curve(
    _ name: String, _ title: String, _ value: (CoreDataInstruments.Memory) -> Double, _ text: (Double) -> String
  ) -> [String: Any] {
    let values = recording.memory.map { value($0.memory) }
    let most = values.max() ?? 0
    let duration = max(recording.duration, 1e-9)
    let points = zip(recording.memory, values).map { sample, value in
      let high = most > 0 ? value / most * (Self.height - 3) : 0
      return "\(Self.number(sample.time / duration * Self.width)) \(Self.number(Self.height - 1 - high))"
    }
    let line = "M" + points.joined(separator: " L")
    let start = Self.number((recording.memory.first?.time ?? 0) / duration * Self.width)
    let end = Self.number((recording.memory.last?.time ?? 0) / duration * Self.width)
    return [
      "name": name, "title": title, "line": line, "width": Int(Self.width),
      "area": "\(line) L\(end) \(Self.number(Self.height)) L\(start) \(Self.number(Self.height)) Z",
      "sum": "up to \(text(most))",
    ]
  }

  package var ticks: [String] {
    (0...4).map { $0 == 0 ? "0" : FigureText.duration(recording.duration * Double($0) / 4) }
  }

  private static func number(_ value: Double) -> String {
    let text = String(format: "%.1f", value)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
