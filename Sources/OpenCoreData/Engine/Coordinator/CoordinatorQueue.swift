import Dispatch
import Foundation
import Synchronization

/// Runs the blocks of `perform` one after another; meanwhile no other thread is inside of the lock.
final class CoordinatorQueue: Sendable {
  private let mutex = NSRecursiveLock()
  /// How often the thread that has the lock has taken it; changed by that thread alone.
  private let depth = Atomic<Int>(0)
  let queue = DispatchQueue(label: "NSPersistentStoreCoordinator")

  /// Whether a thread is inside of the lock, told without taking it: another thread's `tryLock()` must not fail for that.
  var isLocked: Bool { depth.load(ordering: .relaxed) > 0 }

  func lock() {
    mutex.lock()
    depth.wrappingAdd(1, ordering: .relaxed)
  }

  func tryLock() -> Bool {
    guard mutex.try() else { return false }
    depth.wrappingAdd(1, ordering: .relaxed)
    return true
  }

  func unlock() {
    depth.wrappingSubtract(1, ordering: .relaxed)
    mutex.unlock()
  }

  func locked<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body()
  }
}
