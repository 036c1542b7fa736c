import Foundation
import OpenCocoaFoundation
import Synchronization

/// The statements of the last fetches.
///
/// A fetch finds its plan by the identity of its predicate and sort descriptors. Predicates are immutable, and the
/// cache keeps its predicates alive, so the same identity means the same statement. The cache only keeps predicates
/// whose constants are immutable, too.
///
/// A program that makes its predicates anew for each request finds a statement by the fetch's shape, and gives it other
/// values.
///
/// The type of the statement depends on the kind of store: text and bindings, or a statement that its database has
/// prepared.
package final class FetchPlanCache<Statement: Sendable>: Sendable {
  private let plans = Mutex<[FetchPlan<Statement>]>([])
  private let shapes = ShapedPlans<Statement>()
  private let limit = 32

  package init() {}

  /// Returns the plan for a fetch.
  ///
  /// - Parameters:
  ///   - make: Makes the store's statement of text and bindings.
  ///   - rebind: Makes a statement with the same text and other bindings of one that `make` has made.
  /// - Throws: An error of `SQLLoweringError`, or what `make` and `rebind` throw.
  package func plan(
    _ target: FetchTarget, _ result: FetchPlanResult, model: SQLModel, entity: SQLEntity,
    make: (SQLStatement) throws -> Statement, rebind: (Statement, [SQLValue]) throws -> Statement
  ) throws -> FetchPlan<Statement> {
    func lower(_ predicate: NSPredicate?) throws -> SQLStatement {
      var fetch = SQLFetch(target, result, model: model, entity: entity)
      fetch.predicate = predicate
      return try fetch.statement().statement
    }
    // The rows that a fetch takes or leaves out are another set each time.
    guard target.rows == nil else {
      return FetchPlan(target: target, result: result, statement: try make(lower(target.predicate)))
    }
    if let known = find(target, result) { return known }
    let shaped = ShapeReading.read(target, result, model)
    if let shaped, let known = shapes.find(shaped.shape) {
      let statement = try rebind(known.statement, known.template.values(for: shaped.constants))
      let plan = FetchPlan(target: target, result: result, statement: statement, count: known.count)
      if shapes.isRepeated(shaped.shape, target.predicate) { keep(plan) }
      return plan
    }
    let lowered = try lower(target.predicate)
    let plan = FetchPlan(target: target, result: result, statement: try make(lowered))
    if let shaped, shapes.isWanted(shaped.shape) {
      shapes.keep(template(of: target, lowered, shaped.constants, model, lower), plan, for: shaped.shape)
    }
    keep(plan)
    return plan
  }

  /// Returns where the values of the statement's variables come from; nil if its text depends on the constants.
  private func template(
    of target: FetchTarget, _ lowered: SQLStatement, _ constants: [ShapeConstant], _ model: SQLModel,
    _ lower: (NSPredicate?) throws -> SQLStatement
  ) -> StatementTemplate? {
    // The fetch's own statement is made already. A sample that cannot be lowered means that there is no template.
    guard let sample = target.predicate.flatMap({ ShapeSample.make(of: $0, constants, model) }),
      let statement = try? lower(sample.predicate)
    else { return nil }
    return StatementTemplate(lowered, constants, sample: statement, sample.marks)
  }

  private func find(_ target: FetchTarget, _ result: FetchPlanResult) -> FetchPlan<Statement>? {
    nonisolated(unsafe) let target = target
    return plans.withLock { plans in plans.first { $0.result == result && Self.isSame($0.target, target) } }
  }

  private func keep(_ plan: FetchPlan<Statement>) {
    guard plan.target.predicate.map(Self.isLasting) ?? true else { return }
    plans.withLock { plans in
      if plans.count >= limit { plans.removeLast() }
      plans.insert(plan, at: 0)
    }
  }

  private static func isSame(_ first: FetchTarget, _ second: FetchTarget) -> Bool {
    first.layout === second.layout && first.predicate === second.predicate && first.limit == second.limit
      && first.offset == second.offset && first.includesSubentities == second.includesSubentities
      && first.sortDescriptors.elementsEqual(second.sortDescriptors, by: ===)
  }
}
