import CoreData
import Foundation

/// A list on a screen, which follows a controller.
final class ShownList: NSFetchedResultsControllerDelegate {
  let controller: NSFetchedResultsController<NSManagedObject>
  /// The number of changes that the list was told about.
  private(set) var told = 0
  /// The number of objects after the last change.
  private(set) var counted = 0
  private let readsAll: Bool

  /// Fetches the contents.
  /// - Parameter readsAll: Whether the list reads `fetchedObjects` after a change, in place of single objects and sections.
  init(_ controller: NSFetchedResultsController<NSManagedObject>, readsAll: Bool) throws {
    self.controller = controller
    self.readsAll = readsAll
    controller.delegate = self
    try controller.performFetch()
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    guard let newIndexPath else { return }
    if readsAll || self.controller.object(at: newIndexPath) === anObject as? NSManagedObject { told += 1 }
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    counted =
      readsAll
      ? self.controller.fetchedObjects?.count ?? 0
      : self.controller.sections?.reduce(0) { $0 + $1.numberOfObjects } ?? 0
  }

  /// Reads the names of the first 20 objects, as a screen shows them.
  /// - Returns: The number of names.
  func readPage() -> Int {
    (0..<20).count { controller.object(at: IndexPath(item: $0, section: 0)).value(forKey: "name") as? String != nil }
  }

  /// Checks that the list has the contents that a fetch finds.
  func check() throws {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Track")
    request.sortDescriptors = controller.fetchRequest.sortDescriptors
    let found = try controller.managedObjectContext.fetch(request), shown = controller.fetchedObjects ?? []
    guard counted == found.count, shown.count == found.count, zip(shown, found).allSatisfy(===) else {
      throw WorkloadError(description: "results: the list shows \(shown.count) and \(counted), not \(found.count)")
    }
  }
}
