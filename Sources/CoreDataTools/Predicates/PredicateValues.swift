import Foundation
import OpenCocoaFoundation
import OpenCoreData

import class OpenCocoaFoundation.NSComparisonPredicate
import class OpenCocoaFoundation.NSCompoundPredicate
import class OpenCocoaFoundation.NSExpression

/// The operators that compare values of a type.
enum PredicateOperators {
  static func comparisons(_ target: PredicateScope.Target?) -> [PredicateChoices.Choice] {
    operators(target).map { PredicateChoices.Choice(text: $0, kind: .comparison, detail: words[$0] ?? "") }
  }

  private static let words = [
    "==": "is", "!=": "is not", "CONTAINS[cd]": "whatever the case and accents", "BEGINSWITH[cd]": "whatever the case",
    "LIKE": "with * and ?", "MATCHES": "a regular expression", "IN": "one of {a, b}", "BETWEEN": "{a, b}",
  ]

  private static func operators(_ target: PredicateScope.Target?) -> [String] {
    let order = ["==", "!=", "<", "<=", ">", ">=", "BETWEEN", "IN"]
    switch target {
    case .object(_, let isMany): return isMany ? ["==", "!=", "CONTAINS", "IN"] : ["==", "!=", "IN"]
    case .count: return order
    case .attribute(let attribute, _):
      switch attribute.attributeType {
      case .stringAttributeType, .URIAttributeType:
        return [
          "==", "!=", "CONTAINS", "CONTAINS[cd]", "BEGINSWITH", "BEGINSWITH[cd]", "ENDSWITH", "LIKE", "LIKE[cd]",
          "MATCHES", "IN", "==[cd]", "<", "<=", ">", ">=",
        ]
      case .booleanAttributeType, .transformableAttributeType, .binaryDataAttributeType: return ["==", "!="]
      case .UUIDAttributeType, .objectIDAttributeType: return ["==", "!=", "IN"]
      default: return order
      }
    case nil: return order + ["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES"]
    }
  }
}

/// The values that a property can have, as far as the model tells.
enum PredicateValues {
  /// The keys of the user info of an attribute that may list its values, separated by commas.
  static let listKeys = ["values", "enum", "options"]

  static func values(_ target: PredicateScope.Target?) -> [PredicateChoices.Choice] {
    guard case .attribute(let attribute, _)? = target else {
      if case .object? = target { return [choice("NIL", "no object")] }
      return []
    }
    var choices: [PredicateChoices.Choice] = []
    if attribute.attributeType == .booleanAttributeType { choices += ["YES", "NO"].map { choice($0) } }
    choices += listed(attribute).map { choice($0) }
    if attribute.attributeType == .dateAttributeType { choices.append(choice("now()", "the time")) }
    if attribute.isOptional { choices.append(choice("NIL", "no value")) }
    return choices
  }

  private static func choice(_ text: String, _ detail: String = "") -> PredicateChoices.Choice {
    PredicateChoices.Choice(text: text, kind: .value, detail: detail)
  }

  /// The values that the validation predicates allow, or that the user info lists.
  private static func listed(_ attribute: NSAttributeDescription) -> [String] {
    for predicate in attribute.validationPredicates {
      if let values = allowed(predicate), !values.isEmpty { return values.compactMap(text) }
    }
    for key in listKeys {
      guard let list = attribute.userInfo?[key] as? String else { continue }
      let isText = attribute.attributeType == .stringAttributeType
      let values = list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
      return isText ? values.map { StoreValue.json($0) } : values
    }
    return []
  }

  /// The values of `SELF IN {a, b}` and `SELF == a OR SELF == b`; nil for any other predicate.
  private static func allowed(_ predicate: NSPredicate) -> [Any]? {
    if let comparison = predicate as? NSComparisonPredicate {
      guard comparison.comparisonPredicateModifier == .direct, isSelf(comparison.leftExpression) else { return nil }
      switch (comparison.predicateOperatorType, comparison.rightExpression.node) {
      case (.in, .aggregate(let elements)): return elements.compactMap(constant)
      case (.in, .constant(let list?)): return (list as? [Any]) ?? (list as? NSSet).map { Array($0) }
      case (.equalTo, .constant(let value?)): return [value]
      default: return nil
      }
    }
    guard let any = predicate as? NSCompoundPredicate, any.compoundPredicateType == .or else { return nil }
    let parts = any.subpredicates.compactMap(allowed)
    return parts.count == any.subpredicates.count ? parts.flatMap { $0 } : nil
  }

  private static func isSelf(_ expression: NSExpression) -> Bool {
    switch expression.node {
    case .evaluatedObject: true
    case .keyPath(let path, operand: nil): path.uppercased() == "SELF"
    default: false
    }
  }

  private static func constant(_ expression: NSExpression) -> Any? {
    if case .constant(let value) = expression.node { value } else { nil }
  }

  private static func text(_ value: Any) -> String? {
    switch value {
    case let text as String: StoreValue.json(text)
    case let number as NSNumber: "\(number)"
    default: nil
    }
  }
}
