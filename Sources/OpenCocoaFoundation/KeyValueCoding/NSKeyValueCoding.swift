import Foundation

/// A class whose properties are read and set by name.
///
/// Without the Objective-C run time, names do not lead to properties by themselves. What is stored is found by
/// reflection and can be read; a class lists in `keyValueProperties` what can be set, and what is computed:
///
/// ```swift
/// final class Account: NSObject, NSKeyValueCoding {
///   var balance = 0.0
///   static let keyValueProperties = [OCDKeyValueProperty("balance", \Account.balance)]
/// }
///
/// let account = Account()
/// account.setValue(12, forKey: "balance")
/// print(account.balance, account.value(forKey: "balance") as? Double ?? 0)  // 12.0 12.0
/// ```
///
/// The same list names the Swift key paths, for `observe(\.balance)` and `NSExpression(forKeyPath:)`;
/// `\Savings.balance` of a subclass is another key path than `\Account.balance`, and needs an entry in the subclass's
/// list (D-KVC-03). A class may implement any member below itself. One that others inherit from declares, as `open` or
/// `class` members, what they may override: a default is not overridden.
public protocol NSKeyValueCoding: NSKeyValueObserving {
  /// The properties that are read and set by name; a subclass adds its own to those of its superclass.
  static var keyValueProperties: [OCDKeyValueProperty] { get }

  /// Whether a stored property that is not in `keyValueProperties` can be read by its name; true by default.
  static var accessInstanceVariablesDirectly: Bool { get }

  /// The value of a property. Numbers are NSNumber. A key that there is not ends in `value(forUndefinedKey:)`.
  func value(forKey key: String) -> Any?

  /// The value at the end of a path of keys, which may contain collection operators such as `@count`.
  func value(forKeyPath keyPath: String) -> Any?

  /// Sets a property, and tells its observers. A key that there is not ends in `setValue(_:forUndefinedKey:)`, nil for
  /// a property without nil in `setNilValueForKey(_:)`, and a value of the wrong type stops the program.
  func setValue(_ value: Any?, forKey key: String)

  /// Sets the property at the end of a path of keys.
  func setValue(_ value: Any?, forKeyPath keyPath: String)

  /// Called for a key that the object does not have; the default stops the program.
  func value(forUndefinedKey key: String) -> Any?

  /// Called for a key that the object does not have, or that cannot be set; the default stops the program.
  func setValue(_ value: Any?, forUndefinedKey key: String)

  /// Called when nil is set for a property without nil; the default stops the program.
  func setNilValueForKey(_ key: String)

  /// Checks a value before it is set, and may put another in its place; the default accepts all.
  func validateValue(_ ioValue: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey inKey: String) throws

  /// A live view of a property as an array: changing it changes the property, and tells its observers the indexes.
  func mutableArrayValue(forKey key: String) -> NSMutableArray

  /// A live view of a property as an ordered set: changing it changes the property, and tells its observers the indexes
  /// (D-KVC-07).
  func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet

  /// A live view of a property as a set: changing it changes the property, and tells its observers which objects were added
  /// and removed.
  func mutableSetValue(forKey key: String) -> NSMutableSet

  /// The values of some properties, with NSNull in place of nil.
  func dictionaryWithValues(forKeys keys: [String]) -> [String: Any]

  /// Sets the properties that the keys of a dictionary name; NSNull sets nil.
  func setValuesForKeys(_ keyedValues: [String: Any])
}

extension NSKeyValueCoding {
  /// No properties. Stored properties can be read without being listed.
  public static var keyValueProperties: [OCDKeyValueProperty] { [] }

  /// Whether a stored property that is not in `keyValueProperties` can be read by its name: true.
  public static var accessInstanceVariablesDirectly: Bool { true }

  /// The value of a property. Numbers are NSNumber.
  public func value(forKey key: String) -> Any? { KeyValueCoding.listedValue(of: self, forKey: key) }

  /// The value at the end of a path of keys, which may contain collection operators such as `@count`.
  public func value(forKeyPath keyPath: String) -> Any? {
    EvaluatorQuestion.answering(self, otherwise: nil) { try KeyValueCoding.askedValue(of: self, forKeyPath: keyPath) }
  }

  /// Sets a property, and tells its observers.
  ///
  /// A value of a type that the property cannot take stops the program, naming class, key, expected and found.
  public func setValue(_ value: Any?, forKey key: String) {
    KeyValueCoding.setListedValue(value, of: self, forKey: key)
  }

  /// Sets the property at the end of a path of keys.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    KeyValueCoding.setValue(value, of: self, forKeyPath: keyPath)
  }

  /// Stops the program: the object has no such key.
  public func value(forUndefinedKey key: String) -> Any? {
    KeyValueCoding.valueForUndefinedKey(of: self, KeyValueCoding.undefinedKey(key, of: self))
  }

  /// Stops the program: the object has no such key.
  public func setValue(_ value: Any?, forUndefinedKey key: String) {
    stop(for: KeyValueCoding.undefinedKey(key, of: self, method: "setValue:forUndefinedKey:"))
  }

  /// Stops the program: the property has no nil.
  public func setNilValueForKey(_ key: String) { KeyValueCoding.nilForKey(key, of: self) }

  /// Accepts the value.
  public func validateValue(
    _ ioValue: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey inKey: String
  ) throws {}

  /// A live view of a property as an array: changing it changes the property, and tells its observers the indexes.
  public func mutableArrayValue(forKey key: String) -> NSMutableArray { KeyValueArray(of: self, key) }

  /// A live view of a property as an ordered set: changing it changes the property, and tells its observers the indexes.
  public func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet { KeyValueOrderedSet(of: self, key) }

  /// A live view of a property as a set: changing it changes the property, and tells its observers which objects are added
  /// and removed.
  ///
  /// Differs from Apple (D-REL-02): bridging it with `as? Set<T>` gives an empty set on Linux, as for every NSMutableSet
  /// subclass there; bridge `value(forKey:)` instead.
  public func mutableSetValue(forKey key: String) -> NSMutableSet { KeyValueSet(of: self, key) }

  /// The values of some properties, with NSNull in place of nil.
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    KeyValueCoding.dictionary(of: self, forKeys: keys)
  }

  /// Sets the properties that the keys of a dictionary name; NSNull sets nil.
  public func setValuesForKeys(_ keyedValues: [String: Any]) { KeyValueCoding.setValues(keyedValues, of: self) }
}
