import CommandSupport
import CoreDataTools
import Foundation

/// The report for people.
enum MigrateText {
  static func text(of report: MigrateReport) -> String {
    var lines = ["\(report.store) (\(report.kind.rawValue))"]
    if let configuration = report.configuration { lines[0] += ", configuration \(configuration)" }
    lines += report.notes.map { "Note: \($0)" }
    if report.isUpToDate {
      return (lines + ["The store is of “\(report.destination)” already: nothing to do."]).joined(separator: "\n")
    }
    for (index, step) in report.steps.enumerated() {
      let count = report.steps.count > 1 ? "Step \(index + 1) of \(report.steps.count): " : ""
      lines += ["", "\(count)“\(step.source)” -> “\(step.destination)”: \(means(step))"]
      lines += report.action == .plan ? plan(step, report) : outcome(step)
    }
    lines += [""] + ending(report)
    return lines.joined(separator: "\n")
  }

  private static func means(_ step: MigrateReport.Step) -> String {
    if let mapping = step.mappingModel { return "by the mapping model \(mapping)" }
    return "lightweight"
  }

  // MARK: The plan

  private static func plan(_ step: MigrateReport.Step, _ report: MigrateReport) -> [String] {
    var lines = [
      step.isLightweight
        ? "  Every change follows from the two versions: "
          + (report.kind.isDatabase ? "done in place, in one transaction." : "the file is written anew.")
        : "  Not lightweight: a mapping model says how. All objects are made anew in a store beside this one, which "
          + "then takes its place."
    ]
    let (same, other) = (step.entities.filter(isUntouched), step.entities.filter { !isUntouched($0) })
    for entity in other {
      let name = entity.sourceName.map { "\($0) > \(entity.name)" } ?? entity.name
      let table = entity.table.map { ", table \($0) \(entity.method ?? "")" } ?? ""
      lines.append("  \(name): \(entity.change)\(table)\(entity.objects.map { ", " + objects($0) } ?? "")")
      lines += entity.properties.map { "    \($0)" }
    }
    if !same.isEmpty {
      let total = same.reduce(0) { $0 + ($1.objects ?? 0) }
      let names = same.map(\.name).joined(separator: ", ")
      lines.append("  As before (\(objects(total))): \(names)")
    }
    lines += losses(step)
    let bad = step.checks.filter { $0.violations ?? 0 > 0 }
    lines += bad.map { "  IN THE WAY: \($0.text) (\(rows($0.violations ?? 0)))" }
    lines += step.checks.filter { $0.violations == 0 }.map { "  Checked, and no row is in the way: \($0.text)" }
    // The conditions whose violations SQL can count are in the list of checks already.
    let others = step.conditions.filter { condition in
      !step.checks.contains { ($0.entity, $0.property) == (condition.entity, condition.property) }
    }
    lines += others.map { "  Provided that: \($0.text)" }
    if !step.statements.isEmpty {
      lines.append("  SQL, which touches about \(rows(step.rowsTouched ?? 0)):")
      lines += step.statements.map { "    \($0);" }
    }
    return lines
  }

  private static func isUntouched(_ entity: MigrateReport.Entity) -> Bool {
    entity.change == "copied" && entity.properties.isEmpty && ["untouched", nil].contains(entity.method)
  }

  /// Returns a line for each entity whose objects are lost because the destination model does not have the entity.
  private static func losses(_ step: MigrateReport.Step) -> [String] {
    step.lost.map { "  LOST: \(objects($0.objects ?? 0)) of \($0.name), which “\(step.destination)” does not have." }
  }

  // MARK: What was done

  private static func outcome(_ step: MigrateReport.Step) -> [String] {
    var lines: [String] = []
    if let seconds = step.seconds { lines.append("  Migrated in \(FigureText.seconds(seconds)) s.") }
    lines += losses(step)
    guard let verification = step.verification else { return lines }
    var table = TextTable(
      columns: [.init("Entity"), .init("Before", .right), .init("After", .right)])
    table.rows = verification.entities.map {
      [$0.entity, FigureText.grouped($0.before), FigureText.grouped($0.after)]
    }
    lines += table.text.split(separator: "\n").map { "    \($0)" }
    let compared =
      "\(FigureText.grouped(verification.values)) values of \(objects(Int64(verification.objects)))"
    let time = "in \(FigureText.seconds(verification.seconds)) s"
    if verification.isGood {
      lines.append("  Verified \(time): \(compared) are as they must be.")
    } else {
      lines.append("  NOT VERIFIED: of \(compared), compared \(time), \(verification.differenceCount) differ.")
      lines += verification.differences.map { "    \($0)" }
      let rest = verification.differenceCount - verification.differences.count
      if rest > 0 { lines.append("    and \(FigureText.grouped(rest)) more") }
      lines += verification.problems.map { "    new problem: \($0)" }
    }
    return lines
  }

  private static func ending(_ report: MigrateReport) -> [String] {
    let time = report.seconds.map { " in \(FigureText.seconds($0)) s" } ?? ""
    switch report.action {
    case .plan:
      return [
        report.hasProblems
          ? "The migration would fail. Nothing was changed."
          : "Nothing was changed. --rehearse tries it with a copy."
      ]
    case .rehearsal:
      let outcome = report.hasProblems ? "The rehearsal has found differences" : "The rehearsal went well"
      return ["\(outcome): a copy was migrated\(time) and thrown away. The store is as it was."]
    case .migration where report.hasProblems:
      let backup = report.backup.map { ", which is at \($0), too" } ?? ""
      return ["Something is not as it must be: the old store was put back\(backup)."]
    case .migration:
      let backup = report.backup.map { "The store as it was: \($0)" } ?? "There is no backup."
      return ["Migrated to “\(report.destination)”\(time).", backup]
    }
  }

  private static func objects(_ count: Int64) -> String {
    "\(FigureText.grouped(Int(count))) \(count == 1 ? "object" : "objects")"
  }

  private static func rows(_ count: Int64) -> String {
    "\(FigureText.grouped(Int(count))) \(count == 1 ? "row" : "rows")"
  }
}
