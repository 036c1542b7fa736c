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
