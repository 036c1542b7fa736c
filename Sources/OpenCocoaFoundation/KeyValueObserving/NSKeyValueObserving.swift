import Foundation

/// A class whose instances observe others, or that says how its instances are observed.
///
/// On Apple's platforms NSObject itself has these members to override. Here a class that implements `observeValue`
/// adopts this protocol; `NSKeyValueCoding` includes it.
///
/// `setValue(_:forKey:)`, mutable collections that stand for properties, and the setters of managed objects notify
/// observers automatically.
///
/// Differs from Apple (D-KVC-01): an assignment in Swift does not notify observers. A property that is to be observed announces
/// its changes itself:
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
  /// Returns the key paths that a property depends on: observers of the property are notified when one of them changes. The
  /// default is none.
  ///
  /// Differs from Apple (D-KVC-02): a class method `keyPathsForValuesAffecting<Key>` is found only if a plugin of this package
  /// lists it.
  static func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String>

  /// Whether `setValue(_:forKey:)` and mutable collections automatically notify the observers of a property; true by default.
  ///
  /// Differs from Apple (D-KVC-02): a method `automaticallyNotifiesObserversOf<Key>` is not found by its name.
  static func automaticallyNotifiesObservers(forKey key: String) -> Bool

  /// Called when an observed value has changed, on the thread that has changed it. The default implementation stops the
  /// program, because the notification was not handled.
  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?)

  /// Announces that a property is about to change. `didChangeValue(forKey:)` has to follow, in pairs that may be
  /// nested.
  func willChangeValue(forKey key: String)

  /// Notifies observers that a property has changed.
  func didChangeValue(forKey key: String)

  /// Announces that objects at some places of an ordered property are about to change.
  func willChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String)

  /// Notifies observers that objects at some places of an ordered property have changed.
  func didChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String)

  /// Announces that the set of a property is about to change.
  func willChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>)

  /// Notifies observers that the set of a property has changed.
  func didChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>)
}

extension NSKeyValueObserving {
  /// Returns the result of the class method `keyPathsForValuesAffecting<Key>` if a plugin of this package has listed one; else
  /// no key path.
  public static func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    ClassMembers.keyPathsAffecting(key, of: self)
  }

  /// Returns true: setting a property by its key notifies the observers.
  public static func automaticallyNotifiesObservers(forKey key: String) -> Bool { true }

  /// Stops the program, because the class does not handle the notification.
  public func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    KeyValueObserving.unhandled(self, keyPath, object, change, context)
  }

  /// Announces that a property is about to change.
  public func willChangeValue(forKey key: String) { KeyValueObserving.willChange(self, key, .setting) }

  /// Notifies observers that a property has changed.
  public func didChangeValue(forKey key: String) { KeyValueObserving.didChange(self, key) }

  /// Announces that objects at some places of an ordered property are about to change.
  public func willChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
    KeyValueObserving.willChange(self, key, .indexed(changeKind, indexes))
  }

  /// Notifies observers that objects at some places of an ordered property have changed.
  public func didChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
    KeyValueObserving.didChange(self, key)
  }

  /// Announces that the set of a property is about to change.
  public func willChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
  ) {
    KeyValueObserving.willChange(self, key, .mutation(mutationKind, NSSet(array: Array(objects))))
  }

  /// Notifies observers that the set of a property has changed.
  public func didChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
  ) {
    KeyValueObserving.didChange(self, key)
  }
}
