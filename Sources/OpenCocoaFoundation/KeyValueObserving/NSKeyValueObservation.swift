import Foundation

/// An observation by Swift key path. It ends with `invalidate()`, or when it is released.
public final class NSKeyValueObservation: NSObject {
  /// Protects `helper`, because an observation may be ended or released on any thread.
  private let lock = NSLock()
  private var helper: Helper?

  fileprivate init(_ helper: Helper) {
    self.helper = helper
  }

  deinit { invalidate() }

  /// Ends the observation. A second call does nothing.
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

  /// The object that is registered as the observer. It calls the closure.
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
  /// Calls a closure whenever the value that a Swift key path leads to changes, as long as the returned observation is retained.
  ///
  /// The key path must have a name; without one the program stops. The key path of a stored property of a final class has a
  /// name. Others get a name from `NSKeyValueCoding.keyValueProperties`, `OCDRegisterKeyPath(_:name:)` or the build plugin.
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
