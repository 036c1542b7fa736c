import Foundation

/// A key that is applied to a collection as a whole.
enum CollectionOperator: String {
  case count = "@count"
  case sum = "@sum"
  case average = "@avg"
  case minimum = "@min"
  case maximum = "@max"
  case unionOfObjects = "@unionOfObjects"
  case distinctUnionOfObjects = "@distinctUnionOfObjects"
  case unionOfArrays = "@unionOfArrays"
  case distinctUnionOfArrays = "@distinctUnionOfArrays"
  case unionOfSets = "@unionOfSets"
  case distinctUnionOfSets = "@distinctUnionOfSets"

  /// Applies the operator to a collection.
  ///
  /// - Parameters:
  ///   - object: The collection.
  ///   - keys: The keys after the operator: the path from an element to the value that the operator works on.
  /// - Returns: The result, and the number of keys that were used for it.
  /// - Throws: `OCDEvaluationError` if the object is no collection.
  func apply(to object: Any, keys: ArraySlice<String>) throws -> (value: Any?, used: Int) {
    guard let elements = elements(of: object) else {
      throw OCDEvaluationError(
        "[<\(type(of: object))> valueForKeyPath:]: \(rawValue) works on a collection, not on \(ValueText.of(object))")
    }
    if self == .count { return (NSNumber(value: elements.count), 0) }
    // In `expenses.@sum.doubleValue`, where the expenses are numbers, `doubleValue` is a key of each number.
    let values = try elements.map { try KeyValueCoding.gathered(from: $0, forKeys: keys) }
    return (result(of: values, isSet: !(object is [Any])), keys.count)
  }

  private func result(of values: [Any?], isSet: Bool) -> Any? {
    switch self {
    case .count: return NSNumber(value: values.count)
    case .sum: return Aggregates.sum(values)
    case .average: return Aggregates.average(values) ?? NSNumber(value: 0)
    case .minimum: return Aggregates.extreme(values, .orderedAscending)
    case .maximum: return Aggregates.extreme(values, .orderedDescending)
    case .unionOfObjects: return values.compactMap(unwrapped)
    case .distinctUnionOfObjects:
      let distinct = Aggregates.distinct(values.compactMap(unwrapped))
      return isSet ? GatheredSet(distinct, isDistinct: true) : distinct
    case .unionOfArrays: return values.flatMap { elements(of: $0) ?? [] }
    case .distinctUnionOfArrays: return Aggregates.distinct(values.flatMap { elements(of: $0) ?? [] })
    case .unionOfSets: return values.flatMap { elements(of: $0) ?? [] }
    case .distinctUnionOfSets: return GatheredSet(values.flatMap { elements(of: $0) ?? [] })
    }
  }
}
