import Foundation

/// A kind of change of an object or a section in the result of a fetched results controller.
///
/// A move also means that the object was changed. An update means that the object was changed and has its place between
/// the same neighbours. A list redraws the row for both.
///
/// ```swift
/// let types: [NSFetchedResultsChangeType] = [.insert, .delete, .move, .update]
/// print(types.map(\.rawValue))  // [1, 2, 3, 4]
/// ```
///
/// Sections only have `insert` and `delete`.
///
/// See also ``NSFetchedResultsControllerDelegate``.
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

/// Receives the changes of a fetched results controller's results. Implement either the method for snapshots, or the
/// methods for single changes.
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
/// merge. In `controllerWillChangeContent(_:)` the controller still has the old contents; from the next call on it has
/// the new contents. Do not save, and do not fetch with the controller, in these methods.
///
/// Differs from Apple (D-RES-03): there are no optional methods on Linux, so each method has a default implementation.
/// A controller follows changes as soon as it has a delegate. It finds out whether a delegate takes snapshots by
/// calling the method for snapshots once. The class that declares itself a delegate must implement that method, because
/// a method of a subclass is not found. If the controller's result type is not `any NSFetchRequestResult`, the methods
/// get another controller that stands for it (D-RES-02). The two are equal by `==` and, if both are known as
/// controllers, by `===`.
public protocol NSFetchedResultsControllerDelegate: AnyObject {
  /// Gets the contents after the fetch and after each change. A delegate that has this method gets no other calls,
  /// except those for index titles.
  ///
  /// Use it for a list that itself compares its old contents with the new ones, and so needs no single changes. A
  /// snapshot has section names and object IDs, which are safe on every thread. Objects that were changed are among the
  /// reloaded items.
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
  ///   - controller: the controller, or the one that stands for it (D-RES-02).
  ///   - snapshot: the present contents. New objects have temporary IDs until they are saved.
  ///
  /// See also ``NSFetchedResultsController/snapshots``.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference)

  /// Gets the difference between the old and the new list of objects; only for controllers without a section key path.
  /// Objects that were changed and have kept their places are not part of it. Called before
  /// `controllerDidChangeContent(_:)`.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

  /// An object was inserted, deleted, changed or moved. Called for each changed object of an event, between
  /// ``controllerWillChangeContent(_:)`` and ``controllerDidChangeContent(_:)``: deletions first, beginning with the
  /// last, then insertions, moves and updates (D-RES-08).
  ///
  /// The paths are those of a list that takes all changes at once, as `performBatchUpdates` does: an old path counts
  /// before all changes, a new path after all changes.
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
  ///   - controller: the controller, or the one that stands for it (D-RES-02).
  ///   - anObject: the object; its ID if the request asks for IDs.
  ///   - indexPath: the object's place before all changes; nil for an inserted object.
  ///   - type: the kind of change; a move also means that the object was changed.
  ///   - newIndexPath: the object's place after all changes; nil for a deleted object.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

  /// A section was inserted or deleted. Called before the changes of all objects: for deleted sections from the last to
  /// the first, then for inserted sections. Not called for a section in which only objects have changed.
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
  ///   - controller: the controller, or the one that stands for it (D-RES-02).
  ///   - sectionInfo: the section. A deleted section still has its name, but no objects.
  ///   - sectionIndex: the section's number: for a deleted section before all changes, for an inserted section after
  ///     all changes.
  ///   - type: `insert` or `delete`.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType)

  /// Called before changes are reported; the controller still has the old contents. A list begins its updates here. Not
  /// called for a delegate that takes snapshots.
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

  /// Called after all changes of one report; the controller has the new contents. A screen that simply shows everything
  /// anew needs only this method. Not called if nothing in the result has changed.
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

  /// Returns the index title of a section; nil for none. Without this method the title is the name's first letter,
  /// capitalised.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String?
}

/// The methods for which a controller must know whether the delegate has them. Their default implementations report to
/// the controller that they were called.
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
