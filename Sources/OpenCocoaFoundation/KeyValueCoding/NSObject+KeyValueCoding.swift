import Foundation

// The members that Apple declares on NSObject. Members of an extension cannot be overridden. So each member first checks
// whether the class has adopted `NSKeyValueCoding`, and then calls the implementation of the class.
extension _KeyValueCodingAndObserving {
  private var coding: (any NSKeyValueCoding)? { self as? any NSKeyValueCoding }

  /// Whether stored properties can be read by their names; true unless the class implements this otherwise.
  public static var accessInstanceVariablesDirectly: Bool {
    (self as? any NSKeyValueCoding.Type)?.accessInstanceVariablesDirectly ?? true
  }

  /// Returns the value of a property; a number is an NSNumber.
  ///
  /// For a class that has not adopted `NSKeyValueCoding`, stored properties are found by reflection.
  public func value(forKey key: String) -> Any? { KeyValueCoding.value(of: self, forKey: key) }

  /// Returns the value at the end of a path of keys, which may contain collection operators such as `@count`.
  public func value(forKeyPath keyPath: String) -> Any? {
    if let coding { return coding.value(forKeyPath: keyPath) }
    return KeyValueCoding.value(of: self, forKeyPath: keyPath)
  }

  /// Sets a property, and notifies its observers. A collection sets the property of each of its elements; a mutable dictionary
  /// sets its value for the key.
  ///
  /// Differs from Apple (D-SRC-06): the class has to adopt `NSKeyValueCoding` and to list the property.
  public func setValue(_ value: Any?, forKey key: String) { KeyValueCoding.setValue(value, of: self, forKey: key) }

  /// Sets the property at the end of a path of keys.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    if let coding { return coding.setValue(value, forKeyPath: keyPath) }
    KeyValueCoding.setValue(value, of: self, forKeyPath: keyPath)
  }

  /// Called for a key that the object does not have. Stops the program unless the class implements it otherwise.
  public func value(forUndefinedKey key: String) -> Any? {
    if let coding { return coding.value(forUndefinedKey: key) }
    return KeyValueCoding.valueForUndefinedKey(of: self, KeyValueCoding.undefinedKey(key, of: self))
  }

  /// Called for a key that the object does not have. Stops the program unless the class implements it otherwise.
  public func setValue(_ value: Any?, forUndefinedKey key: String) {
    if let coding { return coding.setValue(value, forUndefinedKey: key) }
    stop(for: KeyValueCoding.undefinedKey(key, of: self, method: "setValue:forUndefinedKey:"))
  }

  /// Called when a property that cannot be nil is set to nil. Stops the program unless the class implements it otherwise.
  public func setNilValueForKey(_ key: String) {
    if let coding { return coding.setNilValueForKey(key) }
    KeyValueCoding.nilForKey(key, of: self)
  }

  /// Checks a value before it is set. The implementation of the class may throw, or replace the value by another.
  ///
  /// Differs from Apple (D-KVC-02): a method `validate<Key>:` is not found by its name; implement this method instead.
  public func validateValue(_ ioValue: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey inKey: String) throws {
    try coding?.validateValue(ioValue, forKey: inKey)
  }

  /// Checks a value for the property at the end of a path of keys, with `validateValue(_:forKey:)` of the object that has the
  /// property.
  public func validateValue(
    _ ioValue: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKeyPath inKeyPath: String
  ) throws {
    guard let (target, key) = KeyValueCoding.target(of: inKeyPath, from: self) else { return }
    try target.validateValue(ioValue, forKey: key)
  }

  /// Returns the values of the properties with the given keys, with NSNull in place of nil.
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    coding?.dictionaryWithValues(forKeys: keys) ?? KeyValueCoding.dictionary(of: self, forKeys: keys)
  }

  /// Sets the properties that the keys of a dictionary name; NSNull sets nil.
  public func setValuesForKeys(_ keyedValues: [String: Any]) {
    if let coding { return coding.setValuesForKeys(keyedValues) }
    KeyValueCoding.setValues(keyedValues, of: self)
  }
}

// Collections that stand for properties.
extension _KeyValueCodingAndObserving {
  /// Returns an array that stands for a property. A change of the array changes the property, and notifies the property's
  /// observers with the indexes.
  ///
  /// Every change reads the property and sets it to a new array. If the property is nil, the array is empty.
  public func mutableArrayValue(forKey key: String) -> NSMutableArray {
    (self as? any NSKeyValueCoding)?.mutableArrayValue(forKey: key) ?? KeyValueArray(of: self, key)
  }

  /// Returns an ordered set that stands for a property, like the array of `mutableArrayValue(forKey:)`.
  public func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    (self as? any NSKeyValueCoding)?.mutableOrderedSetValue(forKey: key) ?? KeyValueOrderedSet(of: self, key)
  }

  /// Returns a set that stands for a property. A change of the set changes the property, and notifies the property's observers
  /// with the added and removed objects.
  ///
  /// Differs from Apple (D-REL-02): a cast of the result with `as? Set<T>` is an empty set on Linux, as it is for every subclass
  /// of NSMutableSet there; cast the result of `value(forKey:)` instead.
  public func mutableSetValue(forKey key: String) -> NSMutableSet {
    (self as? any NSKeyValueCoding)?.mutableSetValue(forKey: key) ?? KeyValueSet(of: self, key)
  }

  /// Returns an array that stands for the property at the end of a path of keys.
  ///
  /// Stops the program if the path leads through nil, because there is no object that has the property.
  public func mutableArrayValue(forKeyPath keyPath: String) -> NSMutableArray {
    let (target, key) = KeyValueCoding.requiredTarget(of: keyPath, from: self, "mutableArrayValueForKeyPath:")
    return target.mutableArrayValue(forKey: key)
  }

  /// Returns an ordered set that stands for the property at the end of a path of keys.
  ///
  /// Stops the program if the path leads through nil, because there is no object that has the property.
  public func mutableOrderedSetValue(forKeyPath keyPath: String) -> NSMutableOrderedSet {
    let (target, key) = KeyValueCoding.requiredTarget(of: keyPath, from: self, "mutableOrderedSetValueForKeyPath:")
    return target.mutableOrderedSetValue(forKey: key)
  }

  /// Returns a set that stands for the property at the end of a path of keys.
  ///
  /// Stops the program if the path leads through nil, because there is no object that has the property.
  public func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
    let (target, key) = KeyValueCoding.requiredTarget(of: keyPath, from: self, "mutableSetValueForKeyPath:")
    return target.mutableSetValue(forKey: key)
  }
}
