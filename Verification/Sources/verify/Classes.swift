import CoreData

/// Counts how often objects awaken from their insertion.
final class CountedPerson: NSManagedObject {
  nonisolated(unsafe) static var awakenings = 0

  override func awakeFromInsert() {
    super.awakeFromInsert()
    Self.awakenings += 1
  }
}

/// Sets a value when it has been fetched.
final class FetchedPerson: NSManagedObject {
  override func awakeFromFetch() {
    super.awakeFromFetch()
    setValue(99, forKey: "age")
  }
}

/// Notes the kinds of changes that a controller tells.
final class ResultsWatcher: NSObject, NSFetchedResultsControllerDelegate {
  var calls: [String] = []

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    switch type {
    case .insert: calls.append("insert")
    case .delete: calls.append("delete")
    case .move: calls.append("move")
    case .update: calls.append("update")
    @unknown default: calls.append("?")
    }
  }
}
