import Foundation

/// An observation by Swift key path. It ends with `invalidate()`, or when its last reference is released.
public final class NSKeyValueObservation: NSObject {
  /// Protects `helper`: an observation may be ended and released on any thread.
  private let lock = NSLock()
  private var helper: Helper?

  fileprivate init(_ helper: Helper) {
    self.helper = helper
  }

  deinit { invalidate() }

  /// Ends the observation; the second time does nothing.
  public func invalidate() {
    let helper = lock.withLock {
      let helper = self.helper
      self.helper = nil
      return helper
    }
    guard let helper, let object = helper.object else { return }
    // Setting the object's `observationInfo` to nil may have ended it already.
    _ = KeyValueObserving.end(helper, of: object, helper.keyPath) { _ in true }
  }

  /// The object that observes for the observation.
  fileprivate final class Helper: NSObject, NSKeyValueObserving {
    private(set) weak var object: (any _KeyValueCodingAndObserving)?
    let keyPath: String
    private let handler: (Any, [NSKeyValueChangeKey: Any]) -> Void

    init(
      _ object: any _KeyValueCodingAndObserving, _ keyPath: String,
      _ handler: @escaping (Any, [NSKeyValueChangeKey: Any]) -> Void
    ) {
      self.object = object
      self.keyPath = keyPath
      self.handler = handler
    }

    func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      if let object, let change { handler(object, change) }
    }
  }
}

extension _KeyValueCodingAndObserving {
  /// Calls a closure whenever the value that a Swift key path leads to changes, as long as the observation is held.
  ///
  /// The key path must have a name: that of a stored property of a final class has, others get it from
  /// `NSKeyValueCoding.keyValueProperties`, `OCDRegisterKeyPath(_:name:)` or the build plugin. One without stops the program.
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let name = KeyPathNames.requiredName(of: keyPath)
    let helper = NSKeyValueObservation.Helper(self, name) { object, change in
      if let object = object as? Self { changeHandler(object, NSKeyValueObservedChange(change)) }
    }
    KeyValueObserving.add(helper, to: self, name, options, nil)
    return NSKeyValueObservation(helper)
  }
}
