import CommandSupport
import CoreDataTools
import Foundation

/// The result of a verification, as a page shows it.
struct VerificationContent {
  struct Problem {
    let severity: String
    let place: String
    let text: String
    let count: String
    let examples: [Example]
  }

  struct Example {
    let text: String
    /// The page of the object that the example names; nil if it names no object.
    let link: String?
  }

  let isSound: Bool
  let errors: String
  let warnings: String
  let problems: [Problem]

  init(_ report: StoreVerifyReport, _ store: String) {
    isSound = report.problems.isEmpty
    errors = FigureText.count(report.errors, "error")
    warnings = FigureText.count(report.warnings, "warning")
    problems = report.problems.map { problem in
      Problem(
        severity: problem.severity, place: problem.place, text: problem.text,
        count: FigureText.grouped(problem.count),
        examples: problem.examples.map { example in
          // The example is a reference such as `Person/p1`, or a row in the same form.
          let reference = ObjectReference(example)
          return Example(text: example, link: reference.map { Link.object(store, $0.description) })
        })
    }
  }
}
