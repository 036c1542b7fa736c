import Foundation
import OpenCocoaFoundation
import OpenCoreData

import class OpenCocoaFoundation.NSComparisonPredicate
import class OpenCocoaFoundation.NSCompoundPredicate
import class OpenCocoaFoundation.NSExpression

extension NSAttributeDescription {
  /// The values that the attribute can have, as text, if the model lists them: by a validation predicate such as
  /// `SELF IN {"a", "b"}`, or as a list with commas in the user info, under `values`, `enum` or `options`. Empty if any value
  /// is allowed.
  public var listedValues: [String] { listedConstants.map { $0 as? String ?? "\($0)" } }

  /// The listed values: texts and numbers of predicates, texts of the user info.
  var listedConstants: [Any] {
    for predicate in validationPredicates {
      if let values = ListedValues.allowed(by: predicate), !values.isEmpty {
        return values.filter { $0 is String || $0 is NSNumber }
      }
    }
    for key in ListedValues.keys {
      guard let list = userInfo?[key] as? String else { continue }
      return list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
    return []
  }
}

/// The values that predicates allow.
private enum ListedValues {
  /// The keys of the user info of an attribute that may list its values.
  static let keys = ["values", "enum", "options"]

  /// The values of `SELF IN {a, b}` and `SELF == a OR SELF == b`; nil for any other predicate.
  static func allowed(by predicate: NSPredicate) -> [Any]? {
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
}
