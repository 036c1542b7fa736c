import CoreData
import Foundation

/// Takes objects of any context, and lets go of them on whatever thread comes.
final class ReleaseBag: @unchecked Sendable {  // the list belongs to `lock`; objects are only released here
  private let lock = NSLock()
  private var objects: [NSManagedObject] = []

  func add(_ new: [NSManagedObject]) { lock.withLock { objects += new } }

  /// Releases what is here; gives how many objects that were.
  @discardableResult
  func drop() -> Int {
    var taken: [NSManagedObject] = []
    lock.withLock { swap(&taken, &objects) }
    return taken.count
  }
}
