import Foundation

// Collections have what every object has; only their values for a key are never nil, as Apple declares them.

extension NSArray {
  /// The values of the elements for a key, with NSNull in place of nil.
  public func value(forKey key: String) -> Any { KeyValueCoding.value(of: self, forKey: key) ?? NSNull() }
}

extension NSSet {
  /// The values of the elements for a key, without nil.
  public func value(forKey key: String) -> Any { KeyValueCoding.value(of: self, forKey: key) ?? NSNull() }
}

extension NSOrderedSet {
  /// The values of the elements for a key, with NSNull in place of nil.
  public func value(forKey key: String) -> Any { KeyValueCoding.value(of: self, forKey: key) ?? NSNull() }
}
