import CommandSupport
import CoreDataTools
import Foundation

/// A step of a migration, as a page shows it.
struct MigrateStepContent: Sendable {
  struct Entity: Sendable {
    let name: String
    let formerName: String?
    let change: String
    let table: String
    let method: String
    let objects: String
    let lines: [String]
  }

  struct Count: Sendable {
    let entity: String
    let before: String
    let after: String
    let isSame: Bool
  }

  struct Check: Sendable {
    let text: String
    let violations: String
    let isViolated: Bool
  }

  let heading: String
  let means: String
  let entities: [Entity]
  let hasEntities: Bool
  let isCounted: Bool
  let checks: [Check]
  let hasChecks: Bool
  let lost: [String]
  let hasLost: Bool
  let statements: String?
  let statementCount: String
  let figures: [String]
  let hasFigures: Bool
  let verification: Verification?

  struct Verification: Sendable {
    let isGood: Bool
    let text: String
    let counts: [Count]
    let differences: [String]
    let problems: [String]
  }

  /// - Parameter basis: The store that the plan or report was made with.
  init(_ step: MigrateReport.Step, number: Int, of count: Int, _ basis: PlanBasis, _ secrets: SecretTexts) {
    let isCounted = basis.isCounted
    heading = count > 1 ? "Step \(number): from “\(step.source)” to “\(step.destination)”" : "What is done"
    means =
      step.mappingModel.map { "With the mapping model \(URL(fileURLWithPath: $0).lastPathComponent)." }
      ?? "Lightweight: it follows from the two versions."
    self.isCounted = isCounted
    entities = step.entities.map { Self.entity($0, basis, secrets) }
    hasEntities = !step.entities.isEmpty
    checks =
      step.checks.map { check in
        let violations = check.violations ?? 0
        return Check(
          text: check.text,
          violations: isCounted ? FigureText.count(Int(violations), "row is not", "rows are not") : "not counted yet",
          isViolated: isCounted && violations > 0)
      } + step.conditions.map { Check(text: $0.text, violations: "found out when it is done", isViolated: false) }
    hasChecks = !checks.isEmpty
    lost = isCounted ? step.lost.map { "\($0.name): \(FigureText.count(Int($0.objects ?? 0), "object"))" } : []
    hasLost = !lost.isEmpty
    statements =
      step.statements.isEmpty || !basis.hasStatements
      ? nil : step.statements.map { secrets.statement($0) + ";" }.joined(separator: "\n")
    statementCount = FigureText.count(step.statements.count, "SQL statement")
    figures = [
      isCounted ? step.rowsTouched.map { "about \(FigureText.count(Int($0), "row")) read or written" } : nil,
      step.seconds.map { "took \(FigureText.duration($0))" },
    ].compactMap { $0 }
    hasFigures = !figures.isEmpty
    verification = step.verification.map { Self.verification($0, secrets) }
  }

  private static func entity(
    _ entity: MigrateReport.Entity, _ basis: PlanBasis, _ secrets: SecretTexts
  ) -> Entity {
    Entity(
      name: entity.name, formerName: entity.sourceName, change: entity.change,
      table: basis.hasStatements ? entity.table ?? "" : "", method: basis.hasStatements ? entity.method ?? "" : "",
      objects: basis.isCounted ? entity.objects.map { FigureText.grouped(Int($0)) } ?? "" : "",
      lines: entity.properties.map { line in
        let masked = secrets.line(line, entity: entity.name)
        return entity.sourceName.map { secrets.line(masked, entity: $0) } ?? masked
      })
  }

  private static func verification(
    _ found: MigrateReport.Verification, _ secrets: SecretTexts
  ) -> Verification {
    let compared =
      "\(FigureText.count(found.objects, "object")) and \(FigureText.count(found.values, "value")) were compared in "
      + FigureText.duration(found.seconds)
    let rest = found.differenceCount - found.differences.count
    return Verification(
      isGood: found.isGood,
      text: found.isGood
        ? "\(compared): all is as it must be."
        : "\(compared): \(FigureText.count(found.differenceCount, "difference")), "
          + FigureText.count(found.problems.count, "new problem") + ".",
      counts: found.entities.map { count in
        Count(
          entity: count.entity, before: FigureText.grouped(count.before), after: FigureText.grouped(count.after),
          isSame: count.before == count.after)
      },
      differences: found.differences.map(secrets.difference)
        + (rest > 0 ? ["and \(FigureText.grouped(rest)) more"] : []),
      problems: found.problems)
  }
}
