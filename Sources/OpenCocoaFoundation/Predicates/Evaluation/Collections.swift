import Foundation

/// Whether a value is a collection.
package func isCollection(_ value: Any?) -> Bool { elementCount(of: value) != nil }

/// Returns the number of elements of a collection, without reading the elements; nil if the value is no collection.
func elementCount(of value: Any?) -> Int? {
  guard let value else { return nil }
  if let object = instance(value) {
    switch object {
    case let set as GatheredSet: return set.elements.count
    case let array as NSArray: return array.count
    case let set as NSSet: return set.count
    case let set as NSOrderedSet: return set.count
    case let dictionary as NSDictionary: return dictionary.count
    default: return nil
    }
  }
  switch value {
  case let array as any AnyArray: return array.anyCount
  case let set as any AnySet: return set.anyCount
  case let dictionary as any AnyDictionary: return dictionary.anyCount
  case let nested as any NestedOptional: return elementCount(of: nested.wrapped)
  default: return nil
  }
}

/// Returns the elements of an array or a set, or the values of a dictionary; nil if the value is no collection.
package func elements(of value: Any?) -> [Any]? {
  guard let value else { return nil }
  if let object = instance(value) {
    switch object {
    case let set as GatheredSet: return set.elements
    case let array as NSArray: return array as? [Any]
    case let set as NSSet: return set.allObjects
    case let set as NSOrderedSet: return set.array
    case let dictionary as NSDictionary: return dictionary.allValues
    default: return nil
    }
  }
  switch value {
  case let array as any AnyArray: return array.anyElements
  case let set as any AnySet: return set.anyElements
  case let dictionary as any AnyDictionary: return dictionary.anyValues
  case let nested as any NestedOptional: return elements(of: nested.wrapped)
  default: return nil
  }
}

/// Whether the elements of a collection have an order.
func isOrdered(_ collection: Any) -> Bool {
  if let object = instance(collection) { return object is NSArray || object is NSOrderedSet }
  return collection is any AnyArray
}

/// Returns the entries of a dictionary; nil if the value is no dictionary.
func entries(of value: Any) -> [AnyHashable: Any]? {
  if let object = instance(value) { return object is NSDictionary ? object as? [AnyHashable: Any] : nil }
  return (value as? any AnyDictionary)?.anyEntries
}

private protocol AnyArray {
  var anyElements: [Any] { get }
  var anyCount: Int { get }
}

extension Array: AnyArray {
  fileprivate var anyCount: Int { count }
  fileprivate var anyElements: [Any] { self }
}

private protocol AnySet {
  var anyElements: [Any] { get }
  var anyCount: Int { get }
}

extension Set: AnySet {
  fileprivate var anyCount: Int { count }
  // An NSSet that was an element of a collection is bridged to a set of AnyHashable, whose base values are the elements.
  fileprivate var anyElements: [Any] {
    guard Element.self == AnyHashable.self, let boxes = (self as Any) as? Set<AnyHashable> else { return Array(self) }
    return boxes.map(\.base)
  }
}

private protocol AnyDictionary {
  var anyValues: [Any] { get }
  var anyEntries: [AnyHashable: Any] { get }
  var anyCount: Int { get }
}

extension Dictionary: AnyDictionary {
  fileprivate var anyCount: Int { count }
  fileprivate var anyValues: [Any] { Array(values) }
  fileprivate var anyEntries: [AnyHashable: Any] {
    [AnyHashable: Any](map { (AnyHashable($0.key), $0.value as Any) }, uniquingKeysWith: { first, _ in first })
  }
}
