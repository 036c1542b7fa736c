import Foundation
import OpenCocoaFoundation

// Fetching: the statement, the objects of its rows, and what is pending in the context laid over them.
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
  /// Unsaved changes of this context, and of those above it, are laid over what the store says, unless the request says
  /// otherwise: an object that was changed so that it matches is found, one that was deleted is not. The predicate is
  /// then evaluated in memory for changed objects alone.
  ///
  /// The current event ends first, as `processPendingChanges()` ends it, but for the undo group: not in hooks of
  /// objects and in observers (D-CTX-07).
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
    if isSubclassed { return try cast(fetch(request.retyped()), ResultType.self) }
    return try baseFetch(request)
  }

  /// The implementation of all variants of `fetch`.
  final func baseFetch<ResultType>(_ request: NSFetchRequest<ResultType>) throws -> [ResultType] {
    checkQueue()
    endEventBeforeFetch()
    return try fetch(request, ahead: [])
  }

  /// - Parameter ahead: what was read for the request before.
  final func fetch<ResultType>(
    _ request: NSFetchRequest<ResultType>, ahead: [ReadAhead]
  ) throws -> [ResultType] {
    let target = try FetchTarget(request, in: self)
    switch request.resultType {
    case .countResultType:
      return try cast([NSNumber(value: try baseCount(for: request))], ResultType.self)
    case .managedObjectIDResultType:
      return try cast(
        try watchedObjects(for: request, target, wantsRows: request.includesPropertyValues, ahead).map(\.objectID),
        ResultType.self)
    case .managedObjectResultType:
      let isUniform = !target.includesSubentities || !target.layout.hasSubentities
      return FetchedArray.cast(
        try watchedObjects(for: request, target, wantsRows: true, ahead), to: ResultType.self, isUniform: isUniform)
    case .dictionaryResultType:
      let dictionaries = try ahead.first?.dictionaries ?? watchedDictionaries(for: request, target)
      if ResultType.self != NSDictionary.self, let result = dictionaries as? [ResultType] { return result }
      return try cast(dictionaries.map { NSDictionary(dictionary: $0) }, ResultType.self)
    default:
      throw NSError(coreData: NSCoreDataError, "Result type \(request.resultType.rawValue) is not supported.")
    }
  }

  /// The number of objects that a fetch of the request would give, by one `SELECT COUNT` that reads no row.
  ///
  /// Ask it in place of `fetch(request).count`, and of `fetch(request).isEmpty`, whose answer needs no objects either.
  /// Limit and offset count as they do for the fetch; the order has no part in it. Unsaved changes count, too.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.predicate = NSPredicate(format: "rating >= 4")
  /// print(try context.count(for: request))  // 2
  /// Entry(context: context).rating = 5
  /// print(try context.count(for: request))  // 3
  /// ```
  ///
  /// Of dictionaries it is the number of rows or groups. It throws what the fetch would throw, where Apple's has
  /// NSNotFound in Objective-C.
  /// - Parameter request: what to count; its result type does not matter.
  /// - Throws: as the typed `fetch(_:)`.
  ///
  /// See also ``NSFetchRequestResultType/countResultType``.
  public final func count<ResultType>(for request: NSFetchRequest<ResultType>) throws -> Int {
    if isSubclassed { return try count(for: request.retyped(to: (any NSFetchRequestResult).self)) }
    return try baseCount(for: request)
  }

  /// Whether the class may override what typed requests run through.
  private final var isSubclassed: Bool { Swift.type(of: self) != NSManagedObjectContext.self }

  /// The implementation of all variants of `count`.
  final func baseCount<ResultType>(for request: NSFetchRequest<ResultType>) throws -> Int {
    checkQueue()
    endEventBeforeFetch()
    let target = try FetchTarget(request, in: self)
    guard Watchers.watchContexts else { return try count(for: request, target) }
    let watch = ContextWatch(.count, target.layout)
    do {
      let count = try count(for: request, target)
      watch.endCount(request, count)
      return count
    } catch {
      watch.fail()
      throw error
    }
  }

  private final func count(for request: some AnyFetchRequest, _ target: FetchTarget) throws -> Int {
    if target.dictionaries != nil { return try dictionaryCount(for: request, target) }
    return try withAncestorChanges(request, target) { try count(for: request, target, $0) }
  }

  @discardableResult
  final func baseExecute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    checkQueue()
    if let request = request as? any ExecutableRequest { return try request.execute(in: self) }
    throw NSError(
      coreData: NSPersistentStoreUnsupportedRequestTypeError,
      "Requests of type \(type(of: request)) are not executed this way; use fetch(_:) for a fetch request.")
  }

  private final func cast<Result>(_ values: [Any], _ type: Result.Type) throws -> [Result] {
    try values.map { value in
      if let value = value as? Result { return value }
      throw NSError(
        coreData: NSCoreDataError,
        "The request's result type gives \(Swift.type(of: value)), but NSFetchRequest<\(type)> was asked for.")
    }
  }
}
