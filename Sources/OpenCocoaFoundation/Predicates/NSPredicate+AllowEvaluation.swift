import Foundation

extension NSPredicate {
  /// Allows a decoded predicate to be evaluated.
  ///
  /// Differs from Apple (D-ARC-02): evaluation is always allowed, because it cannot call methods of arbitrary objects.
  public func allowEvaluation() {}
}

extension NSExpression {
  /// Allows a decoded expression to be evaluated.
  ///
  /// Differs from Apple (D-ARC-02): evaluation is always allowed, because it cannot call methods of arbitrary objects.
  public func allowEvaluation() {}
}

extension NSSortDescriptor {
  /// Allows a decoded descriptor to sort.
  ///
  /// Differs from Apple (D-ARC-02): sorting is always allowed, because it cannot call methods of arbitrary objects.
  public func allowEvaluation() {}
}
