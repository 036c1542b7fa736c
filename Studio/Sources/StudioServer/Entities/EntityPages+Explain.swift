import CommandSupport
import CoreDataTools
import Foundation
import HTTPTypes
import Hummingbird

// What the database does for a view, and what an index would do.
extension EntityPages {
  /// The explanation of a view: a part of its page, and a page of its own without scripts.
  func explanation(_ view: EntityView) async throws -> Response {
    let store = try studio.stores.named(view.store)
    let clock = ContinuousClock()
    do {
      let (report, time) = try await store.read { reader in
        let start = clock.now
        try reader.rows(of: view.query(in: reader)) { _, _ in }
        let time = clock.now - start
        return (try reader.explain(view.query(), countsRows: true), time)
      }
      return try studio.page(
        "explain", "What the database does", .entity(store: view.store, view.entity),
        ["view": ViewContent(view), "explanation": ExplanationContent(report, time: Self.milliseconds(time))])
    } catch let mistake as PredicateMistake {
      return try studio.page(
        "explain", "What the database does", .entity(store: view.store, view.entity), status: .badRequest,
        ["view": ViewContent(view), "mistake": ["message": mistake.message, "caret": mistake.caret]])
    }
  }

  /// Tries an index in a copy of the store.
  func tryIndex(_ view: EntityView, _ form: Form) async throws -> Response {
    let store = try studio.stores.named(view.store)
    let properties = (form["properties"] ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    guard !properties.isEmpty else {
      throw StudioError(.badRequest, "No properties were named", "Expected their names, separated by commas.")
    }
    let templates = studio.templates
    let job = try studio.jobs.start(
      "Index of \(view.entity) by \(properties.joined(separator: ", "))", origin: view.link(),
      section: .entity(store: view.store, view.entity)
    ) { job in
      let trial = try await store.readAtLength { reader in
        try reader.tryIndex(
          properties, entity: view.entity, for: view.query(in: reader),
          progress: { try? job.report($0) }, isCancelled: { job.isStopped })
      }
      return try templates.text("trial", ["trial": TrialContent(trial), "view": ViewContent(view)])
    }
    return Response.redirect(to: job.link)
  }
}

/// An explanation as a page shows it.
private struct ExplanationContent {
  struct Figures {
    let total: String
    let examined: String
    let found: String
    /// Rows that are looked at for each that is found.
    let share: Double
  }

  let sql: String
  let bindings: [String]
  let steps: [String]
  let plan: String
  let indexes: [String]
  let advice: String
  let isMissing: Bool
  let missing: String
  let missingWords: String
  let figures: Figures?
  let time: String

  init(_ report: ExplainReport, time: String) {
    sql = report.sql
    bindings = report.bindings.enumerated().map { "?\($0.offset + 1) = \($0.element)" }
    steps = report.steps
    plan = report.plan.joined(separator: "\n")
    indexes = report.indexes
    advice = report.advice
    isMissing = report.missing != nil
    missing = (report.missing ?? []).joined(separator: ",")
    missingWords = (report.missing ?? []).joined(separator: ", ")
    figures = report.rows.map { rows in
      Figures(
        total: FigureText.grouped(rows.total), examined: FigureText.grouped(rows.examined),
        found: FigureText.grouped(rows.found),
        share: rows.total == 0 ? 0 : Double(rows.examined) / Double(rows.total) * 100)
    }
    self.time = time
  }
}

/// What trying an index has shown.
private struct TrialContent {
  let properties: String
  let before: String
  let after: String
  let factor: String
  let size: String
  let making: String
  let planBefore: [String]
  let planAfter: [String]
  let isFaster: Bool
  /// The lengths of the chart's bars, and where their figures stand.
  let widthBefore: Int
  let widthAfter: Int
  let textBefore: Int
  let textAfter: Int

  /// Where bars begin, and how long the longest is.
  private static let (start, longest) = (90, 440.0)

  init(_ trial: IndexTrial) {
    let (without, with) = (trial.before.seconds, trial.after.seconds)
    properties = trial.properties.joined(separator: ", ")
    before = FigureText.duration(without)
    after = FigureText.duration(with)
    let ratio = without / max(with, 1e-9)
    factor = ratio >= 10 ? String(format: "%.0f", ratio) : String(format: "%.1f", ratio)
    isFaster = ratio > 1.1
    size = FigureText.bytes(trial.indexBytes)
    making = FigureText.duration(trial.makingSeconds)
    (planBefore, planAfter) = (trial.before.steps, trial.after.steps)
    let most = max(without, with, 1e-9)
    widthBefore = max(Int(without / most * Self.longest), 1)
    widthAfter = max(Int(with / most * Self.longest), 1)
    (textBefore, textAfter) = (Self.start + widthBefore + 8, Self.start + widthAfter + 8)
  }
}
