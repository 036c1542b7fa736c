import Foundation
import OpenCocoaFoundation

// The methods that fetch; `FetchRun` implements them.
extension NSManagedObjectContext {
  /// Reads the objects that the request describes, one statement for each store that holds the entity.
  ///
  /// The objects come as faults whose rows are in the row cache already, so reading their attributes runs no further
  /// statement; walking a relationship does, unless ``NSFetchRequest/relationshipKeyPathsForPrefetching`` names it.
  /// Objects that the context has realised before keep their values: a fetch is no refresh (see
  /// ``NSFetchRequest/shouldRefreshRefetchedObjects``).
  ///
  /// ```swift
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.predicate = NSPredicate(format: "ANY tags.name == %@", "swift")
  /// request.sortDescriptors = [NSSortDescriptor(key: "words", ascending: false)]
  /// let entries = try context.fetch(request)
  /// print(entries.map { $0.title ?? "" })  // ["Wednesday", "Tuesday"]
  /// ```
  ///
  /// Unsaved changes of this context, and of those above it, are laid over the store's result, unless the request says
  /// otherwise: an object that was changed so that it matches is found, a deleted one is not. The predicate is then
  /// evaluated in memory for changed objects alone, as far as their changes matter to predicate and sort descriptors.
  ///
  /// The current event ends first, as by `processPendingChanges()`, but the undo group stays open. In hooks of objects
  /// and in observers the event goes on (D-CTX-07).
  ///
  /// Differs from Apple (D-ERR-02): a predicate, sort descriptor or column that does not fit the model is an error that
  /// can be caught, where Apple's raises an exception. An entity that the model does not have, and a result type that
  /// is not the class of the objects, stop the program.
  /// - Parameter request: what to read; it is not changed, and may be used again.
  /// - Returns: objects, IDs, dictionaries or a count, as `resultType` says; the array is complete when this returns.
  /// - Throws: 134060 for a predicate, sort descriptor or prefetching key path that does not fit the model, naming
  ///   entity and key, for the part of a predicate that SQL cannot express (D-PRE-11), for properties to fetch, to
  ///   group by or in HAVING, and for a context without coordinator; the store's errors, as 259 for a damaged page;
  ///   `CancellationError` where the task of an asynchronous `perform` was cancelled.
  ///
  /// See also ``NSFetchRequest``, ``existingObject(with:)``, ``fetchPages(_:keeping:)``.
  public final func fetch<ResultType>(_ request: NSFetchRequest<ResultType>) throws -> [ResultType] {
    if isSubclassed { return try FetchRun.cast(fetch(request.retyped()), ResultType.self) }
    return try FetchRun(in: self).fetch(request)
  }

  /// The number of objects that a fetch of the request would give, by one `SELECT COUNT` that reads no row.
  ///
  /// Use it in place of `fetch(request).count`, and of `fetch(request).isEmpty`, whose answer needs no objects either.
  /// Limit and offset count as they do for the fetch; the order does not matter. Unsaved changes count, too.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.predicate = NSPredicate(format: "rating >= 4")
  /// print(try context.count(for: request))  // 2
  /// Entry(context: context).rating = 5
  /// print(try context.count(for: request))  // 3
  /// ```
  ///
  /// For dictionaries it is the number of rows or groups. It throws the error that the fetch would throw, where Apple's
  /// method returns NSNotFound in Objective-C.
  /// - Parameter request: what to count; its result type does not matter.
  /// - Throws: as the typed `fetch(_:)`.
  ///
  /// See also ``NSFetchRequestResultType/countResultType``.
  public final func count<ResultType>(for request: NSFetchRequest<ResultType>) throws -> Int {
    if isSubclassed { return try count(for: request.retyped(to: (any NSFetchRequestResult).self)) }
    return try FetchRun(in: self).count(for: request)
  }

  /// Whether the class may override the methods that typed requests run through.
  private final var isSubclassed: Bool { Swift.type(of: self) != NSManagedObjectContext.self }
}
