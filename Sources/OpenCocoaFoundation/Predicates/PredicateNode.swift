import Foundation

/// The kind of a predicate with its parts, for code that takes it apart.
package enum PredicateNode {
  /// `TRUEPREDICATE` or `FALSEPREDICATE`.
  case boolean(Bool)
  /// A comparison of two expressions.
  case comparison(NSComparisonPredicate)
  /// Subpredicates joined by AND, OR or NOT.
  case compound(Foundation.NSCompoundPredicate.LogicalType, [NSPredicate])
  /// A block, which has no text.
  case block
  /// A subclass of NSPredicate that nothing here knows.
  case custom
}

extension NSPredicate {
  /// The kind of this predicate with its parts.
  package var node: PredicateNode {
    if let comparison = self as? NSComparisonPredicate { return .comparison(comparison) }
    // Predicates of Foundation's own class come from files that import Foundation alone.
    if let compound = self as? Foundation.NSCompoundPredicate {
      return .compound(compound.compoundPredicateType, compound.subpredicates)
    }
    if let boolean = self as? BooleanPredicate { return .boolean(boolean.value) }
    guard type(of: self) == NSPredicate.self else { return .custom }
    // Foundation does not expose the value, so it is found by comparison with a constant predicate.
    if Self.plainTrue.isEqual(self) { return .boolean(true) }
    if Self.plainFalse.isEqual(self) { return .boolean(false) }
    return .block
  }

  // Nothing of these two ever changes.
  nonisolated(unsafe) private static let plainTrue = NSPredicate(value: true)
  nonisolated(unsafe) private static let plainFalse = NSPredicate(value: false)
}
