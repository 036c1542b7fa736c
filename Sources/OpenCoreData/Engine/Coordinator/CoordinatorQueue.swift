import Dispatch
import Foundation

/// Whose turn it is: blocks of `perform` run one after another, and no other thread is inside of the lock meanwhile.
final class CoordinatorQueue: Sendable {
  let lock = NSRecursiveLock()
  let queue = DispatchQueue(label: "NSPersistentStoreCoordinator")

  func locked<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }
}
