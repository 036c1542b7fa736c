import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSComparisonPredicate
import class OpenCocoaFoundation.NSCompoundPredicate
import class OpenCocoaFoundation.NSExpression

/// The index that would make a query cheaper, if there is one.
package enum IndexAdvice: Equatable, Sendable {
  /// An index would save the query no work.
  case served
  /// An index of the entity on these properties, most significant first. Properties that must be sorted in the opposite
  /// direction of the first have `descending` appended.
  case missing(entity: String, properties: [String])
  /// The database compares every row in a way that no index can avoid.
  case useless(entity: String)
  /// A property that decides the result is in another table, at the end of this key path, so no index of the entity can
  /// have it.
  case impossible(entity: String, keyPath: String)

  /// The text after a descending property in `missing`.
  package static let descending = " descending"

  /// The advice in words.
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
  /// Compares a fetch with what the database does for it, and advises an index.
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
      // An index sorts texts by their bytes.
      if sortDescriptors.contains(where: { $0.selector != "compare:" }) { return .useless(entity: entity) }
      wanted = compared.equal + order
    } else if scansTable, predicate != nil {
      // Rows that come in the order of an index are already sorted. Only an index that also finds the rows is better.
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

  /// The keys that rows are sorted by. An index is read either forwards or backwards as a whole, so a key whose
  /// direction differs from that of the first key is marked as descending.
  private static func elements(_ descriptors: [NSSortDescriptor]) -> [String] {
    descriptors.compactMap { descriptor in
      descriptor.key.map { descriptor.ascending == descriptors[0].ascending ? $0 : $0 + IndexAdvice.descending }
    }
  }
}

/// The key paths on which every row of the result meets a condition, and by which an index can find the rows.
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
