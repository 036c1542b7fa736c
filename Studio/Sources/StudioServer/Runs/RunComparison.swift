import Foundation

/// Measures of the same name from several runs, or of several stores of one run.
struct RunComparison: Sendable {
  struct Series: Sendable {
    let title: String
    /// The values, by the name of the measure.
    let values: [String: Double]
  }

  let figure: RunFigure
  let series: [Series]
  /// The names of the measures, in the order of the first run that has them.
  let measures: [String]

  /// The maximal number of series that are drawn; with more, colours would repeat.
  static let limit = 9

  init(_ runs: [RunRecord], by figure: RunFigure) {
    self.figure = figure
    let labels = Self.labels(runs)
    var names: [String] = [], known: Set<String> = [], series: [Series] = []
    for (run, label) in zip(runs, labels) {
      for part in run.series {
        let values = part.measures.compactMap { measure in figure.value(measure).map { (measure.name, $0) } }
        for (name, _) in values where known.insert(name).inserted { names.append(name) }
        let words = [runs.count > 1 ? label : nil, run.series.count > 1 || runs.count == 1 ? part.title : nil]
        series.append(
          Series(
            title: words.compactMap(\.self).joined(separator: ": "),
            values: Dictionary(values) { first, _ in first }))
      }
    }
    let shown = Array(series.prefix(Self.limit))
    self.series = shown
    measures = names.filter { name in shown.contains { $0.values[name] != nil } }
  }

  /// Returns the labels of runs: the settings that differ, or the time of the start if none differs.
  static func labels(_ runs: [RunRecord]) -> [String] {
    let names = runs.flatMap { $0.settings.map(\.name) }.reduce(into: [String]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    let isOneProgram = Set(runs.map(\.program)).count == 1
    let differing = names.filter { name in Set(runs.map { Self.values($0, name) }).count > 1 }
    var labels = runs.map { run in
      let words = differing.compactMap { name -> String? in
        let title =
          run.settings.first { $0.name == name }?.title
          ?? runs.lazy.flatMap(\.settings).first { $0.name == name }?.title ?? name
        let values = Self.values(run, name)
        if name == "test" { return values.count <= 2 && !values.isEmpty ? values.joined(separator: ", ") : nil }
        return "\(title.lowercased()) \(values.isEmpty ? "as usual" : values.joined(separator: ", "))"
      }
      return ((isOneProgram ? [] : [run.title]) + (isOneProgram ? words : [])).joined(separator: ", ")
    }
    for place in labels.indices where labels[place].isEmpty || labels.count(where: { $0 == labels[place] }) > 1 {
      let time = runs[place].started.formatted(Date.ISO8601FormatStyle())
      labels[place] = (labels[place].isEmpty ? [time] : [labels[place], time]).joined(separator: ", ")
    }
    return labels
  }

  private static func values(_ run: RunRecord, _ name: String) -> [String] {
    run.settings.first { $0.name == name }?.values ?? []
  }
}
