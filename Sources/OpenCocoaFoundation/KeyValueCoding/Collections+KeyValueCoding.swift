import Foundation

extension NSArray {
  /// The values of the elements for a key, with NSNull in place of nil.
  public func value(forKey key: String) -> Any {
    KeyValueCoding.value(of: self, forKey: key) ?? NSNull()
  }

  /// The value at the end of a path of keys, such as `@sum.price`.
  public func value(forKeyPath keyPath: String) -> Any? {
    KeyValueCoding.value(of: self, forKeyPath: keyPath)
  }

  /// Sets a property of every element.
  public func setValue(_ value: Any?, forKey key: String) {
    KeyValueCoding.setValue(value, of: self, forKey: key)
  }
}

extension NSSet {
  /// The values of the elements for a key, without nil.
  public func value(forKey key: String) -> Any {
    KeyValueCoding.value(of: self, forKey: key) ?? NSNull()
  }

  /// The value at the end of a path of keys, such as `@sum.price`.
  public func value(forKeyPath keyPath: String) -> Any? {
    KeyValueCoding.value(of: self, forKeyPath: keyPath)
  }

  /// Sets a property of every element.
  public func setValue(_ value: Any?, forKey key: String) {
    KeyValueCoding.setValue(value, of: self, forKey: key)
  }
}

extension NSOrderedSet {
  /// The values of the elements for a key, with NSNull in place of nil.
  public func value(forKey key: String) -> Any {
    KeyValueCoding.value(of: self, forKey: key) ?? NSNull()
  }

  /// The value at the end of a path of keys, such as `@sum.price`.
  public func value(forKeyPath keyPath: String) -> Any? {
    KeyValueCoding.value(of: self, forKeyPath: keyPath)
  }

  /// Sets a property of every element.
  public func setValue(_ value: Any?, forKey key: String) {
    KeyValueCoding.setValue(value, of: self, forKey: key)
  }
}

extension NSDictionary {
  /// The value at the end of a path of keys.
  public func value(forKeyPath keyPath: String) -> Any? {
    KeyValueCoding.value(of: self, forKeyPath: keyPath)
  }
}

extension NSMutableDictionary {
  /// Sets the value of a key; nil removes it.
  public func setValue(_ value: Any?, forKey key: String) {
    KeyValueCoding.setValue(value, of: self, forKey: key)
  }
}
