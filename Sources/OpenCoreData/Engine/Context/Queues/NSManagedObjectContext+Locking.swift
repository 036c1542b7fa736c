import CRuntime
import Foundation
import Synchronization

/// The lock behind a context's `lock()`.
final class ContextExclusion: Sendable {
  private let lock = NSRecursiveLock()
  /// The thread that holds the lock, and how many times it has taken it.
  private let owner = Atomic<UInt64>(0)
  private let depth = Atomic<Int>(0)

  /// Whether the calling thread holds the lock.
  var isHeld: Bool { owner.load(ordering: .relaxed) == runtime_thread_number() }

  func enter() {
    lock.lock()
    didEnter()
  }

  func tryEnter() -> Bool {
    guard lock.try() else { return false }
    didEnter()
    return true
  }

  private func didEnter() {
    owner.store(runtime_thread_number(), ordering: .relaxed)
    depth.wrappingAdd(1, ordering: .relaxed)
  }

  func leave() {
    if depth.wrappingSubtract(1, ordering: .relaxed).newValue == 0 { owner.store(0, ordering: .relaxed) }
    lock.unlock()
  }
}

// These methods are from the time before contexts had queues, for confinement contexts that several threads use in turns.
extension NSManagedObjectContext {
  /// Waits until no other thread is between `lock()` and `unlock()`. Calls may be nested.
  ///
  /// The lock keeps out only code that takes it, too; blocks of `perform` do not.
  @available(*, deprecated, message: "Use a queue style context and performAndWait(_:) instead.")
  public final func lock() { exclusion.enter() }

  /// Does the same as `lock()`, without waiting: returns false if another thread is inside.
  @available(*, deprecated, message: "Use a queue style context and performAndWait(_:) instead.")
  public final func tryLock() -> Bool { exclusion.tryEnter() }

  /// Ends what `lock()` began, on the same thread.
  @available(*, deprecated, message: "Use a queue style context and performAndWait(_:) instead.")
  public final func unlock() { exclusion.leave() }
}
