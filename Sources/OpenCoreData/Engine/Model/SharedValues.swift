import Synchronization

/// What stores have computed from a model that cannot change any more, so that the next store of the model need not.
///
/// The values may refer to the model's entities, which do not keep the model.
final class SharedValues: Sendable {
  private let values = Mutex<[any AnyObject & Sendable]>([])
  /// A model is opened with few configurations, and with few kinds of files.
  private let limit = 4

  /// Returns the value of a type that passes a test; nil if there is none.
  func value<Value: AnyObject & Sendable>(where test: (Value) throws -> Bool) rethrows -> Value? {
    // The test runs without the lock, since it may read a file.
    for case let value as Value in values.withLock({ $0 }) where try test(value) { return value }
    return nil
  }

  /// Keeps a value, in place of the oldest if there are many.
  func keep(_ value: some AnyObject & Sendable) {
    values.withLock { values in
      if values.count >= limit { values.removeFirst() }
      values.append(value)
    }
  }
}
