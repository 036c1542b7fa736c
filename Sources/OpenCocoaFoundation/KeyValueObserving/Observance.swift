import Foundation

/// One observation: an observer of the value at a key path of an object. Weak references are loaded atomically, and only the
/// initialiser sets them.
final class Observance: @unchecked Sendable {
  private weak var observer: NSObject?
  private let observerIdentifier: ObjectIdentifier
  private weak var object: (any _KeyValueCodingAndObserving)?
  let keyPath: String
  let options: NSKeyValueObservingOptions
  let context: UnsafeMutableRawPointer?
  // Protected by the lock of ObservationTable.
  private var watch: KeyPathWatch?
  private var hasEnded = false

  init(
    _ observer: NSObject, _ object: any _KeyValueCodingAndObserving, _ keyPath: String,
    _ options: NSKeyValueObservingOptions, _ context: UnsafeMutableRawPointer?
  ) {
    self.observer = observer
    observerIdentifier = ObjectIdentifier(observer)
    self.object = object
    self.keyPath = keyPath
    self.options = options
    self.context = context
  }

  /// Whether the observation has the given observer. The addresses are compared, because the weak reference is already nil
  /// while the observer is being deallocated.
  func isOf(_ observer: NSObject) -> Bool { observerIdentifier == ObjectIdentifier(observer) }

  func begin() {
    guard let object else { return }
    let watch = KeyPathWatch(self, object, keyPath.keysOfPath[...])
    ObservationTable.shared.locked { self.watch = watch }
    watch.begin()
  }

  func end() { stop()?.end() }

  /// Ends the observation after its object has been released. May be called on any thread: the other objects on the path may be
  /// in use on another thread, so `markObserved` is not called on them.
  func abandon() { stop()?.end(unmarks: false) }

  private func stop() -> KeyPathWatch? {
    ObservationTable.shared.locked {
      let watch = self.watch
      self.watch = nil
      hasEnded = true
      return watch
    }
  }

  /// Whether the observation has ended. A change that was announced before its end may still follow.
  var isOver: Bool { ObservationTable.shared.locked { hasEnded } }

  /// The observed value.
  var value: Any? {
    let value = object.flatMap { KeyValueCoding.value(of: $0, forKeyPath: keyPath) }
    // A mutable set is copied: it would change together with the property, and the value before the change would be lost.
    return (value as? NSMutableSet)?.copy() ?? value
  }

  /// Notifies the observer.
  func tell(_ change: ObservedChange, old: Any?, new: Any?, isPrior: Bool = false) {
    guard !isOver, let object else { return }
    guard let observer else { return dropped(object) }
    var told: [NSKeyValueChangeKey: Any] = [.kindKey: NSNumber(value: change.kind.rawValue)]
    if let indexes = change.indexes { told[.indexesKey] = NSIndexSet(indexSet: indexes) }
    if let old { told[.oldKey] = old }
    if let new { told[.newKey] = new }
    if isPrior { told[.notificationIsPriorKey] = NSNumber(value: true) }
    observer.observeValue(forKeyPath: keyPath, of: object, change: told, context: context)
  }

  /// Ends the observation because its observer was released without being removed.
  private func dropped(_ object: any _KeyValueCodingAndObserving) {
    _ = ObservationTable.shared.locked(object) { observed -> Void? in
      observed.observances.removeAll { $0 === self }
      return nil
    }
    end()
    ObservationTable.shared.removeIfUnused(object)
  }
}
