import Foundation

/// The elements of a set, or their values for a key path: without nil, in no order, each value once.
///
/// Foundation's sets cannot be used for this. They ask decimal numbers for their hash, which recurses without end. Of two
/// strings that are canonically equivalent they keep only one, where a store keeps both.
final class GatheredSet: NSObject {
  /// The values before duplicates are removed. Equal values make no difference to ANY and ALL.
  let values: [Any]
  private let isDistinct: Bool

  init(_ values: [Any], isDistinct: Bool = false) {
    self.values = values
    self.isDistinct = isDistinct
  }

  /// The values, each once.
  var elements: [Any] { isDistinct ? values : Aggregates.distinct(values) }

  /// The collection for clients: a set, or an array if there are decimal numbers, which Foundation's sets cannot hold.
  var published: Any {
    let elements = elements
    return elements.contains { $0 is NSDecimalNumber || $0 is Decimal } ? elements : NSSet(array: elements)
  }

  /// Returns the collection for clients if a value is a GatheredSet; else the value itself.
  static func published(_ value: Any?) -> Any? {
    guard let value, type(of: value) == GatheredSet.self else { return value }
    return (value as? GatheredSet)?.published
  }
}
