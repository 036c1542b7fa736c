import Foundation

// What Apple declares on NSObject. Members of an extension are not overridden, so each asks first whether the class has
// adopted `NSKeyValueCoding`, and calls what the class implements.
extension _KeyValueCodingAndObserving {
  private var coding: (any NSKeyValueCoding)? { self as? any NSKeyValueCoding }

  /// Whether stored properties can be read by their names; true unless the class says otherwise.
  public static var accessInstanceVariablesDirectly: Bool {
    (self as? any NSKeyValueCoding.Type)?.accessInstanceVariablesDirectly ?? true
  }

  /// The value of a property; numbers are NSNumber.
  ///
  /// A class that has not adopted `NSKeyValueCoding` gives its stored properties, found by reflection.
  public func value(forKey key: String) -> Any? { KeyValueCoding.value(of: self, forKey: key) }

  /// The value at the end of a path of keys, which may contain collection operators such as `@count`.
  public func value(forKeyPath keyPath: String) -> Any? {
    if let coding { return coding.value(forKeyPath: keyPath) }
    return KeyValueCoding.value(of: self, forKeyPath: keyPath)
  }

  /// Sets a property, and tells its observers; a collection sets it in each of its elements, a mutable dictionary sets its
  /// value for the key.
  ///
  /// Differs from Apple (D-SRC-06): the class has to adopt `NSKeyValueCoding` and to list the property.
  public func setValue(_ value: Any?, forKey key: String) { KeyValueCoding.setValue(value, of: self, forKey: key) }

  /// Sets the property at the end of a path of keys.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    if let coding { return coding.setValue(value, forKeyPath: keyPath) }
    KeyValueCoding.setValue(value, of: self, forKeyPath: keyPath)
  }

  /// Called for a key that the object does not have; stops the program unless the class does something else.
  public func value(forUndefinedKey key: String) -> Any? {
    if let coding { return coding.value(forUndefinedKey: key) }
    return KeyValueCoding.valueForUndefinedKey(of: self, KeyValueCoding.undefinedKey(key, of: self))
  }

  /// Called for a key that the object does not have; stops the program unless the class does something else.
  public func setValue(_ value: Any?, forUndefinedKey key: String) {
    if let coding { return coding.setValue(value, forUndefinedKey: key) }
    stop(for: KeyValueCoding.undefinedKey(key, of: self, method: "setValue:forUndefinedKey:"))
  }

  /// Called when nil is set for a property without nil; stops the program unless the class does something else.
  public func setNilValueForKey(_ key: String) {
    if let coding { return coding.setNilValueForKey(key) }
    KeyValueCoding.nilForKey(key, of: self)
  }

  /// Checks a value before it is set; the class may throw, or put another value in its place.
  ///
  /// Differs from Apple (D-KVC-02): a method `validate<Key>:` is not found by its name; the class implements this one.
  public func validateValue(_ ioValue: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey inKey: String) throws {
    try coding?.validateValue(ioValue, forKey: inKey)
  }

  /// Checks a value for the property at the end of a path of keys, as the object that has the property says.
  public func validateValue(
    _ ioValue: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKeyPath inKeyPath: String
  ) throws {
    guard let (target, key) = KeyValueCoding.target(of: inKeyPath, from: self) else { return }
    try target.validateValue(ioValue, forKey: key)
  }

  /// The values of some properties, with NSNull in place of nil.
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
  /// An array that stands for a property: changing it changes the property, and tells its observers the indexes.
  ///
  /// Every change reads the property and sets it to a new array. A property that is nil counts as empty.
  public func mutableArrayValue(forKey key: String) -> NSMutableArray {
    (self as? any NSKeyValueCoding)?.mutableArrayValue(forKey: key) ?? KeyValueArray(of: self, key)
  }

  /// An ordered set that stands for a property, as `mutableArrayValue(forKey:)`.
  public func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    (self as? any NSKeyValueCoding)?.mutableOrderedSetValue(forKey: key) ?? KeyValueOrderedSet(of: self, key)
  }

  /// A set that stands for a property: changing it changes the property, and tells its observers what comes and goes.
  ///
  /// Differs from Apple (D-REL-02): bridging it with `as? Set<T>` gives an empty set on Linux, as for every
  /// NSMutableSet subclass there; bridge `value(forKey:)` instead.
  public func mutableSetValue(forKey key: String) -> NSMutableSet {
    (self as? any NSKeyValueCoding)?.mutableSetValue(forKey: key) ?? KeyValueSet(of: self, key)
  }

  /// An array that stands for the property at the end of a path of keys.
  ///
  /// A path through nil stops the program, since there is nothing that the array could stand for.
  public func mutableArrayValue(forKeyPath keyPath: String) -> NSMutableArray {
    let (target, key) = KeyValueCoding.requiredTarget(of: keyPath, from: self, "mutableArrayValueForKeyPath:")
    return target.mutableArrayValue(forKey: key)
  }

  /// An ordered set that stands for the property at the end of a path of keys.
  ///
  /// A path through nil stops the program, since there is nothing that the ordered set could stand for.
  public func mutableOrderedSetValue(forKeyPath keyPath: String) -> NSMutableOrderedSet {
    let (target, key) = KeyValueCoding.requiredTarget(of: keyPath, from: self, "mutableOrderedSetValueForKeyPath:")
    return target.mutableOrderedSetValue(forKey: key)
  }

  /// A set that stands for the property at the end of a path of keys.
  ///
  /// A path through nil stops the program, since there is nothing that the set could stand for.
  public func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
    let (target, key) = KeyValueCoding.requiredTarget(of: keyPath, from: self, "mutableSetValueForKeyPath:")
    return target.mutableSetValue(forKey: key)
  }
}
