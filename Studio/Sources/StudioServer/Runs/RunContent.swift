import CommandSupport
import CoreDataTools
import Foundation

/// A run, as pages show it.
struct RunContent {
  struct Fact {
    let title: String
    let text: String
  }

  struct Row {
    let name: String
    let time: String
    let statements: String
    let rows: String
    let faults: String
    let cacheHits: String
    let memory: String
    let result: String
    let share: String
  }

  struct Table {
    let title: String
    let rows: [Row]
  }

  struct Found {
    let sentence: String
    let facts: String
    let advice: String
    let kind: String
  }

  let id: String
  let title: String
  let link: String
  let started: String
  let facts: [Fact]
  let tables: [Table]
  let failed: [String]
  /// The findings of the run's recording; empty without a recording.
  let findings: [Found]
  let recordingLinks: [String]

  /// The maximal number of findings shown with a run.
  private static let findingsShown = 5

  init(_ run: RunRecord, findings: [Found] = [], recording: String? = nil) {
    id = run.id
    title = run.title
    link = Link.path("tests", "runs", run.id)
    started = run.started.formatted(Date.ISO8601FormatStyle())
    facts =
      [
        Fact(title: "Began", text: started), Fact(title: "Took", text: FigureText.duration(run.seconds)),
        Fact(title: "Processor's time", text: FigureText.duration(run.processorSeconds)),
        Fact(title: "Memory, at most", text: FigureText.bytes(run.peakBytes)),
      ] + run.settings.map { Fact(title: $0.title, text: $0.values.joined(separator: ", ")) }
    tables = run.series.map { series in
      let most = max(series.measures.map(\.seconds).max() ?? 0, 1e-12)
      func number(_ value: Int?) -> String { value.map(FigureText.grouped) ?? "" }
      return Table(
        title: series.title,
        rows: series.measures.map { measure in
          Row(
            name: measure.name, time: FigureText.duration(measure.seconds), statements: number(measure.statements),
            rows: number(measure.rows), faults: number(measure.faults), cacheHits: number(measure.cacheHits),
            memory: measure.bytes.map(FigureText.bytes) ?? "", result: measure.result ?? "",
            share: String(format: "%.1f", measure.seconds / most * 100))
        })
    }
    failed = run.failure.map { [$0] } ?? []
    self.findings = findings
    recordingLinks = recording.map { [Link.path("recordings", $0)] } ?? []
  }

  /// Returns the findings of a run's recording.
  static func findings(of recording: URL) throws -> [Found] {
    try RecordingFile(recording).report(tree: false, statements: false).findings.prefix(findingsShown).map { finding in
      var advice = finding.advice
      if let prefetch = finding.prefetch, let fetch = finding.fetch {
        advice = "Prefetch it in \(fetch): request.relationshipKeyPathsForPrefetching = \(prefetch)"
      }
      return Found(sentence: finding.title, facts: finding.facts, advice: advice, kind: finding.kind.rawValue)
    }
  }
}
