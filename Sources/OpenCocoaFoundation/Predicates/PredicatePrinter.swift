import Foundation

/// Prints predicates in the format language.
package enum PredicatePrinter {
  /// Returns the format of a predicate.
  package static func text(of predicate: NSPredicate) -> String {
    // If the tree is too deep for the stack, the text of the deeper levels is cut.
    guard StackRoom.isLeft else { return "…" }
    return switch predicate.node {
    case .boolean(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison): text(ofComparison: comparison)
    case .compound(let type, let subpredicates): text(of: type, subpredicates)
    case .block: "BLOCKPREDICATE(0x\(String(UInt(bitPattern: ObjectIdentifier(predicate)), radix: 16)))"
    case .custom: predicate.description
    }
  }

  private static func text(
    of type: Foundation.NSCompoundPredicate.LogicalType, _ subpredicates: [NSPredicate]
  ) -> String {
    let texts = subpredicates.map { predicate in
      if case .compound = predicate.node { return "(" + text(of: predicate) + ")" }
      return text(of: predicate)
    }
    switch type {
    case .not: return "NOT " + (texts.first ?? "TRUEPREDICATE")
    case .and: return texts.isEmpty ? "TRUEPREDICATE" : texts.joined(separator: " AND ")
    case .or: return texts.isEmpty ? "FALSEPREDICATE" : texts.joined(separator: " OR ")
    }
  }

  // MARK: Comparisons

  private static func text(ofComparison predicate: NSComparisonPredicate) -> String {
    let modifier =
      switch predicate.comparisonPredicateModifier {
      case .direct: ""
      case .any: "ANY "
      case .all: "ALL "
      }
    return modifier + side(predicate.leftExpression) + " " + sign(predicate.predicateOperatorType)
      + text(of: predicate.options) + " " + side(predicate.rightExpression)
  }

  /// Returns the format of an expression on one side of a comparison operator.
  private static func side(_ expression: NSExpression) -> String {
    text(of: expression)
  }

  private static func sign(_ type: NSComparisonPredicate.Operator) -> String {
    switch type {
    case .lessThan: "<"
    case .lessThanOrEqualTo: "<="
    case .greaterThan: ">"
    case .greaterThanOrEqualTo: ">="
    case .equalTo: "=="
    case .notEqualTo: "!="
    case .matches: "MATCHES"
    case .like: "LIKE"
    case .beginsWith: "BEGINSWITH"
    case .endsWith: "ENDSWITH"
    case .in: "IN"
    case .contains: "CONTAINS"
    case .between: "BETWEEN"
    case .customSelector: "CUSTOM"
    }
  }

  private static func text(of options: NSComparisonPredicate.Options) -> String {
    let letters: [(NSComparisonPredicate.Options, Character)] = [
      (.caseInsensitive, "c"), (.diacriticInsensitive, "d"), (.normalized, "n"), (.localeSensitive, "l"),
      (.widthInsensitive, "w"),
    ]
    let text = String(letters.filter { options.contains($0.0) }.map(\.1))
    return text.isEmpty ? "" : "[\(text)]"
  }
}
