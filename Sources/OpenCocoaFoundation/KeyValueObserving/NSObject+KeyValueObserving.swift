import Foundation

// What Apple declares on NSObject for those that observe and are observed.
extension _KeyValueCodingAndObserving {
  /// Makes an object observe a property, or one at the end of a path of keys.
  ///
  /// - Parameters:
  ///   - observer: is told through `observeValue(forKeyPath:of:change:context:)`; its class adopts `NSKeyValueObserving`.
  ///     It is not retained; one that is gone is told nothing.
  ///   - keyPath: Each object on the way is observed, too.
  ///   - options: What notifications tell, and when they are sent.
  ///   - context: is handed to the observer as it is.
  public func addObserver(
    _ observer: NSObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) {
    KeyValueObserving.add(observer, to: self, keyPath, options, context)
  }

  /// Ends the observation that was begun with `context`; without such a one the program stops.
  public func removeObserver(_ observer: NSObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?) {
    KeyValueObserving.remove(observer, from: self, keyPath) { $0 == context }
  }

  /// Ends an observation, the latest of several; without one the program stops.
  public func removeObserver(_ observer: NSObject, forKeyPath keyPath: String) {
    KeyValueObserving.remove(observer, from: self, keyPath) { _ in true }
  }

  /// Called when an observed value has changed. Stops the program unless the class implements it.
  public func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    guard let observing = self as? any NSKeyValueObserving else {
      KeyValueObserving.unhandled(self, keyPath, object, change, context)
    }
    observing.observeValue(forKeyPath: keyPath, of: object, change: change, context: context)
  }

  /// Takes the place of `super.observeValue` in a class whose superclass has no such method: stops the program, since no
  /// class has handled the notification. The plugin `CoreDataRewriter` writes the call.
  public func _unhandledObservation(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    KeyValueObserving.unhandled(self, keyPath, object, change, context)
  }

  /// What stands for the object's observations; nil if it has none. Setting nil ends them all.
  ///
  /// Differs from Apple (D-KVC-09): what it points to is none of an application's business, and it cannot be moved
  /// elsewhere.
  public var observationInfo: UnsafeMutableRawPointer? {
    get { KeyValueObserving.info(of: self) }
    set { KeyValueObserving.setInfo(newValue, of: self) }
  }

  // MARK: What the class says

  /// The key paths whose changes change a property, too.
  public static func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    (self as? any NSKeyValueObserving.Type)?.keyPathsForValuesAffectingValue(forKey: key)
      ?? ClassMembers.keyPathsAffecting(key, of: self)
  }

  /// Whether `setValue(_:forKey:)` and mutable collections tell the observers of a property by themselves.
  public static func automaticallyNotifiesObservers(forKey key: String) -> Bool {
    (self as? any NSKeyValueObserving.Type)?.automaticallyNotifiesObservers(forKey: key) ?? true
  }
}

// Telling observers.
extension _KeyValueCodingAndObserving {
  private var observing: (any NSKeyValueObserving)? { self as? any NSKeyValueObserving }

  /// Announces that a property is about to change; `didChangeValue(forKey:)` has to follow.
  public func willChangeValue(forKey key: String) {
    if let observing { return observing.willChangeValue(forKey: key) }
    KeyValueObserving.willChange(self, key, .setting)
  }

  /// Tells observers that a property has changed.
  public func didChangeValue(forKey key: String) {
    if let observing { return observing.didChangeValue(forKey: key) }
    KeyValueObserving.didChange(self, key)
  }

  /// Announces that objects at some places of an ordered property are about to change.
  public func willChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
    if let observing { return observing.willChange(changeKind, valuesAt: indexes, forKey: key) }
    KeyValueObserving.willChange(self, key, .indexed(changeKind, indexes))
  }

  /// Tells observers that objects at some places of an ordered property have changed.
  public func didChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
    if let observing { return observing.didChange(changeKind, valuesAt: indexes, forKey: key) }
    KeyValueObserving.didChange(self, key)
  }

  /// Announces that the set that is a property is about to change.
  public func willChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
  ) {
    if let observing { return observing.willChangeValue(forKey: key, withSetMutation: mutationKind, using: objects) }
    KeyValueObserving.willChange(self, key, .mutation(mutationKind, NSSet(array: Array(objects))))
  }

  /// Tells observers that a property that is a set has changed.
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

  /// Tells observers that the property to which a Swift key path leads has changed.
  public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    didChangeValue(forKey: KeyPathNames.requiredName(of: keyPath))
  }
}
