import Foundation

/// One observation: its observer and the observed value. Weak references are loaded atomically, and set only by the
/// initialiser.
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

  /// Whether the observance belongs to that observer. An observer that is being released is recognised only by its address.
  func isOf(_ observer: NSObject) -> Bool { observerIdentifier == ObjectIdentifier(observer) }

  func begin() {
    guard let object else { return }
    let watch = KeyPathWatch(self, object, keyPath.keysOfPath[...])
    ObservationTable.shared.locked { self.watch = watch }
    watch.begin()
  }

  func end() { stop()?.end() }

  /// Ends the observation when its object is gone, from any thread: other objects on the path, which may be in use on
  /// another one, keep their marks.
  func abandon() { stop()?.end(unmarks: false) }

  private func stop() -> KeyPathWatch? {
    ObservationTable.shared.locked {
      let watch = self.watch
      self.watch = nil
      hasEnded = true
      return watch
    }
  }

  /// Whether the observation is over: a change that was announced before may still be on its way.
  var isOver: Bool { ObservationTable.shared.locked { hasEnded } }

  /// The observed value.
  var value: Any? {
    let value = object.flatMap { KeyValueCoding.value(of: $0, forKeyPath: keyPath) }
    // A set that changes together with its property would not show the old contents.
    return (value as? NSMutableSet)?.copy() ?? value
  }

  /// Tells the observer.
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

  /// The observer was released without removing its observation.
  private func dropped(_ object: any _KeyValueCodingAndObserving) {
    _ = ObservationTable.shared.locked(object) { observed -> Void? in
      observed.observances.removeAll { $0 === self }
      return nil
    }
    end()
    ObservationTable.shared.removeIfUnused(object)
  }
}
