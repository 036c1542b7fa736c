import Foundation

/// Whether a value has elements.
package func isCollection(_ value: Any?) -> Bool {
  elements(of: value) != nil
}

/// The elements of a value that has some: those of arrays and sets, and the values of dictionaries.
package func elements(of value: Any?) -> [Any]? {
  switch value {
  case nil, is String, is NSNumber: return nil
  case let array as [Any]: return array
  case let set as NSSet: return set.allObjects
  case let set as NSOrderedSet: return set.array
  case let dictionary as NSDictionary: return dictionary.allValues
  case let set as any AnySet: return set.anyElements
  case let dictionary as any AnyDictionary: return dictionary.anyValues
  default: return nil
  }
}

private protocol AnySet {
  var anyElements: [Any] { get }
}

extension Set: AnySet {
  fileprivate var anyElements: [Any] { Array(self) }
}

private protocol AnyDictionary {
  var anyValues: [Any] { get }
}

extension Dictionary: AnyDictionary {
  fileprivate var anyValues: [Any] { Array(values) }
}
