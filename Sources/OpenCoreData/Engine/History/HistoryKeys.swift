import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSComparisonPredicate
import class OpenCocoaFoundation.NSCompoundPredicate
import class OpenCocoaFoundation.NSExpression

/// A transaction or a change as predicates and sort descriptors see it.
package final class HistoryRow: NSObject, NSKeyValueCoding {
  package let place: Int
  private let values: [String: Any]

  package init(place: Int, _ values: [String: Any]) {
    self.place = place
    self.values = values
    super.init()
  }

  package func value(forKey key: String) -> Any? { values[key] }
}

/// Checks the keys of a request for history, and puts a store's transaction numbers in place of tokens, which have no
/// order of their own. A token of a server's store may not see some transactions below its latest one; only a request for
/// the history after a token takes this into account.
package struct HistoryKeys {
  package let entity: NSEntityDescription
  package let storeID: String

  /// - Throws: 134060 for a key path whose first key the entity does not have.
  package func check(_ keyPath: String) throws {
    let key = keyPath.prefix { $0 != "." }
    guard key.hasPrefix("@") || entity.propertiesByName[String(key)] != nil else {
      throw NSError(coreData: NSCoreDataError, "keypath \(keyPath) not found in entity \(entity.name ?? "")")
    }
  }

  /// The predicate with transaction numbers in place of tokens.
  /// - Throws: 134060 for a key that the entity does not have.
  package func prepared(_ predicate: NSPredicate) throws -> NSPredicate {
    try SQLLoweringError.checkStack()
    switch predicate.node {
    case .comparison(let comparison) where type(of: comparison) == NSComparisonPredicate.self:
      return NSComparisonPredicate(
        leftExpression: try prepared(comparison.leftExpression),
        rightExpression: try prepared(comparison.rightExpression), modifier: comparison.comparisonPredicateModifier,
        type: comparison.predicateOperatorType, options: comparison.options)
    case .compound(let type, let subpredicates):
      return NSCompoundPredicate(type: type, subpredicates: try subpredicates.map(prepared))
    default: return predicate
    }
  }

  private func prepared(_ expression: NSExpression) throws -> NSExpression {
    guard type(of: expression) == NSExpression.self else { return expression }
    try SQLLoweringError.checkStack()
    switch expression.node {
    case .constant(let value):
      guard let value else { return expression }
      return NSExpression(forConstantValue: number(value))
    case .keyPath(let keyPath, let operand):
      if operand == nil { try check(keyPath) }
      return expression
    case .aggregate(let elements): return NSExpression(node: .aggregate(try elements.map(prepared)))
    case .function(let name, let target, let arguments):
      return NSExpression(node: .function(name, target: target, arguments: try arguments.map(prepared)))
    default: return expression
    }
  }

  private func number(_ value: Any) -> Any {
    switch value {
    case let token as NSPersistentHistoryToken: NSNumber(value: token.transactions[storeID] ?? 0)
    case let values as [Any]: values.map(number)
    case let type as NSPersistentHistoryChangeType: NSNumber(value: type.rawValue)
    default: value
    }
  }
}
