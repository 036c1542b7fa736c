import Foundation

extension NSPredicate {
  /// Allows a decoded predicate to be evaluated.
  ///
  /// Differs from Apple (D-ARC-02): decoded predicates can always be evaluated, since evaluation cannot call methods of
  /// arbitrary objects.
  public func allowEvaluation() {}
}

extension NSExpression {
  /// Allows a decoded expression to be evaluated.
  ///
  /// Differs from Apple (D-ARC-02): decoded expressions can always be evaluated, since evaluation cannot call methods of
  /// arbitrary objects.
  public func allowEvaluation() {}
}

extension NSSortDescriptor {
  /// Allows a decoded descriptor to sort.
  ///
  /// Differs from Apple (D-ARC-02): decoded descriptors can always sort, since sorting cannot call methods of arbitrary
  /// objects.
  public func allowEvaluation() {}
}
