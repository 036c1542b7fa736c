import OpenCocoaFoundation

/// A function of the values of many rows that databases compute otherwise than the evaluator, or not at all.
package enum SQLAggregate: CaseIterable, Sendable {
  case median, standardDeviation
  /// Sum and average of decimal numbers.
  case sum, average

  /// The evaluator's own function.
  package func result(_ values: [Any?]) -> Any? {
    switch self {
    case .median: Aggregates.median(values)
    case .standardDeviation: Aggregates.standardDeviation(values)
    case .sum: Aggregates.sum(values)
    case .average: Aggregates.average(values)
    }
  }
}
