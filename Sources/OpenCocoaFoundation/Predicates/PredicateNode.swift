import Foundation

/// The kind and the parts of a predicate.
package enum PredicateNode {
  /// `TRUEPREDICATE` or `FALSEPREDICATE`.
  case boolean(Bool)
  /// A comparison of two expressions.
  case comparison(NSComparisonPredicate)
  /// Subpredicates joined by AND, OR or NOT.
  case compound(Foundation.NSCompoundPredicate.LogicalType, [NSPredicate])
  /// A block, which has no text.
  case block
  /// An instance of an unknown subclass of NSPredicate.
  case custom
}

extension NSPredicate {
  /// The kind and the parts of this predicate.
  package var node: PredicateNode {
    if let comparison = self as? NSComparisonPredicate { return .comparison(comparison) }
    // Files that import only Foundation make predicates of Foundation's own class.
    if let compound = self as? Foundation.NSCompoundPredicate {
      return .compound(compound.compoundPredicateType, compound.subpredicates)
    }
    if let boolean = self as? BooleanPredicate { return .boolean(boolean.value) }
    guard type(of: self) == NSPredicate.self else { return .custom }
    // The value of Foundation's predicate is not public. A comparison with predicates of known values finds it.
    if Self.plainTrue.isEqual(self) { return .boolean(true) }
    if Self.plainFalse.isEqual(self) { return .boolean(false) }
    return .block
  }

  // These two predicates never change.
  nonisolated(unsafe) private static let plainTrue = NSPredicate(value: true)
  nonisolated(unsafe) private static let plainFalse = NSPredicate(value: false)
}
