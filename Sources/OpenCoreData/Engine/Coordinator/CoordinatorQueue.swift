import Dispatch
import Foundation

/// Runs the blocks of `perform` one after another; meanwhile no other thread is inside of the lock.
final class CoordinatorQueue: Sendable {
  let lock = NSRecursiveLock()
  let queue = DispatchQueue(label: "NSPersistentStoreCoordinator")

  /// Whether a thread is inside of the lock, as far as can be told without waiting.
  var isLocked: Bool {
    guard lock.try() else { return true }
    lock.unlock()
    return false
  }

  func locked<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }
}
