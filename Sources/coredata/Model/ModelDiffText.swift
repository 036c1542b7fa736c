import CoreDataTools

/// The differences of two models for people.
enum ModelDiffText {
  static func text(of report: ModelDiffReport) -> String {
    var lines = ["\(report.source) -> \(report.destination)", ""]
    for entity in report.entities where entity.change != "same" {
      lines.append(line(entity.change, entity.name, was: entity.sourceName))
      lines += entity.aspects.map { "    " + text($0) }
      for property in entity.properties { lines += text(property).map { "    " + $0 } }
    }
    lines += report.aspects.map { "~ " + text($0) }
    if lines.count == 2 { lines.append("The models are the same.") }
    let rehashed = report.entities.filter { $0.changesHash }.map(\.name)
    if !rehashed.isEmpty { lines += ["", "Version hashes that differ: \(rehashed.joined(separator: ", "))"] }
    return (lines + ["", text(report.migration)]).joined(separator: "\n")
  }

  private static func line(_ change: String, _ name: String, was sourceName: String?) -> String {
    let sign = ["added": "+", "removed": "-", "renamed": ">"][change] ?? "~"
    return "\(sign) \(name)" + (sourceName.map { " (was \($0))" } ?? "")
  }

  private static func text(_ property: ModelDiffReport.Property) -> [String] {
    let line = line(property.change, property.name, was: property.sourceName)
    if let summary = property.summary { return ["\(line): \(summary)"] }
    return [line] + property.aspects.map { "    " + text($0) }
  }

  private static func text(_ aspect: ModelDiffReport.Aspect) -> String {
    "\(aspect.name): \(aspect.source ?? "none") -> \(aspect.destination ?? "none")"
  }

  private static func text(_ migration: ModelDiffReport.Migration) -> String {
    guard migration.isNeeded else { return "No migration is needed: stores of the one open with the other." }
    func lines(_ obstacles: [ModelDiffReport.Obstacle]) -> [String] {
      obstacles.map { "  \([$0.entity, $0.property].compactMap { $0 }.joined(separator: ".")): \($0.reason)" }
    }
    guard migration.isLightweight else {
      return (["A lightweight migration cannot do it:"] + lines(migration.obstacles)).joined(separator: "\n")
    }
    if migration.conditions.isEmpty { return "A lightweight migration can do it." }
    return (["A lightweight migration can do it, provided that:"] + lines(migration.conditions))
      .joined(separator: "\n")
  }
}
