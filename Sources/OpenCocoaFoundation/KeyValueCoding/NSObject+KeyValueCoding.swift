import Foundation

// The members that Apple declares on NSObject. Members of an extension cannot be overridden. So each of them checks first
// whether the class has adopted `NSKeyValueCoding`, and calls the class's implementation then.
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

  /// Called for a key that the object does not have. Stops the program unless the class implements it.
  public func value(forUndefinedKey key: String) -> Any? {
    if let coding { return coding.value(forUndefinedKey: key) }
    return KeyValueCoding.valueForUndefinedKey(of: self, KeyValueCoding.undefinedKey(key, of: self))
  }

  /// Called for a key that the object does not have. Stops the program unless the class implements it.
  public func setValue(_ value: Any?, forUndefinedKey key: String) {
    if let coding { return coding.setValue(value, forUndefinedKey: key) }
    stop(for: KeyValueCoding.undefinedKey(key, of: self, method: "setValue:forUndefinedKey:"))
  }

  /// Called when nil is set for a property without nil. Stops the program unless the class implements it.
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

// Live views of properties that are collections.
extension _KeyValueCodingAndObserving {
  /// A live view of a property as an array: changing it changes the property, and tells its observers the indexes.
  ///
  /// Every change reads the property and sets it to a new array. A property that is nil counts as empty.
  public func mutableArrayValue(forKey key: String) -> NSMutableArray {
    (self as? any NSKeyValueCoding)?.mutableArrayValue(forKey: key) ?? KeyValueArray(of: self, key)
  }

  /// A live view of a property as an ordered set, like `mutableArrayValue(forKey:)`.
  public func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    (self as? any NSKeyValueCoding)?.mutableOrderedSetValue(forKey: key) ?? KeyValueOrderedSet(of: self, key)
  }

  /// A live view of a property as a set: changing it changes the property, and tells its observers which objects are added
  /// and removed.
  ///
  /// Differs from Apple (D-REL-02): bridging it with `as? Set<T>` gives an empty set on Linux, as for every NSMutableSet
  /// subclass there; bridge `value(forKey:)` instead.
  public func mutableSetValue(forKey key: String) -> NSMutableSet {
    (self as? any NSKeyValueCoding)?.mutableSetValue(forKey: key) ?? KeyValueSet(of: self, key)
  }

  /// A live view, as an array, of the property at the end of a path of keys.
  ///
  /// A path through nil stops the program, since there is no property to view.
  public func mutableArrayValue(forKeyPath keyPath: String) -> NSMutableArray {
    let (target, key) = KeyValueCoding.requiredTarget(of: keyPath, from: self, "mutableArrayValueForKeyPath:")
    return target.mutableArrayValue(forKey: key)
  }

  /// A live view, as an ordered set, of the property at the end of a path of keys.
  ///
  /// A path through nil stops the program, since there is no property to view.
  public func mutableOrderedSetValue(forKeyPath keyPath: String) -> NSMutableOrderedSet {
    let (target, key) = KeyValueCoding.requiredTarget(of: keyPath, from: self, "mutableOrderedSetValueForKeyPath:")
    return target.mutableOrderedSetValue(forKey: key)
  }

  /// A live view, as a set, of the property at the end of a path of keys.
  ///
  /// A path through nil stops the program, since there is no property to view.
  public func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
    let (target, key) = KeyValueCoding.requiredTarget(of: keyPath, from: self, "mutableSetValueForKeyPath:")
    return target.mutableSetValue(forKey: key)
  }
}
