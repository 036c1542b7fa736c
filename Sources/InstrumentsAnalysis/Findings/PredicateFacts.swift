import Foundation
import OpenCocoaFoundation
import OpenCoreData

import class OpenCocoaFoundation.NSComparisonPredicate
import class OpenCocoaFoundation.NSCompoundPredicate
import class OpenCocoaFoundation.NSExpression

extension Recording.Activity {
  /// The recorded predicate, with variables in place of values.
  var predicate: NSPredicate? { detail.flatMap { try? NSPredicate(parsing: $0) } }

  /// The recorded sort descriptors.
  var sortDescriptors: [NSSortDescriptor] {
    (sort ?? "").split(separator: ",").map { text in
      var key = text.drop { $0 == " " }
      let isDescending = key.hasSuffix(" DESC")
      if isDescending { key = key.dropLast(5) }
      let selector = key.hasSuffix(")") ? key.split(separator: "(").last?.dropLast() : nil
      return NSSortDescriptor(
        key: String(key.prefix { $0 != " " }), ascending: !isDescending,
        selector: selector.map { $0 == "comparator" ? "compare:" : Selector(String($0)) })
    }
  }
}

/// The comparisons that a predicate requires for each row.
struct PredicateFacts {
  /// The keys by which objects are looked up: key paths that are equal to a value or one of some values, or SELF.
  private(set) var lookups: [String] = []
  /// The comparisons that need every row, in words.
  private(set) var scans: [String] = []

  init(_ predicate: NSPredicate) { add(predicate, isCertain: true) }

  /// - Parameter isCertain: whether every object of the result satisfies the predicate.
  private mutating func add(_ predicate: NSPredicate, isCertain: Bool) {
    switch predicate {
    case let compound as NSCompoundPredicate:
      for part in compound.subpredicates { add(part, isCertain: isCertain && compound.compoundPredicateType == .and) }
    case let comparison as NSComparisonPredicate: add(comparison, isCertain: isCertain)
    default: break
    }
  }

  private mutating func add(_ comparison: NSComparisonPredicate, isCertain: Bool) {
    guard comparison.comparisonPredicateModifier == .direct,
      let key = Self.key(comparison.leftExpression) ?? Self.key(comparison.rightExpression)
    else { return }
    let type = comparison.predicateOperatorType
    if comparison.options.isEmpty, type == .equalTo || type == .in {
      if isCertain { lookups.append(key) }
      return
    }
    if let words = Self.scan(comparison) { scans.append("\(key) \(words)") }
  }

  private static func key(_ expression: NSExpression) -> String? {
    switch expression.node {
    case .keyPath(let path, operand: nil): path
    case .evaluatedObject: "SELF"
    default: nil
    }
  }

  private static func scan(_ comparison: NSComparisonPredicate) -> String? {
    let flags =
      (comparison.options.contains(.caseInsensitive) ? "c" : "")
      + (comparison.options.contains(.diacriticInsensitive) ? "d" : "")
    let options = flags.isEmpty ? "" : "[\(flags)]"
    switch comparison.predicateOperatorType {
    case .contains: return "CONTAINS\(options)"
    case .endsWith: return "ENDSWITH\(options)"
    case .matches: return "MATCHES\(options)"
    case .like:
      if case .constant(let pattern?) = comparison.rightExpression.node, let pattern = pattern as? String,
        let first = pattern.first, "*?".contains(first)
      {
        return "LIKE\(options) with a leading wildcard"
      }
      return options.isEmpty ? nil : "LIKE\(options)"
    case .beginsWith: return options.isEmpty ? nil : "BEGINSWITH\(options)"
    case .equalTo: return options.isEmpty ? nil : "==\(options)"
    case .in: return options.isEmpty ? nil : "IN\(options)"
    default: return nil
    }
  }
}
