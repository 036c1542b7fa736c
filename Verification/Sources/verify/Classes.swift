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

/// Hears of changes of what its entity does not model.
final class MoodyPerson: NSManagedObject {
  override class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { false }
}

/// Counts how often it is asked.
final class CountedPolicy: NSMergePolicy {
  nonisolated(unsafe) static var resolutions = 0

  override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    Self.resolutions += 1
    try super.resolve(constraintConflicts: list)
  }
}

/// Notes the classes of the objects that it is given and makes.
final class ClassWatchingPolicy: NSEntityMigrationPolicy {
  nonisolated(unsafe) static var classes: [String] = []

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    Self.classes = ([sInstance] + made).map { String(describing: Swift.type(of: $0)) }
  }
}

/// Changes each source object, and saves its context.
final class SourceSavingPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    sInstance.setValue(sInstance.text("name") + "!", forKey: "name")
    try manager.sourceContext.save()
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
  }
}
