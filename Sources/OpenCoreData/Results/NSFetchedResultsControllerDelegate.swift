import Foundation

/// A kind of change of an object or a section in the result of a fetched results controller.
public enum NSFetchedResultsChangeType: UInt, Sendable {
  /// The object or section is new in the result.
  case insert = 1
  /// The object or section is no longer in the result.
  case delete = 2
  /// The object was changed, and has another place.
  case move = 3
  /// The object was changed, and has its place between the same neighbours.
  case update = 4
}

/// Hears of changes to what a fetched results controller has fetched.
///
/// The methods are called while the controller's context ends an event: at the end of a `perform`, in a save, in a merge. In
/// `controllerWillChangeContent(_:)` the controller still has what it had; from the next call on it has the new contents.
///
/// Differs from Apple (D-RES-03): there are no optional methods on Linux, so each has a default implementation here. A
/// controller tracks changes as soon as it has a delegate. It finds out whether a delegate takes snapshots by calling
/// the method for them once; a class must implement it where it declares that it is a delegate, since a subclass's
/// method is not found. The controller that the methods get is for a controller of another result type than `any
/// NSFetchRequestResult` one that stands for it: equal to it by `==` and, where both are known as controllers, by
/// `===`.
public protocol NSFetchedResultsControllerDelegate: AnyObject {
  /// The contents, after they were fetched and after each change. A delegate that has this method gets no other calls but
  /// those for index titles.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference)

  /// How the list of objects differs from what it was; for controllers without section key path alone. Objects that were
  /// changed and have kept their places are not part of it. Called before `controllerDidChangeContent(_:)`.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

  /// An object has come, gone, changed or moved.
  /// - Parameters:
  ///   - controller: the controller.
  ///   - anObject: the object.
  ///   - indexPath: where it was before all changes; nil for one that has come.
  ///   - type: what has happened; a move also means that the object was changed.
  ///   - newIndexPath: where it is after all changes; nil for one that has gone.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

  /// A section has come or gone. Called before all objects' changes.
  /// - Parameters:
  ///   - controller: the controller.
  ///   - sectionInfo: the section; one that has gone as it was before.
  ///   - sectionIndex: its number; of one that has gone the number before all changes, of one that has come after them.
  ///   - type: `insert` or `delete`.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType)

  /// Changes are about to be told; the controller still has what it had.
  func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

  /// All changes of one report have been told.
  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

  /// The index title of a section; nil for none. Without this method it is the name's first letter, capitalised.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String?
}

/// The methods that a controller must know of whether the delegate has them. Their default implementations say so when they
/// are called.
struct DelegateMethods: OptionSet, Sendable {
  let rawValue: UInt8

  static let snapshot = DelegateMethods(rawValue: 1)
  static let difference = DelegateMethods(rawValue: 2)
  static let indexTitle = DelegateMethods(rawValue: 4)
}

extension NSFetchedResultsControllerDelegate {
  /// Does nothing.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
  ) { controller.results.missingMethods.insert(.snapshot) }

  /// Does nothing.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ) { controller.results.missingMethods.insert(.difference) }

  /// Does nothing.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {}

  /// Does nothing.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {}

  /// Does nothing.
  public func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

  /// Does nothing.
  public func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

  /// Leaves the title to the controller.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String? {
    controller.results.missingMethods.insert(.indexTitle)
    return nil
  }
}
