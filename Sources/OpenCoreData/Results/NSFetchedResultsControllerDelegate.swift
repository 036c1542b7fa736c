import Foundation

/// A kind of change of an object or a section in the result of a fetched results controller.
///
/// A move also means that the object was changed, and an update that it has its place between the same neighbours: a
/// list redraws a row for both.
///
/// ```swift
/// let types: [NSFetchedResultsChangeType] = [.insert, .delete, .move, .update]
/// print(types.map(\.rawValue))  // [1, 2, 3, 4]
/// ```
///
/// Sections know `insert` and `delete` alone.
///
/// See also ``NSFetchedResultsControllerDelegate``.
public enum NSFetchedResultsChangeType: UInt, Sendable {
  /// The object or section is new in the result.
  case insert = 1
  /// The object or section is no longer in the result.
  case delete = 2
  /// The object was changed and moved to another place.
  case move = 3
  /// The object was changed and stays between the same neighbours.
  case update = 4
}

/// Hears of changes to what a fetched results controller has fetched. Implement either the method for snapshots, or
/// those for single changes.
///
/// ```swift
/// final class TitleList: NSFetchedResultsControllerDelegate {
///   func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
///     print((controller.fetchedObjects as? [Entry] ?? []).count)  // 4
///   }
/// }
///
/// let request = NSFetchRequest<Entry>(entityName: "Entry")
/// request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: true)]
/// let controller = NSFetchedResultsController(
///   fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
/// let list = TitleList()
/// controller.delegate = list
/// try controller.performFetch()
/// Entry(context: context).title = "Thursday"
/// try context.save()
/// ```
///
/// The methods are called while the controller's context ends an event: at the end of a `perform`, in a save, in a
/// merge. In `controllerWillChangeContent(_:)` the controller still has what it had; from the next call on it has the
/// new contents. Do not save or fetch from the controller in them.
///
/// Differs from Apple (D-RES-03): there are no optional methods on Linux, so each has a default implementation here. A
/// controller tracks changes as soon as it has a delegate. It finds out whether a delegate takes snapshots by calling
/// the method for them once; a class must implement it where it declares that it is a delegate, since a subclass's
/// method is not found. The controller that the methods get is for a controller of another result type than
/// `any NSFetchRequestResult` one that stands for it (D-RES-02): equal to it by `==` and, where both are known as
/// controllers, by `===`.
public protocol NSFetchedResultsControllerDelegate: AnyObject {
  /// The contents, after they were fetched and after each change. A delegate that has this method gets no other calls
  /// but those for index titles.
  ///
  /// For lists that compare what they show with what they are to show, and so need no single changes. Section names and
  /// object IDs, which are safe on every thread; objects that were changed are among the reloaded items.
  ///
  /// ```swift
  /// final class SnapshotList: NSFetchedResultsControllerDelegate {
  ///   func controller(
  ///     _ controller: NSFetchedResultsController<NSFetchRequestResult>,
  ///     didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
  ///   ) {
  ///     print(snapshot.numberOfItems)  // 2 / 3
  ///   }
  /// }
  ///
  /// let request = NSFetchRequest<Tag>(entityName: "Tag")
  /// request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
  /// let controller = NSFetchedResultsController(
  ///   fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
  /// let list = SnapshotList()
  /// controller.delegate = list
  /// try controller.performFetch()
  /// Tag(context: context).name = "rain"
  /// context.processPendingChanges()
  /// ```
  /// - Parameters:
  ///   - controller: the controller, or what stands for it (D-RES-02).
  ///   - snapshot: what there is now; new objects have temporary IDs until they are saved.
  ///
  /// See also ``NSFetchedResultsController/snapshots``.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference)

  /// Called before `controllerDidChangeContent(_:)` with the difference between the old and the new list of objects; only for
  /// controllers without section key path. Objects that have changed and kept their places are not part of it.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

  /// An object has come, gone, changed or moved. Called for each of an event's objects, between
  /// ``controllerWillChangeContent(_:)`` and ``controllerDidChangeContent(_:)``: deletions first, from the last, then
  /// insertions, moves and updates (D-RES-08).
  ///
  /// The paths are those of a list that takes all changes at once, as `performBatchUpdates` does: old ones count before
  /// all changes, new ones after them.
  ///
  /// ```swift
  /// final class ChangeLog: NSFetchedResultsControllerDelegate {
  ///   func controller(
  ///     _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
  ///     at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ///   ) {
  ///     print((anObject as? Entry)?.title ?? "", type == .move)  // Monday true
  ///     print(indexPath ?? [], newIndexPath ?? [])  // [0, 1] [0, 0]
  ///   }
  /// }
  ///
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.sortDescriptors = [NSSortDescriptor(key: "words", ascending: false)]
  /// let controller = NSFetchedResultsController(
  ///   fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
  /// let log = ChangeLog()
  /// controller.delegate = log
  /// try controller.performFetch()
  /// try fetchEntry("Monday", in: context).words = 300  // from the second place to the first
  /// context.processPendingChanges()
  /// ```
  /// - Parameters:
  ///   - controller: the controller, or what stands for it (D-RES-02).
  ///   - anObject: the object; an ID where the request asks for IDs.
  ///   - indexPath: where it was before all changes; nil for one that has come.
  ///   - type: what has happened; a move also means that the object was changed.
  ///   - newIndexPath: where it is after all changes; nil for one that has gone.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

  /// A section has come or gone. Called before all objects' changes; sections that have gone from the last to the
  /// first, then those that have come. A section that only its objects have changed is not told of.
  ///
  /// ```swift
  /// final class SectionLog: NSFetchedResultsControllerDelegate {
  ///   func controller(
  ///     _ controller: NSFetchedResultsController<NSFetchRequestResult>,
  ///     didChange sectionInfo: NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
  ///     for type: NSFetchedResultsChangeType
  ///   ) {
  ///     print(sectionInfo.name, sectionIndex, type == .delete)  // 5 0 true
  ///   }
  /// }
  ///
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.sortDescriptors = [NSSortDescriptor(key: "rating", ascending: false)]
  /// let controller = NSFetchedResultsController(
  ///   fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "rating", cacheName: nil)
  /// let log = SectionLog()
  /// controller.delegate = log
  /// try controller.performFetch()
  /// context.delete(try fetchEntry("Tuesday", in: context))
  /// context.processPendingChanges()
  /// ```
  /// - Parameters:
  ///   - controller: the controller, or what stands for it (D-RES-02).
  ///   - sectionInfo: the section; one that has gone as it was before.
  ///   - sectionIndex: its number; of one that has gone the number before all changes, of one that has come after them.
  ///   - type: `insert` or `delete`.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType)

  /// Changes are about to be told; the controller still has what it had. Where a list begins its updates. Not called
  /// for a delegate that takes snapshots.
  ///
  /// ```swift
  /// final class Before: NSFetchedResultsControllerDelegate {
  ///   func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
  ///     print(controller.fetchedObjects?.count ?? 0)  // 2
  ///   }
  /// }
  ///
  /// let request = NSFetchRequest<Tag>(entityName: "Tag")
  /// request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
  /// let controller = NSFetchedResultsController(
  ///   fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
  /// let before = Before()
  /// controller.delegate = before
  /// try controller.performFetch()
  /// Tag(context: context).name = "rain"
  /// context.processPendingChanges()
  /// ```
  func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

  /// All changes of one report have been told; the controller has the new contents. The one method that a screen needs
  /// which simply shows everything anew. Not called where nothing of the result has changed.
  ///
  /// ```swift
  /// final class After: NSFetchedResultsControllerDelegate {
  ///   func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
  ///     print((controller.fetchedObjects as? [Tag] ?? []).map { $0.name ?? "" })  // ["rain", "swift", "work"]
  ///   }
  /// }
  ///
  /// let request = NSFetchRequest<Tag>(entityName: "Tag")
  /// request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
  /// let controller = NSFetchedResultsController(
  ///   fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
  /// let after = After()
  /// controller.delegate = after
  /// try controller.performFetch()
  /// Tag(context: context).name = "rain"
  /// context.processPendingChanges()
  /// ```
  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

  /// The index title of a section; nil for none. Without this method it is the name's first letter, capitalised.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String?
}

/// The methods for which a controller must know whether the delegate has them. Their default implementations report that they
/// were called.
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
