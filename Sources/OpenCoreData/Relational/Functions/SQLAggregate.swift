import Foundation
import OpenCocoaFoundation

/// A function of the values of many rows that SQLite does not have, or that it computes with floating numbers only.
enum SQLAggregate: String, CaseIterable, Sendable {
  case median = "NSCoreDataMedian"
  case standardDeviation = "NSCoreDataDeviation"
  /// Of decimal numbers.
  case sum = "NSCoreDataDecimalSum"
  case average = "NSCoreDataDecimalAverage"

  /// The evaluator's own function.
  func result(_ values: [Any?]) -> Any? {
    switch self {
    case .median: Aggregates.median(values)
    case .standardDeviation: Aggregates.standardDeviation(values)
    case .sum: Aggregates.sum(values)
    case .average: Aggregates.average(values)
    }
  }
}
