import Foundation
import OpenCocoaFoundation

// Fetching: the statement, the objects of its rows, and what is pending in the context laid over them.
extension NSManagedObjectContext {
  /// Reads the objects that the request describes.
  ///
  /// Rows go to the row cache; objects come as faults unless the request says otherwise. Objects that are realised
  /// already keep their values. Pending changes are taken into account unless the request says otherwise.
  /// The current event ends first, as `processPendingChanges()` ends it, but for the undo group: not in hooks of objects
  /// and in observers.
  /// - Throws: an error that names entity and key for a predicate, sort descriptor or prefetching key path that does not
  ///   fit the model, and names the part of a predicate that SQL cannot express; the same for properties to fetch, to group
  ///   by or in HAVING; the store's errors; `CancellationError` where the task of an asynchronous `perform` was cancelled.
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

  /// The number of objects that a fetch of the request would give.
  /// - Throws: as `fetch(_:)`.
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
