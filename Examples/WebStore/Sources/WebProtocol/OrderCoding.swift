import CoreData
import Foundation

/// Sort descriptors by key, direction and the name of a comparison.
public enum OrderCoding {
  /// The comparisons that both sides know.
  private static let selectors = [
    "localizedStandardCompare:", "localizedCompare:", "localizedCaseInsensitiveCompare:", "caseInsensitiveCompare:",
  ]

  /// The order as the protocol says it; nil for a comparator, which has no name.
  public static func order(_ descriptor: NSSortDescriptor) -> QueryMessage.Order? {
    guard let key = descriptor.key, let selector = descriptor.selector else { return nil }
    let name = NSStringFromSelector(selector)
    if name == "compare:" { return QueryMessage.Order(key: key, ascending: descriptor.ascending) }
    return selectors.contains(name)
      ? QueryMessage.Order(key: key, ascending: descriptor.ascending, selector: name) : nil
  }

  /// - Throws: a `ProtocolError` that says what is expected.
  public static func descriptor(_ order: QueryMessage.Order) throws -> NSSortDescriptor {
    guard let selector = order.selector else { return NSSortDescriptor(key: order.key, ascending: order.ascending) }
    guard selectors.contains(selector) else {
      throw ProtocolError("sort: “\(selector)” is no comparison. There are \(selectors.joined(separator: ", ")).")
    }
    return NSSortDescriptor(key: order.key, ascending: order.ascending, selector: Selector(selector))
  }
}
