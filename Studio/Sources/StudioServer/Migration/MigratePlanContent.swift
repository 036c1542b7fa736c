import CommandSupport
import CoreDataTools
import Foundation

/// A plan, a rehearsal or a migration, as a page shows it.
struct MigratePlanContent: Sendable {
  let isUpToDate: Bool
  let way: String
  let steps: [MigrateStepContent]
  let hasSteps: Bool
  let notes: [String]
  let hasProblems: Bool
  /// The place of the old store after the migration.
  let backup: String?
  let time: String?
  /// Whether the figures come from the store itself, and not from an empty one.
  let isOfStore: Bool
  /// Whether the store has tables and statements of its own kind, which only a plan with the store itself shows.
  let lacksStatements: Bool

  init(_ report: MigrateReport, _ basis: PlanBasis, _ secrets: SecretTexts) {
    isUpToDate = report.isUpToDate
    way =
      "From “\(report.source)” to “\(report.destination)”"
      + (report.configuration.map { ", configuration \($0)" } ?? "")
      + (report.steps.count > 1 ? ", in \(FigureText.count(report.steps.count, "step"))" : "")
    steps = report.steps.enumerated().map {
      MigrateStepContent($1, number: $0 + 1, of: report.steps.count, basis, secrets)
    }
    hasSteps = !report.steps.isEmpty
    notes = report.notes.map { PlainWords.reworded($0) }
    hasProblems = report.hasProblems
    backup = report.backup
    time = report.seconds.map(FigureText.duration)
    isOfStore = basis.isCounted
    lacksStatements = !basis.hasStatements
  }

  /// Creates a plan without steps, because none are necessary or because they are not known yet.
  init(isUpToDate: Bool) {
    self.isUpToDate = isUpToDate
    (way, steps, hasSteps, notes, hasProblems) = ("", [], false, [], false)
    (backup, time, isOfStore, lacksStatements) = (nil, nil, false, false)
  }
}
