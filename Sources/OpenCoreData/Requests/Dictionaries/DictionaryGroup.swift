import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSComparisonPredicate
import class OpenCocoaFoundation.NSExpression

/// Rows that make one dictionary: one, those of a group, or all.
final class DictionaryGroup: NSObject, NSKeyValueCoding {
  private let query: DictionaryQuery
  private let rows: [NSObject & NSKeyValueCoding]

  init(_ query: DictionaryQuery, _ rows: [NSObject & NSKeyValueCoding]) {
    self.query = query
    self.rows = rows
  }

  /// What the request gives for the group.
  var dictionary: [String: Any] {
    var result: [String: Any] = [:]
    for column in query.columns {
      let value = plainValue(column.expression)
      result[column.name] = ExpressionResult.coerced(value, to: column.resultType)
    }
    return result
  }

  /// The value of an expression, objects as their IDs.
  func plainValue(_ expression: NSExpression) -> Any? {
    let value = StoredValue.unwrapped(value(of: expression))
    switch value {
    case let transformed as TransformedValue: return transformed.object
    case let object as any PredicateIdentity: return object.predicateIdentity
    default: return value
    }
  }

  /// Whether HAVING holds for the group.
  func satisfies(_ predicate: NSPredicate) -> Bool {
    switch predicate.node {
    case .compound(.and, let parts): return parts.allSatisfy(satisfies)
    case .compound(.or, let parts): return parts.contains(where: satisfies)
    case .compound(.not, let parts): return !parts.contains(where: satisfies)
    case .comparison(let comparison):
      // What is compared is known of the group; how, the comparison says.
      return NSComparisonPredicate(
        leftExpression: NSExpression(forConstantValue: value(of: comparison.leftExpression)),
        rightExpression: NSExpression(forConstantValue: value(of: comparison.rightExpression)),
        modifier: comparison.comparisonPredicateModifier, type: comparison.predicateOperatorType,
        options: comparison.options
      ).evaluate(with: rows.first)
    default: return predicate.evaluate(with: rows.first)
    }
  }

  // Sort descriptors ask by key: for what is fetched under a name, or for what the group's rows have.
  func value(forKey key: String) -> Any? { value(forKeyPath: key) }

  func value(forKeyPath keyPath: String) -> Any? {
    if query.sortNames.contains(keyPath), let column = query.column(named: keyPath) {
      return plainValue(column.expression)
    }
    return rows.first.flatMap { KeyValueCoding.value(of: $0, forKeyPath: keyPath) }
  }

  // MARK: Expressions

  private func value(of expression: NSExpression) -> Any? {
    switch expression.node {
    case .function(let name, nil, let arguments):
      if expression.isAggregate {
        let values = values(of: arguments[0])
        return ExpressionFunctions.call(name, [values.compactMap(StoredValue.unwrapped)])
      }
      guard expression.containsAggregate else { break }
      return ExpressionFunctions.call(name, arguments.map(value))
    case .conditional(let predicate, let first, let second) where expression.containsAggregate:
      return value(of: satisfies(predicate) ? first : second)
    case .aggregate(let parts) where expression.containsAggregate: return parts.map { value(of: $0) ?? NSNull() }
    case .variable(let name): return query.column(named: name).flatMap { plainValue($0.expression) }
    default: break
    }
    return expression.expressionValue(with: rows.first, context: nil)
  }

  /// The values that an aggregate is of: one for each row or, of a to-many relationship, one for each member.
  private func values(of argument: NSExpression) -> [Any?] {
    guard let path = argument.plainKeyPath else {
      return rows.map { argument.expressionValue(with: $0, context: nil) }
    }
    let keys = path.keysOfPath[...]
    return rows.flatMap { Self.values(keys, of: $0) }
  }

  private static func values(_ keys: ArraySlice<String>, of object: Any) -> [Any?] {
    guard let key = keys.first else { return [object] }
    if key.hasPrefix("@") { return [KeyValueCoding.value(of: object, forKeyPath: keys.joined(separator: "."))] }
    guard let value = StoredValue.unwrapped(KeyValueCoding.value(of: object, forKey: key)) else { return [nil] }
    guard let object = value as? NSObject, !(object is NSDictionary), let members = elements(of: object) else {
      return values(keys.dropFirst(), of: value)
    }
    if let next = keys.dropFirst().first, next.hasPrefix("@") {
      return [KeyValueCoding.value(of: value, forKeyPath: keys.dropFirst().joined(separator: "."))]
    }
    return members.flatMap { values(keys.dropFirst(), of: $0) }
  }
}
