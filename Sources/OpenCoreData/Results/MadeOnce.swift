import Synchronization

/// A value that is made when it is asked for, and then kept. All copies of the struct that has it share it.
final class MadeOnce<Value: Sendable>: Sendable {
  private let made = Mutex<Value?>(nil)

  func value(_ make: () -> Value) -> Value {
    if let value = made.withLock({ $0 }) { return value }
    // Made outside the lock. If two threads make the value, both make the same one.
    let value = make()
    made.withLock { $0 = value }
    return value
  }
}
