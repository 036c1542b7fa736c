import Foundation

// The members that Apple's NSObject has for observers and observed objects.
extension _KeyValueCodingAndObserving {
  /// Registers an observer of a property, or of the property at the end of a path of keys.
  ///
  /// - Parameters:
  ///   - observer: The object whose `observeValue(forKeyPath:of:change:context:)` is called. Its class adopts
  ///     `NSKeyValueObserving`. The observer is not retained; after it has been released, no notifications are sent.
  ///   - keyPath: The key, or the path of keys. The objects on the path are observed, too.
  ///   - options: What the notifications contain, and when they are sent.
  ///   - context: A pointer that is passed to the observer unchanged.
  public func addObserver(
    _ observer: NSObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) {
    KeyValueObserving.add(observer, to: self, keyPath, options, context)
  }

  /// Ends the latest observation that was begun with `context`. Stops the program if there is none.
  public func removeObserver(_ observer: NSObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?) {
    KeyValueObserving.remove(observer, from: self, keyPath) { $0 == context }
  }

  /// Ends the latest observation of a key path by an observer. Stops the program if there is none.
  public func removeObserver(_ observer: NSObject, forKeyPath keyPath: String) {
    KeyValueObserving.remove(observer, from: self, keyPath) { _ in true }
  }

  /// Called when an observed value has changed. Stops the program unless the class adopts `NSKeyValueObserving` and implements
  /// this method.
  public func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    guard let observing = self as? any NSKeyValueObserving else {
      KeyValueObserving.unhandled(self, keyPath, object, change, context)
    }
    observing.observeValue(forKeyPath: keyPath, of: object, change: change, context: context)
  }

  /// Stops the program, because the notification was not handled. The plugin `CoreDataRewriter` writes a call of this method in
  /// the place of `super.observeValue` in a class whose superclass has no such method.
  public func _unhandledObservation(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    KeyValueObserving.unhandled(self, keyPath, object, change, context)
  }

  /// A pointer that stands for the object's observations; nil if the object has none. Setting nil ends all of them.
  ///
  /// Differs from Apple (D-KVC-09): applications cannot use the memory that the pointer points to, and the pointer cannot be
  /// stored elsewhere or set on another object.
  public var observationInfo: UnsafeMutableRawPointer? {
    get { KeyValueObserving.info(of: self) }
    set { KeyValueObserving.setInfo(newValue, of: self) }
  }

  // MARK: Declarations of the class

  /// Returns the key paths that a property depends on: observers of the property are notified when one of them changes.
  public static func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    (self as? any NSKeyValueObserving.Type)?.keyPathsForValuesAffectingValue(forKey: key)
      ?? ClassMembers.keyPathsAffecting(key, of: self)
  }

  /// Whether `setValue(_:forKey:)` and mutable collections automatically notify the observers of a property.
  public static func automaticallyNotifiesObservers(forKey key: String) -> Bool {
    (self as? any NSKeyValueObserving.Type)?.automaticallyNotifiesObservers(forKey: key) ?? true
  }
}

// Notifying observers.
extension _KeyValueCodingAndObserving {
  private var observing: (any NSKeyValueObserving)? { self as? any NSKeyValueObserving }

  /// Announces that a property is about to change; `didChangeValue(forKey:)` has to follow.
  public func willChangeValue(forKey key: String) {
    if let observing { return observing.willChangeValue(forKey: key) }
    KeyValueObserving.willChange(self, key, .setting)
  }

  /// Notifies observers that a property has changed.
  public func didChangeValue(forKey key: String) {
    if let observing { return observing.didChangeValue(forKey: key) }
    KeyValueObserving.didChange(self, key)
  }

  /// Announces that objects at some places of an ordered property are about to change.
  public func willChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
    if let observing { return observing.willChange(changeKind, valuesAt: indexes, forKey: key) }
    KeyValueObserving.willChange(self, key, .indexed(changeKind, indexes))
  }

  /// Notifies observers that objects at some places of an ordered property have changed.
  public func didChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
    if let observing { return observing.didChange(changeKind, valuesAt: indexes, forKey: key) }
    KeyValueObserving.didChange(self, key)
  }

  /// Announces that the set of a property is about to change.
  public func willChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
  ) {
    if let observing { return observing.willChangeValue(forKey: key, withSetMutation: mutationKind, using: objects) }
    KeyValueObserving.willChange(self, key, .mutation(mutationKind, NSSet(array: Array(objects))))
  }

  /// Notifies observers that the set of a property has changed.
  public func didChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
  ) {
    if let observing { return observing.didChangeValue(forKey: key, withSetMutation: mutationKind, using: objects) }
    KeyValueObserving.didChange(self, key)
  }

  /// Announces that the property that a Swift key path leads to is about to change.
  public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    willChangeValue(forKey: KeyPathNames.requiredName(of: keyPath))
  }

  /// Notifies observers that the property that a Swift key path leads to has changed.
  public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    didChangeValue(forKey: KeyPathNames.requiredName(of: keyPath))
  }
}
