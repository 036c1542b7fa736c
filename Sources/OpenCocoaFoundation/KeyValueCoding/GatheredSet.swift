import Foundation

/// The elements of a set, or the values of a key path for them: without nil, in no order, each value once.
///
/// A set of Foundation cannot be used for this: it asks decimal numbers for their hash, which recurses without end, and keeps
/// only one of two strings that are canonically equivalent, where a store keeps both.
final class GatheredSet: NSObject {
  /// The values as they were gathered. Some may be equal, which makes no difference to ANY and ALL.
  let values: [Any]
  private let isDistinct: Bool

  init(_ values: [Any], isDistinct: Bool = false) {
    self.values = values
    self.isDistinct = isDistinct
  }

  /// The values, each once.
  var elements: [Any] { isDistinct ? values : Aggregates.distinct(values) }

  /// The collection for clients: a set, or an array where there are decimal numbers, which no set can hold.
  var published: Any {
    let elements = elements
    return elements.contains { $0 is NSDecimalNumber || $0 is Decimal } ? elements : NSSet(array: elements)
  }

  /// A value as clients may see it.
  static func published(_ value: Any?) -> Any? {
    guard let value, type(of: value) == GatheredSet.self else { return value }
    return (value as? GatheredSet)?.published
  }
}
