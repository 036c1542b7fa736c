import CommandSupport
import CoreDataTools

/// An explanation as a page shows it.
struct ExplanationContent {
  struct Figures {
    let total: String
    let examined: String
    let found: String
    /// The examined rows as a percentage of all rows.
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
  /// Whether an index can be tried, which is done in a copy of a SQLite file.
  let canTry: Bool
  let figures: Figures?
  let time: String

  init(_ report: ExplainReport, _ kind: StoreKind, time: String) {
    sql = report.sql
    bindings = report.bindings.enumerated().map { "?\($0.offset + 1) = \($0.element)" }
    steps = report.steps
    plan = report.plan.joined(separator: "\n")
    indexes = report.indexes
    advice = report.advice
    isMissing = report.missing != nil
    missing = (report.missing ?? []).joined(separator: ",")
    missingWords = (report.missing ?? []).joined(separator: ", ")
    canTry = isMissing && kind.isSQLite
    figures = report.rows.map { rows in
      Figures(
        total: FigureText.grouped(rows.total), examined: FigureText.grouped(rows.examined),
        found: FigureText.grouped(rows.found),
        share: rows.total == 0 ? 0 : Double(rows.examined) / Double(rows.total) * 100)
    }
    self.time = time
  }
}
