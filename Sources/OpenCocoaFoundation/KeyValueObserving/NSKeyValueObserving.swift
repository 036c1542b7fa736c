import Foundation

/// A class that observes, or says how it is observed.
///
/// On Apple's platforms NSObject itself has these members to override. Here a class that implements `observeValue`
/// adopts this protocol; `NSKeyValueCoding` includes it.
///
/// `setValue(_:forKey:)`, mutable collections that stand for properties, and the setters of managed objects tell
/// observers by themselves.
///
/// Differs from Apple (D-KVC-01): an assignment in Swift cannot; a property that is to be observed says so:
///
/// ```swift
/// final class Purse: NSObject, NSKeyValueCoding {
///   var balance = 0.0 {
///     willSet { willChangeValue(for: \.balance) }
///     didSet { didChangeValue(for: \.balance) }
///   }
///   static let keyValueProperties = [OCDKeyValueProperty("balance", \Purse.balance)]
/// }
///
/// let purse = Purse()
/// let observation = purse.observe(\.balance, options: [.new]) { _, change in
///   print(change.newValue ?? 0)  // 5.0
/// }
/// purse.balance = 5
/// observation.invalidate()
/// ```
public protocol NSKeyValueObserving: _KeyValueCodingAndObserving {
  /// The key paths whose changes change a property, too; none by default.
  ///
  /// Differs from Apple (D-KVC-02): a class method `keyPathsForValuesAffecting<Key>` is found where a plugin of this package
  /// lists it.
  static func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String>

  /// Whether `setValue(_:forKey:)` and mutable collections tell the observers of a property by themselves; true by
  /// default.
  ///
  /// Differs from Apple (D-KVC-02): a method `automaticallyNotifiesObserversOf<Key>` is not found by its name.
  static func automaticallyNotifiesObservers(forKey key: String) -> Bool

  /// Called when an observed value has changed, on the thread that has changed it. An implementation passes notifications
  /// that it does not know on to `super`, which stops the program.
  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?)

  /// Announces that a property is about to change. `didChangeValue(forKey:)` has to follow, in pairs that may be
  /// nested.
  func willChangeValue(forKey key: String)

  /// Tells observers that a property has changed.
  func didChangeValue(forKey key: String)

  /// Announces that objects at some places of an ordered property are about to change.
  func willChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String)

  /// Tells observers that objects at some places of an ordered property have changed.
  func didChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String)

  /// Announces that the set that is a property is about to change.
  func willChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>)

  /// Tells observers that a property that is a set has changed.
  func didChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>)
}

extension NSKeyValueObserving {
  /// The result of the class method `keyPathsForValuesAffecting<Key>`, if a plugin of this package has listed it; otherwise
  /// no key path.
  public static func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    ClassMembers.keyPathsAffecting(key, of: self)
  }

  /// True: setting a property by its key tells the observers.
  public static func automaticallyNotifiesObservers(forKey key: String) -> Bool { true }

  /// Stops the program, because no class has handled the notification.
  public func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    KeyValueObserving.unhandled(self, keyPath, object, change, context)
  }

  /// Announces that a property is about to change.
  public func willChangeValue(forKey key: String) { KeyValueObserving.willChange(self, key, .setting) }

  /// Tells observers that a property has changed.
  public func didChangeValue(forKey key: String) { KeyValueObserving.didChange(self, key) }

  /// Announces that objects at some places of an ordered property are about to change.
  public func willChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
    KeyValueObserving.willChange(self, key, .indexed(changeKind, indexes))
  }

  /// Tells observers that objects at some places of an ordered property have changed.
  public func didChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
    KeyValueObserving.didChange(self, key)
  }

  /// Announces that the set that is a property is about to change.
  public func willChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
  ) {
    KeyValueObserving.willChange(self, key, .mutation(mutationKind, NSSet(array: Array(objects))))
  }

  /// Tells observers that a property that is a set has changed.
  public func didChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
  ) {
    KeyValueObserving.didChange(self, key)
  }
}
