import Foundation

/// A class whose properties are read and set by name.
///
/// Without the Objective-C run time, properties cannot be found by their names. Stored properties are found by reflection and
/// can be read. A class lists in `keyValueProperties` the properties that can be set, and the computed ones:
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
/// The list also gives the Swift key paths their names, for `observe(\.balance)` and `NSExpression(forKeyPath:)`. The key path
/// `\Savings.balance` of a subclass differs from `\Account.balance`, and needs an entry in the subclass's list (D-KVC-03). A
/// class may implement any of the members below. If other classes inherit from it, it declares the members that they may
/// override as `open` or `class`, because a default implementation cannot be overridden.
public protocol NSKeyValueCoding: NSKeyValueObserving {
  /// The properties that are read and set by name; a subclass adds its own to those of its superclass.
  static var keyValueProperties: [OCDKeyValueProperty] { get }

  /// Whether a stored property that is not in `keyValueProperties` can be read by its name; true by default.
  static var accessInstanceVariablesDirectly: Bool { get }

  /// Returns the value of a property; a number is an NSNumber. Calls `value(forUndefinedKey:)` if there is no such key.
  func value(forKey key: String) -> Any?

  /// Returns the value at the end of a path of keys, which may contain collection operators such as `@count`.
  func value(forKeyPath keyPath: String) -> Any?

  /// Sets a property, and notifies its observers. Calls `setValue(_:forUndefinedKey:)` if there is no such key, and
  /// `setNilValueForKey(_:)` if the value is nil but the property cannot be nil. A value of the wrong type stops the program.
  func setValue(_ value: Any?, forKey key: String)

  /// Sets the property at the end of a path of keys.
  func setValue(_ value: Any?, forKeyPath keyPath: String)

  /// Called for a key that the object does not have; the default stops the program.
  func value(forUndefinedKey key: String) -> Any?

  /// Called for a key that the object does not have, or that cannot be set; the default stops the program.
  func setValue(_ value: Any?, forUndefinedKey key: String)

  /// Called when a property that cannot be nil is set to nil; the default stops the program.
  func setNilValueForKey(_ key: String)

  /// Checks a value before it is set, and may replace it by another value. The default accepts all values.
  func validateValue(_ ioValue: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey inKey: String) throws

  /// Returns an array that stands for a property. A change of the array changes the property, and notifies the property's
  /// observers with the indexes.
  func mutableArrayValue(forKey key: String) -> NSMutableArray

  /// Returns an ordered set that stands for a property. A change of the ordered set changes the property, and notifies the
  /// property's observers with the indexes (D-KVC-07).
  func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet

  /// Returns a set that stands for a property. A change of the set changes the property, and notifies the property's observers
  /// with the added and removed objects.
  func mutableSetValue(forKey key: String) -> NSMutableSet

  /// Returns the values of the properties with the given keys, with NSNull in place of nil.
  func dictionaryWithValues(forKeys keys: [String]) -> [String: Any]

  /// Sets the properties that the keys of a dictionary name; NSNull sets nil.
  func setValuesForKeys(_ keyedValues: [String: Any])
}

extension NSKeyValueCoding {
  /// Returns no properties: only stored properties can be read.
  public static var keyValueProperties: [OCDKeyValueProperty] { [] }

  /// Whether a stored property that is not in `keyValueProperties` can be read by its name: true.
  public static var accessInstanceVariablesDirectly: Bool { true }

  /// Returns the value of a property; a number is an NSNumber.
  public func value(forKey key: String) -> Any? { KeyValueCoding.listedValue(of: self, forKey: key) }

  /// Returns the value at the end of a path of keys, which may contain collection operators such as `@count`.
  public func value(forKeyPath keyPath: String) -> Any? {
    EvaluatorQuestion.answering(self, otherwise: nil) { try KeyValueCoding.askedValue(of: self, forKeyPath: keyPath) }
  }

  /// Sets a property, and notifies its observers.
  ///
  /// Stops the program if the value cannot be converted to the property's type. The message names the class, the key, the
  /// expected type and the type found.
  public func setValue(_ value: Any?, forKey key: String) {
    KeyValueCoding.setListedValue(value, of: self, forKey: key)
  }

  /// Sets the property at the end of a path of keys.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    KeyValueCoding.setValue(value, of: self, forKeyPath: keyPath)
  }

  /// Stops the program, because the object has no such key.
  public func value(forUndefinedKey key: String) -> Any? {
    KeyValueCoding.valueForUndefinedKey(of: self, KeyValueCoding.undefinedKey(key, of: self))
  }

  /// Stops the program, because the object has no such key, or it cannot be set.
  public func setValue(_ value: Any?, forUndefinedKey key: String) {
    stop(for: KeyValueCoding.undefinedKey(key, of: self, method: "setValue:forUndefinedKey:"))
  }

  /// Stops the program, because the property cannot be nil.
  public func setNilValueForKey(_ key: String) { KeyValueCoding.nilForKey(key, of: self) }

  /// Accepts the value.
  public func validateValue(
    _ ioValue: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey inKey: String
  ) throws {}

  /// Returns an array that stands for a property. A change of the array changes the property, and notifies the property's
  /// observers with the indexes.
  public func mutableArrayValue(forKey key: String) -> NSMutableArray { KeyValueArray(of: self, key) }

  /// Returns an ordered set that stands for a property. A change of the ordered set changes the property, and notifies the
  /// property's observers with the indexes.
  public func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet { KeyValueOrderedSet(of: self, key) }

  /// Returns a set that stands for a property. A change of the set changes the property, and notifies the property's observers
  /// with the added and removed objects.
  ///
  /// Differs from Apple (D-REL-02): a cast of the result with `as? Set<T>` is an empty set on Linux, as it is for every subclass
  /// of NSMutableSet there; cast the result of `value(forKey:)` instead.
  public func mutableSetValue(forKey key: String) -> NSMutableSet { KeyValueSet(of: self, key) }

  /// Returns the values of the properties with the given keys, with NSNull in place of nil.
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    KeyValueCoding.dictionary(of: self, forKeys: keys)
  }

  /// Sets the properties that the keys of a dictionary name; NSNull sets nil.
  public func setValuesForKeys(_ keyedValues: [String: Any]) { KeyValueCoding.setValues(keyedValues, of: self) }
}
