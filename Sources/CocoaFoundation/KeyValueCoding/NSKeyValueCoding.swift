import Foundation

/// An object whose properties are read and written by name.
///
/// On Apple's platforms NSObject itself is one. Here a class says so, as NSManagedObject does, and implements
/// `value(forKey:)` and `setValue(_:forKey:)`; the rest follows. A class that others inherit from declares as `open`
/// what they may override, since a default is not overridden.
public protocol NSKeyValueCoding: AnyObject {
  /// The value of a property. Numbers are NSNumber.
  func value(forKey key: String) -> Any?

  /// The value at the end of a path of keys, which may contain collection operators such as `@count`.
  func value(forKeyPath keyPath: String) -> Any?

  /// Sets a property.
  func setValue(_ value: Any?, forKey key: String)

  /// Sets the property at the end of a path of keys.
  func setValue(_ value: Any?, forKeyPath keyPath: String)

  /// Called for a key that the object does not have; the default stops the program.
  func value(forUndefinedKey key: String) -> Any?

  /// Called for a key that the object does not have; the default stops the program.
  func setValue(_ value: Any?, forUndefinedKey key: String)

  /// The values of some properties, with NSNull in place of nil.
  func dictionaryWithValues(forKeys keys: [String]) -> [String: Any]

  /// Sets the properties that the keys of a dictionary name; NSNull sets nil.
  func setValuesForKeys(_ keyedValues: [String: Any])
}

extension NSKeyValueCoding {
  /// The value at the end of a path of keys, which may contain collection operators such as `@count`.
  public func value(forKeyPath keyPath: String) -> Any? {
    KeyValueCoding.value(of: self, forKeyPath: keyPath)
  }

  /// Sets the property at the end of a path of keys.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    KeyValueCoding.setValue(value, of: self, forKeyPath: keyPath)
  }

  /// Stops the program: the object has no such key.
  public func value(forUndefinedKey key: String) -> Any? {
    KeyValueCoding.undefinedKey(key, of: self)
  }

  /// Stops the program: the object has no such key.
  public func setValue(_ value: Any?, forUndefinedKey key: String) {
    KeyValueCoding.undefinedKey(key, of: self, method: "setValue:forUndefinedKey:")
  }

  /// The values of some properties, with NSNull in place of nil.
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    var values: [String: Any] = [:]
    for key in keys { values[key] = value(forKey: key) ?? NSNull() }
    return values
  }

  /// Sets the properties that the keys of a dictionary name; NSNull sets nil.
  public func setValuesForKeys(_ keyedValues: [String: Any]) {
    for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
  }
}
