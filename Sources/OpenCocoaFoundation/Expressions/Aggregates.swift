import Foundation

/// The functions of collections of values. A nil among the values is ignored.
package enum Aggregates {
  private static func numbers(_ values: [Any?]) -> [ExactNumber] {
    values.compactMap { value in
      switch Operand(value) {
      case .number(let number): number
      case .date(let seconds): .real(seconds)
      case .string(let string): Double(string).map(ExactNumber.real)
      default: nil
      }
    }
  }

  /// Returns the sum; 0 if there are no values.
  package static func sum(_ values: [Any?]) -> NSNumber {
    numbers(values).reduce(.integer(0)) { Arithmetic.add($0, $1) }.nsNumber
  }

  /// Returns the average; nil if there are no values.
  package static func average(_ values: [Any?]) -> NSNumber? {
    let numbers = numbers(values)
    guard !numbers.isEmpty else { return nil }
    let sum = numbers.reduce(.integer(0)) { Arithmetic.add($0, $1) }
    if case .decimal(let sum) = sum { return NSDecimalNumber(decimal: sum / Decimal(numbers.count)) }
    return NSNumber(value: sum.double / Double(numbers.count))
  }

  /// Returns the value that comes first in the given order: the smallest value if the order is ascending.
  package static func extreme(_ values: [Any?], _ order: ComparisonResult) -> Any? {
    var best: (operand: Operand, value: Any)?
    for value in values {
      let operand = Operand(value)
      guard let value, !operand.isNull else { continue }
      if best.map({ operand.order(to: $0.operand) == order }) ?? true { best = (operand, value) }
    }
    return best.flatMap { KeyValueCoding.boxed($0.value) }
  }

  /// The middle value, or the average of the two in the middle.
  package static func median(_ values: [Any?]) -> NSNumber? {
    let sorted = numbers(values).sorted { $0.order(to: $1) == .orderedAscending }
    guard !sorted.isEmpty else { return nil }
    let middle = sorted.count / 2
    if sorted.count % 2 == 1 { return sorted[middle].nsNumber }
    return NSNumber(value: (sorted[middle - 1].double + sorted[middle].double) / 2)
  }

  /// The most frequent values, each once.
  package static func mode(_ values: [Any?]) -> [NSNumber] {
    let numbers = numbers(values)
    let counts = numbers.reduce(into: [ExactNumber: Int]()) { $0[$1, default: 0] += 1 }
    let most = counts.values.max() ?? 0
    return counts.filter { $0.value == most }.keys.sorted { $0.order(to: $1) == .orderedAscending }.map(\.nsNumber)
  }

  /// The standard deviation of a whole population.
  package static func standardDeviation(_ values: [Any?]) -> NSNumber? {
    let numbers = numbers(values).map(\.double)
    guard !numbers.isEmpty else { return nil }
    let mean = numbers.reduce(0, +) / Double(numbers.count)
    let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return NSNumber(value: (squares / Double(numbers.count)).squareRoot())
  }

  /// The values without repetition, in the order of their first appearance.
  package static func distinct(_ values: [Any]) -> [Any] {
    var seen: Set<Operand> = []
    return values.filter { seen.insert(Operand($0)).inserted }
  }
}
