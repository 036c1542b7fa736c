import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSComparisonPredicate
import class OpenCocoaFoundation.NSExpression

/// The rows that make one dictionary: one row, the rows of a group, or all rows.
package final class DictionaryGroup: NSObject, NSKeyValueCoding {
  private let query: DictionaryQuery
  private let rows: [NSObject & NSKeyValueCoding]

  package init(_ query: DictionaryQuery, _ rows: [NSObject & NSKeyValueCoding]) {
    self.query = query
    self.rows = rows
  }

  /// The dictionary of the group.
  package func dictionary() throws -> [String: Any] {
    var result: [String: Any] = [:]
    for column in query.columns {
      let value = try plainValue(column.expression)
      result[column.name] = ExpressionResult.coerced(value, to: column.resultType)
    }
    return result
  }

  /// The value of an expression; an object gives its ID.
  package func plainValue(_ expression: NSExpression) throws -> Any? {
    let value = StoredValue.unwrapped(try value(of: expression))
    switch value {
    case let transformed as TransformedValue: return transformed.object
    case let object as any PredicateIdentity: return object.predicateIdentity
    default: return value
    }
  }

  /// Whether the group meets the HAVING predicate.
  package func satisfies(_ predicate: NSPredicate) throws -> Bool {
    try StackRoom.check()
    switch predicate.node {
    case .compound(.and, let parts): return try parts.allSatisfy(satisfies)
    case .compound(.or, let parts): return try parts.contains(where: satisfies)
    case .compound(.not, let parts): return try !parts.contains(where: satisfies)
    case .comparison(let comparison):
      // The operands are replaced by the group's values; operator and options stay those of the comparison.
      return try NSComparisonPredicate(
        leftExpression: NSExpression(forConstantValue: try value(of: comparison.leftExpression)),
        rightExpression: NSExpression(forConstantValue: try value(of: comparison.rightExpression)),
        modifier: comparison.comparisonPredicateModifier, type: comparison.predicateOperatorType,
        options: comparison.options
      ).holds(for: rows.first)
    default: return try predicate.holds(for: rows.first)
    }
  }

  // Sort descriptors ask by key: the key is the name of a fetched column, or a property of the group's rows.
  package func value(forKey key: String) -> Any? { value(forKeyPath: key) }

  package func value(forKeyPath keyPath: String) -> Any? {
    EvaluatorQuestion.answering(self, otherwise: nil) {
      if query.sortNames.contains(keyPath), let column = query.column(named: keyPath) {
        return try plainValue(column.expression)
      }
      return try rows.first.flatMap { try KeyValueCoding.askedValue(of: $0, forKeyPath: keyPath) }
    }
  }

  // MARK: Expressions

  private func value(of expression: NSExpression) throws -> Any? {
    try StackRoom.check()
    switch expression.node {
    case .function(let name, nil, let arguments):
      if expression.isAggregate {
        let values = try values(of: arguments[0])
        return try ExpressionFunction.call(name, [values.compactMap(StoredValue.unwrapped)])
      }
      guard expression.containsAggregate else { break }
      return try ExpressionFunction.call(name, try arguments.map(value))
    case .conditional(let predicate, let first, let second) where expression.containsAggregate:
      return try value(of: satisfies(predicate) ? first : second)
    case .aggregate(let parts) where expression.containsAggregate:
      return try parts.map { try value(of: $0) ?? NSNull() }
    case .variable(let name): return try query.column(named: name).flatMap { try plainValue($0.expression) }
    default: break
    }
    return try expression.checkedValue(with: rows.first)
  }

  /// The values for an aggregate: one for each row or, for a to-many relationship, one for each member.
  private func values(of argument: NSExpression) throws -> [Any?] {
    guard let path = argument.plainKeyPath else {
      return try rows.map { try argument.checkedValue(with: $0) }
    }
    let keys = path.keysOfPath[...]
    return try rows.flatMap { try Self.values(keys, of: $0) }
  }

  private static func values(_ keys: ArraySlice<String>, of object: Any) throws -> [Any?] {
    guard let key = keys.first else { return [object] }
    if key.hasPrefix("@") {
      return [try KeyValueCoding.askedValue(of: object, forKeyPath: keys.joined(separator: "."))]
    }
    guard let value = StoredValue.unwrapped(try KeyValueCoding.askedValue(of: object, forKey: key)) else {
      return [nil]
    }
    guard let object = value as? NSObject, !(object is NSDictionary), let members = elements(of: object) else {
      return try values(keys.dropFirst(), of: value)
    }
    if let next = keys.dropFirst().first, next.hasPrefix("@") {
      return [try KeyValueCoding.askedValue(of: value, forKeyPath: keys.dropFirst().joined(separator: "."))]
    }
    return try members.flatMap { try values(keys.dropFirst(), of: $0) }
  }
}
