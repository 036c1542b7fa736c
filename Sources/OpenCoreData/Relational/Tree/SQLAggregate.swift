import OpenCocoaFoundation

/// An aggregate function that databases compute differently than the evaluator, or not at all.
package enum SQLAggregate: CaseIterable, Sendable {
  case median, standardDeviation
  /// The sum and average of decimal numbers.
  case sum, average

  /// Computes the function as the evaluator does.
  package func result(_ values: [Any?]) -> Any? {
    switch self {
    case .median: Aggregates.median(values)
    case .standardDeviation: Aggregates.standardDeviation(values)
    case .sum: Aggregates.sum(values)
    case .average: Aggregates.average(values)
    }
  }
}
