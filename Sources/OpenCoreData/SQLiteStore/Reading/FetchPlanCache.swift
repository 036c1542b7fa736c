import Foundation
import OpenCocoaFoundation
import Synchronization

/// The statements of the last fetches, found again by the identity of predicate and sort descriptors.
///
/// Predicates cannot be changed once made, and the cache keeps those it knows alive, so an identity means the same
/// statement. Only predicates whose constants cannot change either are kept.
final class FetchPlanCache: Sendable {
  private let plans = Mutex<[FetchPlan]>([])
  private let limit = 32

  func find(_ target: FetchTarget, _ result: SQLiteStore.SelectResult) -> FetchPlan? {
    nonisolated(unsafe) let target = target
    return plans.withLock { plans in plans.first { $0.result == result && Self.isSame($0.target, target) } }
  }

  func keep(_ plan: FetchPlan) {
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

  // MARK: What may be kept

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
    // Before a number is looked for in it, which would first make an NSArray of it.
    case is any Collection: false
    case let number as NSNumber: !(number is NSDecimalNumber)
    default: false
    }
  }
}

/// A fetch and its statement.
final class FetchPlan: @unchecked Sendable {  // immutable but for the atomic count
  let target: FetchTarget
  let result: SQLiteStore.SelectResult
  let statement: SQLStatement
  private let count = Atomic<Int>(0)

  init(target: FetchTarget, result: SQLiteStore.SelectResult, statement: SQLStatement) {
    self.target = target
    self.result = result
    self.statement = statement
  }

  /// How many rows the fetch gave the last time, to make room for them.
  var lastCount: Int {
    get { count.load(ordering: .relaxed) }
    set { count.store(newValue, ordering: .relaxed) }
  }
}
