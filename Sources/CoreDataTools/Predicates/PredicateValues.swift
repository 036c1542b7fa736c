import Foundation
import OpenCoreData

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

  /// The values that the validation predicates allow, or that the user info lists, as a predicate has them.
  private static func listed(_ attribute: NSAttributeDescription) -> [String] {
    let isText = [.stringAttributeType, .URIAttributeType].contains(attribute.attributeType)
    return attribute.listedConstants.map { value in
      guard let text = value as? String else { return "\(value)" }
      return isText ? StoreValue.json(text) : text
    }
  }
}
