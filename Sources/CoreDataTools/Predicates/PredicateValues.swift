import Foundation
import OpenCoreData

/// The values that a property can have, as far as the model shows them.
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

  /// Returns the values that the validation predicates allow, or that the user info lists, in the form of a predicate.
  private static func listed(_ attribute: NSAttributeDescription) -> [String] {
    let isText = [.stringAttributeType, .URIAttributeType].contains(attribute.attributeType)
    return attribute.listedConstants.map { value in
      guard let text = value as? String else { return "\(value)" }
      return isText ? StoreValue.json(text) : text
    }
  }
}
