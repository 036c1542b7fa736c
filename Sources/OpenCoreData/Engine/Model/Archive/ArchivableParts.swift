import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// Decides which objects a model archive can hold. An archiver would stop the program for any other object.
enum ArchivableParts {
  /// Whether a predicate, expression or sort descriptor, with all that it is made of, can be archived.
  static func contains(_ object: NSObject) -> Bool {
    switch object {
    case let predicate as NSPredicate: contains(predicate)
    case let expression as NSExpression: contains(expression)
    case let descriptor as NSSortDescriptor: descriptor.key != nil && descriptor.selector != nil
    default: false
    }
  }

  private static func contains(_ predicate: NSPredicate) -> Bool {
    switch predicate.node {
    case .boolean: true
    case .comparison(let comparison):
      contains(comparison.leftExpression) && contains(comparison.rightExpression)
    case .compound(_, let subpredicates): subpredicates.allSatisfy { contains($0) }
    case .block, .custom: false
    }
  }

  private static func contains(_ expression: NSExpression) -> Bool {
    let type = Swift.type(of: expression)
    guard type == NSExpression.self || type == NSFetchRequestExpression.self else { return false }
    switch expression.node {
    case .constant(let value): return isConstant(value)
    case .evaluatedObject, .variable, .anyKey: return true
    case .keyPath(_, let operand): return operand.map { contains($0) } ?? true
    case .function(_, let target, let arguments):
      return (target.map { contains($0) } ?? true) && arguments.allSatisfy { contains($0) }
    case .unionSet(let left, let right), .intersectSet(let left, let right), .minusSet(let left, let right):
      return contains(left) && contains(right)
    case .subquery(let collection, _, let predicate): return contains(collection) && contains(predicate)
    case .aggregate(let expressions): return expressions.allSatisfy { contains($0) }
    case .conditional(let predicate, let first, let second):
      return contains(predicate) && contains(first) && contains(second)
    case .fetch(let request, let context, _): return contains(request) && contains(context)
    case .block: return false
    }
  }

  /// Whether a value is nil, a plain value (text, number, date, data, UUID, URL, null, index symbol), or a collection
  /// of such values.
  static func isConstant(_ value: Any?) -> Bool {
    switch value {
    case nil, is IndexSymbol, is NSNull, is String, is NSNumber, is Decimal, is Date, is Data, is UUID, is URL: true
    case let array as [Any]: array.allSatisfy { isConstant($0) }
    case let set as Set<AnyHashable>: set.allSatisfy { isConstant($0.base) }
    case let dictionary as [AnyHashable: Any]:
      dictionary.allSatisfy { isConstant($0.key.base) && isConstant($0.value) }
    default: false
    }
  }
}
