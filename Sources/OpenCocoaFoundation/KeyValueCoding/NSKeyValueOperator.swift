import Foundation

/// The operators that a key path may apply to a collection.
public struct NSKeyValueOperator: RawRepresentable, Hashable, Sendable {
  /// The name of the operator, without its `@`.
  public let rawValue: String

  /// Makes an operator of its name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// `@avg`: the average of the elements' values; 0 if there are no elements.
  public static let averageKeyValueOperator = NSKeyValueOperator(rawValue: "avg")
  /// `@count`: the number of elements.
  public static let countKeyValueOperator = NSKeyValueOperator(rawValue: "count")
  /// `@distinctUnionOfArrays`: the distinct values of the elements of arrays.
  public static let distinctUnionOfArraysKeyValueOperator = NSKeyValueOperator(rawValue: "distinctUnionOfArrays")
  /// `@distinctUnionOfObjects`: the distinct values of the elements.
  public static let distinctUnionOfObjectsKeyValueOperator = NSKeyValueOperator(rawValue: "distinctUnionOfObjects")
  /// `@distinctUnionOfSets`: the distinct values of the elements of sets.
  public static let distinctUnionOfSetsKeyValueOperator = NSKeyValueOperator(rawValue: "distinctUnionOfSets")
  /// `@max`: the largest of the elements' values.
  public static let maximumKeyValueOperator = NSKeyValueOperator(rawValue: "max")
  /// `@min`: the smallest of the elements' values.
  public static let minimumKeyValueOperator = NSKeyValueOperator(rawValue: "min")
  /// `@sum`: the sum of the elements' values.
  public static let sumKeyValueOperator = NSKeyValueOperator(rawValue: "sum")
  /// `@unionOfArrays`: the values of the elements of arrays.
  public static let unionOfArraysKeyValueOperator = NSKeyValueOperator(rawValue: "unionOfArrays")
  /// `@unionOfObjects`: the values of the elements.
  public static let unionOfObjectsKeyValueOperator = NSKeyValueOperator(rawValue: "unionOfObjects")
  /// `@unionOfSets`: the values of the elements of sets.
  public static let unionOfSetsKeyValueOperator = NSKeyValueOperator(rawValue: "unionOfSets")
}
