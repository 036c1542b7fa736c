import CoreData
import Foundation

/// Predicates as JSON:
///
///     {"and": [...]}  {"or": [...]}  {"not": ...}  {"always": true}
///     {"op": "BEGINSWITH", "options": "cd", "modifier": "ANY", "left": {"key": "author.name"}, "right": {"string": "a"}}
///
/// An expression is a key path, `{"self": true}`, a list, or a constant with its type. Blocks, functions, subqueries, variables and
/// MATCHES cannot be said: the first ones have no names, and a regular expression from outside could keep a service busy for days.
public enum PredicateCoding {
  static let operators: [(NSComparisonPredicate.Operator, String)] = [
    (.equalTo, "=="), (.notEqualTo, "!="), (.lessThan, "<"), (.lessThanOrEqualTo, "<="), (.greaterThan, ">"),
    (.greaterThanOrEqualTo, ">="), (.beginsWith, "BEGINSWITH"), (.endsWith, "ENDSWITH"), (.contains, "CONTAINS"),
    (.like, "LIKE"), (.in, "IN"), (.between, "BETWEEN"),
  ]
  static let options: [(NSComparisonPredicate.Options, Character)] = [
    (.caseInsensitive, "c"), (.diacriticInsensitive, "d"), (.normalized, "n"),
  ]
  static let modifiers: [(NSComparisonPredicate.Modifier, String)] = [(.any, "ANY"), (.all, "ALL")]

  /// What a fetch can leave to the service, and what it has to check itself.
  public struct Split {
    public var said: JSON?
    public var rest: NSPredicate?
  }

  /// Takes the conditions apart that all have to hold. What can be said, and is not too much for the service, is left to it.
  /// - Parameter identify: returns the ID of an object by which the service knows it; nil for one that it does not know.
  public static func split(
    _ predicate: NSPredicate?, _ limits: ServiceLimits, identify: (NSManagedObjectID) -> String?
  ) -> Split {
    guard let predicate else { return Split() }
    if let said = json(predicate, identify), (try? measure(said, limits)) != nil { return Split(said: said) }
    guard let compound = predicate as? NSCompoundPredicate, compound.compoundPredicateType == .and else {
      return Split(rest: predicate)
    }
    var said: [JSON] = [], rest: [NSPredicate] = []
    // The condition around them is a part itself.
    var count = 1
    for part in compound.subpredicates {
      let split = split(part, limits, identify: identify)
      if let json = split.said {
        guard let now = try? measure(json, limits, depth: 1, parts: count) else {
          rest.append(part)
          continue
        }
        said.append(json)
        count = now
      }
      if let predicate = split.rest { rest.append(predicate) }
    }
    return Split(
      said: said.isEmpty ? nil : .object(["and": .array(said)]),
      rest: NSCompoundPredicate(andPredicateWithSubpredicates: rest))
  }

  /// The predicate as JSON; nil if something in it cannot be said.
  static func json(_ predicate: NSPredicate, _ identify: (NSManagedObjectID) -> String?) -> JSON? {
    switch predicate {
    case let compound as NSCompoundPredicate:
      var parts: [JSON] = []
      for part in compound.subpredicates {
        guard let json = json(part, identify) else { return nil }
        parts.append(json)
      }
      switch compound.compoundPredicateType {
      case .and: return .object(["and": .array(parts)])
      case .or: return .object(["or": .array(parts)])
      case .not: return parts.first.map { .object(["not": $0]) }
      @unknown default: return nil
      }
    case let comparison as NSComparisonPredicate: return json(comparison, identify)
    default:
      switch predicate.description {
      case "TRUEPREDICATE": return .object(["always": .bool(true)])
      case "FALSEPREDICATE": return .object(["always": .bool(false)])
      default: return nil
      }
    }
  }

  private static func json(_ comparison: NSComparisonPredicate, _ identify: (NSManagedObjectID) -> String?) -> JSON? {
    guard let name = operators.first(where: { $0.0 == comparison.predicateOperatorType })?.1,
      let left = json(comparison.leftExpression, identify), let right = json(comparison.rightExpression, identify)
    else { return nil }
    var members = ["op": JSON.string(name), "left": left, "right": right]
    let letters = options.filter { comparison.options.contains($0.0) }.map(\.1)
    if !letters.isEmpty { members["options"] = .string(String(letters)) }
    if comparison.comparisonPredicateModifier != .direct {
      guard let word = modifiers.first(where: { $0.0 == comparison.comparisonPredicateModifier })?.1 else { return nil }
      members["modifier"] = .string(word)
    }
    return .object(members)
  }

  private static func json(_ expression: NSExpression, _ identify: (NSManagedObjectID) -> String?) -> JSON? {
    switch expression.expressionType {
    case .evaluatedObject: return .object(["self": .bool(true)])
    case .keyPath:
      // A path that begins at something else, as the count of a subquery does.
      guard expression.operand.expressionType == .evaluatedObject else { return nil }
      return .object(["key": .string(expression.keyPath)])
    case .constantValue: return json(constant: expression.constantValue, identify)
    case .aggregate:
      guard let parts = expression.collection as? [NSExpression] else { return nil }
      var list: [JSON] = []
      for part in parts {
        guard let json = json(part, identify) else { return nil }
        list.append(json)
      }
      return .object(["list": .array(list)])
    default: return nil
    }
  }

  private static func json(constant: Any?, _ identify: (NSManagedObjectID) -> String?) -> JSON? {
    switch constant {
    case nil, is NSNull: return .object(["null": .bool(true)])
    case let value as String: return .object(["string": .string(value)])
    case let value as Date: return .object(["date": AttributeCoding.json(value.timeIntervalSinceReferenceDate)])
    case let value as UUID: return .object(["uuid": .string(value.uuidString)])
    case let value as URL: return .object(["uri": .string(value.absoluteString)])
    case let value as Data: return .object(["data": .string(value.base64EncodedString())])
    case let value as NSDecimalNumber: return .object(["decimal": .string(value.stringValue)])
    case let value as Decimal: return .object(["decimal": .string(value.description)])
    case let value as NSManagedObject: return json(constant: value.objectID, identify)
    case let value as NSManagedObjectID: return identify(value).map { .object(["object": .string($0)]) }
    case let values as [Any]: return list(values, identify)
    case let values as Set<AnyHashable>: return list(values.map(\.base), identify)
    case let values as NSSet: return list(values.allObjects, identify)
    case let values as NSOrderedSet: return list(values.array, identify)
    case let value?: return number(value)
    }
  }

  private static func list(_ values: [Any], _ identify: (NSManagedObjectID) -> String?) -> JSON? {
    var list: [JSON] = []
    for value in values {
      guard let json = json(constant: value, identify) else { return nil }
      list.append(json)
    }
    return .object(["list": .array(list)])
  }

  private static func number(_ value: Any) -> JSON? {
    guard let number = value as? NSNumber else { return nil }
    let isWhole =
      Int64(exactly: number.doubleValue) == number.int64Value || number.doubleValue == Double(number.int64Value)
    return isWhole
      ? .object(["int": .int(number.int64Value)]) : .object(["double": AttributeCoding.json(number.doubleValue)])
  }
}
