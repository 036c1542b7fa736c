import Foundation
import OpenCocoaFoundation

// Predicates that the cache may keep: their constants are immutable.
extension FetchPlanCache {
  static func isLasting(_ predicate: NSPredicate) -> Bool {
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
