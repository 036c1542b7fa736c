import CoreData
import WebProtocol

/// A save of which nobody knows whether the service has carried it out.
struct Doubt {
  let message: SaveMessage
  /// The context that saved, and may save the same again. Without it nobody does, and the doubt is dropped.
  weak var context: NSManagedObjectContext?
  /// Whether the service was asked since, and has carried it out.
  var isDone = false
}

extension SaveMessage.Members {
  /// What is left to do after other members were taken out and put in, where both were said of the same members before.
  func after(_ done: Self) -> Self {
    let (added, removed) = (Set(added ?? []), Set(removed ?? []))
    let (doneAdded, doneRemoved) = (Set(done.added ?? []), Set(done.removed ?? []))
    var left = Self()
    left.added = added.subtracting(doneAdded).union(doneRemoved.subtracting(removed)).sorted()
    left.removed = removed.subtracting(doneRemoved).union(doneAdded.subtracting(added)).sorted()
    return left
  }
}
