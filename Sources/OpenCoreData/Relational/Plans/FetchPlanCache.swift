import Foundation
import OpenCocoaFoundation
import Synchronization

/// The statements of the last fetches, which are found again by the identity of their predicate and sort descriptors.
///
/// Predicates are immutable, and the cache keeps its predicates alive, so the same identity means the same statement.
/// The cache only keeps predicates whose constants are immutable, too.
///
/// The type of the statement depends on the kind of store: text and bindings, or a statement that its database has
/// prepared.
package final class FetchPlanCache<Statement: Sendable>: Sendable {
  private let plans = Mutex<[FetchPlan<Statement>]>([])
  private let limit = 32

  package init() {}

  package func find(_ target: FetchTarget, _ result: FetchPlanResult) -> FetchPlan<Statement>? {
    nonisolated(unsafe) let target = target
    return plans.withLock { plans in plans.first { $0.result == result && Self.isSame($0.target, target) } }
  }

  package func keep(_ plan: FetchPlan<Statement>) {
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

  // MARK: Predicates that may be kept

  private static func isLasting(_ predicate: NSPredicate) -> Bool {
    guard StackRoom.isLeft else { return false }
    switch predicate {
    case let compound as OpenCocoaFoundation.NSCompoundPredicate:
      return compound.subpredicates.allSatisfy(isLasting)
    case let comparison as OpenCocoaFoundation.NSComparisonPredicate:
      return isLasting(comparison.leftExpression) && isLasting(comparison.rightExpression)
    default:
      return false
    }
  }

  private static func isLasting(_ expression: OpenCocoaFoundation.NSExpression) -> Bool {
    guard StackRoom.isLeft else { return false }
    return switch expression.node {
    case .evaluatedObject, .variable: true
    // `SUBQUERY(...).@count`: a key path of an operand.
    case .keyPath(_, let operand): operand.map(isLasting) ?? true
    case .subquery(let collection, _, let predicate): isLasting(collection) && isLasting(predicate)
    case .constant(let value): isLasting(value)
    default: false
    }
  }

  private static func isLasting(_ constant: Any?) -> Bool {
    switch constant {
    case nil, is String, is Int, is Double, is Bool, is Date, is UUID: true
    case let value? where isNull(value): true
    // This case comes before the cast to NSNumber, which would first bridge a collection to an NSArray.
    case is any Collection: false
    case let number as NSNumber: !(number is NSDecimalNumber)
    default: false
    }
  }
}

/// The results that a fetch's statement returns.
package enum FetchPlanResult: Sendable { case rows, keys, count }

/// A fetch and its statement.
package final class FetchPlan<Statement: Sendable>: @unchecked Sendable {  // immutable but for the atomic count
  package let target: FetchTarget
  package let result: FetchPlanResult
  package let statement: Statement
  private let count = Atomic<Int>(0)

  package init(target: FetchTarget, result: FetchPlanResult, statement: Statement) {
    self.target = target
    self.result = result
    self.statement = statement
  }

  /// The number of rows in the last result, for which the next run reserves memory.
  package var lastCount: Int {
    get { count.load(ordering: .relaxed) }
    set { count.store(newValue, ordering: .relaxed) }
  }
}

extension SQLFetch {
  /// The fetch of the rows, keys or count that a request asks for.
  package init(_ target: FetchTarget, _ result: FetchPlanResult, model: SQLModel, entity: SQLEntity) {
    self.init(model: model, entity: entity)
    predicate = target.predicate
    sortDescriptors = target.sortDescriptors
    limit = target.limit
    offset = target.offset
    includesSubentities = target.includesSubentities
    rows = target.rows
    switch result {
    case .rows: self.result = .rows
    case .keys: self.result = .keys
    case .count: self.result = .count
    }
  }
}
