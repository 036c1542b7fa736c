import Foundation

// Collections have the members of every object. Only `value(forKey:)` is declared again, because on Apple's platforms its
// result is not optional for collections.

extension NSArray {
  /// Returns the values of the elements for a key, with NSNull in place of nil.
  public func value(forKey key: String) -> Any { KeyValueCoding.value(of: self, forKey: key) ?? NSNull() }
}

extension NSSet {
  /// Returns the values of the elements for a key, without nil.
  public func value(forKey key: String) -> Any { KeyValueCoding.value(of: self, forKey: key) ?? NSNull() }
}

extension NSOrderedSet {
  /// Returns the values of the elements for a key, with NSNull in place of nil.
  public func value(forKey key: String) -> Any { KeyValueCoding.value(of: self, forKey: key) ?? NSNull() }
}
