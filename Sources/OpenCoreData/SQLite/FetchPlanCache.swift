import CocoaFoundation
import Foundation
import Synchronization

/// The statements of the last fetches, found again by the identity of predicate and sort descriptors.
///
/// Predicates cannot be changed once made, and the cache keeps those it knows alive, so an identity means the same
/// statement. Only predicates whose constants cannot change either are kept.
final class FetchPlanCache: Sendable {
  private struct Plan {
    let target: FetchTarget
    let result: SQLStore.SelectResult
    let statement: SQLStatement
  }

  // Predicates and sort descriptors are immutable and their evaluation is not asked for here.
  private struct Plans: @unchecked Sendable { var all: [Plan] = [] }

  private let plans = Mutex(Plans())
  private let limit = 32

  func find(_ target: FetchTarget, _ result: SQLStore.SelectResult) -> SQLStatement? {
    nonisolated(unsafe) let target = target
    return plans.withLock { plans in
      plans.all.first { $0.result == result && Self.isSame($0.target, target) }?.statement
    }
  }

  func keep(_ statement: SQLStatement, _ target: FetchTarget, _ result: SQLStore.SelectResult) {
    guard target.predicate.map(Self.isLasting) ?? true else { return }
    let plan = Plan(target: target, result: result, statement: statement)
    nonisolated(unsafe) let kept = plan
    plans.withLock { plans in
      if plans.all.count >= limit { plans.all.removeLast() }
      plans.all.insert(kept, at: 0)
    }
  }

  private static func isSame(_ first: FetchTarget, _ second: FetchTarget) -> Bool {
    first.layout === second.layout && first.predicate === second.predicate && first.limit == second.limit
      && first.offset == second.offset && first.includesSubentities == second.includesSubentities
      && first.sortDescriptors.elementsEqual(second.sortDescriptors, by: ===)
  }

  // MARK: What may be kept

  private static func isLasting(_ predicate: NSPredicate) -> Bool {
    switch predicate {
    case let compound as CocoaFoundation.NSCompoundPredicate:
      return compound.subpredicates.allSatisfy(isLasting)
    case let comparison as CocoaFoundation.NSComparisonPredicate:
      return isLasting(comparison.leftExpression) && isLasting(comparison.rightExpression)
    default:
      return false
    }
  }

  private static func isLasting(_ expression: CocoaFoundation.NSExpression) -> Bool {
    switch expression.expressionType {
    case .keyPath, .evaluatedObject, .variable: true
    case .subquery:
      isLasting(expression.predicate)
        && ((expression.collection as? CocoaFoundation.NSExpression).map(isLasting) ?? false)
    case .constantValue: isLasting(expression.constantValue)
    // `SUBQUERY(...).@count`: a key path of an operand.
    case .function:
      (expression.function == "valueForKeyPath:") && (expression.arguments ?? []).allSatisfy(isLasting)
        && isLasting(expression.operand)
    default: false
    }
  }

  private static func isLasting(_ constant: Any?) -> Bool {
    switch constant {
    case nil, is String, is Int, is Double, is Bool, is Date, is UUID, is NSNull: true
    case let number as NSNumber: !(number is NSDecimalNumber)
    default: false
    }
  }
}
