import Foundation

/// A section of the results of a fetched results controller, in its state when the controller was asked for it.
///
/// ```swift
/// let request = NSFetchRequest<Entry>(entityName: "Entry")
/// request.sortDescriptors = [
///   NSSortDescriptor(key: "isPinned", ascending: true), NSSortDescriptor(key: "date", ascending: true),
/// ]
/// let controller = NSFetchedResultsController(
///   fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "isPinned", cacheName: nil)
/// try controller.performFetch()
/// for section in controller.sections ?? [] {
///   print(section.name, section.numberOfObjects, section.objects?.first is Entry)  // 0 2 true / 1 1 true
/// }
/// ```
///
/// See also ``NSFetchedResultsController/sections``.
public protocol NSFetchedResultsSectionInfo {
  /// The value of the section key path as text; empty if there is no key path.
  var name: String { get }

  /// The section's index title: the result of the controller's `sectionIndexTitle(forSectionName:)` for the name.
  var indexTitle: String? { get }

  /// The number of objects in the section. Reading it makes no objects, while `objects.count` makes all of them: use it
  /// for the number of rows in a list.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: true)]
  /// let controller = NSFetchedResultsController(
  ///   fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
  /// try controller.performFetch()
  /// print(controller.sections?[0].numberOfObjects ?? 0)  // 3
  /// ```
  var numberOfObjects: Int { get }

  /// The section's objects, in their state when the controller gave the section. Reading them makes all objects of the
  /// section. With a `fetchBatchSize`, an object that was deleted since is a fault without a row.
  var objects: [Any]? { get }
}
