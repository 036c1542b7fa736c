import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSComparisonPredicate
import class OpenCocoaFoundation.NSCompoundPredicate
import class OpenCocoaFoundation.NSExpression

/// The index that would save the database work for a query, if there is one.
package enum IndexAdvice: Equatable, Sendable {
  /// The query does nothing that an index would spare.
  case served
  /// An index of the entity by these properties would help, most significant first. `descending` follows the properties that
  /// must be sorted in the opposite order of the first one.
  case missing(entity: String, properties: [String])
  /// Every row is compared in a way that no index can spare.
  case useless(entity: String)
  /// The deciding values are in another table, at the end of this key path, so that no index of the entity can have them.
  case impossible(entity: String, keyPath: String)

  /// The suffix of a property in `missing`.
  package static let descending = " descending"

  /// In words.
  package var text: String {
    switch self {
    case .served: "none is missing"
    case .missing(let entity, let properties): "missing: an index of \(entity) by \(properties.joined(separator: ", "))"
    case .useless(let entity): "no index would serve it: every row of \(entity) is compared"
    case .impossible(let entity, let keyPath): "no index of \(entity) can have \(keyPath), which is in another table"
    }
  }
}

extension ExplainedQuery {
  /// Compares a query with SQLite's plan for it.
  /// - Parameters:
  ///   - groups: the key paths by which rows are grouped.
  package func advice(
    entity: String, predicate: NSPredicate? = nil, sortDescriptors: [NSSortDescriptor] = [],
    groupedBy groups: [String] = []
  ) -> IndexAdvice {
    let compared = ComparedKeys(predicate)
    let order = Self.elements(sortDescriptors)
    let wanted: [String]
    if self.groups {
      wanted = compared.equal + groups
    } else if sorts {
      // An index has texts in the order of their bytes.
      if sortDescriptors.contains(where: { $0.selector != "compare:" }) { return .useless(entity: entity) }
      wanted = compared.equal + order
    } else if scansTable, predicate != nil {
      // Rows that come in the order of an index are sorted already; only an index that finds them, too, is better.
      let isOrdered = !(order + groups).isEmpty && !indexes.isEmpty
      if isOrdered, compared.equal.isEmpty { return .served }
      wanted = compared.equal + (isOrdered ? groups + order : Array(compared.range.prefix(1)))
    } else {
      return .served
    }
    if let far = wanted.first(where: { $0.contains(".") }) { return .impossible(entity: entity, keyPath: far) }
    var seen: Set<String> = []
    let properties = wanted.filter { seen.insert($0).inserted }
    return properties.isEmpty ? .useless(entity: entity) : .missing(entity: entity, properties: properties)
  }

  /// The keys that rows are sorted by. An index is read forwards or backwards, as a whole: one that has not the direction of the
  /// first is named as descending.
  private static func elements(_ descriptors: [NSSortDescriptor]) -> [String] {
    descriptors.compactMap { descriptor in
      descriptor.key.map { descriptor.ascending == descriptors[0].ascending ? $0 : $0 + IndexAdvice.descending }
    }
  }
}

/// The key paths that all rows of a result meet a condition of, and that an index can find them by.
private struct ComparedKeys {
  var equal: [String] = []
  var range: [String] = []

  init(_ predicate: NSPredicate?) { add(predicate) }

  private mutating func add(_ predicate: NSPredicate?) {
    switch predicate {
    case let all as NSCompoundPredicate where all.compoundPredicateType == .and:
      for part in all.subpredicates { add(part) }
    case let comparison as NSComparisonPredicate where comparison.options.isEmpty:
      guard comparison.comparisonPredicateModifier == .direct,
        let key = Self.key(comparison.leftExpression) ?? Self.key(comparison.rightExpression)
      else { return }
      switch comparison.predicateOperatorType {
      case .equalTo, .in: equal.append(key)
      case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .between, .beginsWith: range.append(key)
      default: break
      }
    default: break
    }
  }

  private static func key(_ expression: NSExpression) -> String? {
    if case .keyPath(let path, operand: nil) = expression.node, !path.contains("@") { path } else { nil }
  }
}
