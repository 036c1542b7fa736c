import Foundation
import OpenCocoaFoundation

/// One fetch or count of a context, on its queue: runs the statement, makes the objects of its rows, and lays the
/// context's pending changes over them. In the context it only registers the objects.
struct FetchRun {
  let context: NSManagedObjectContext

  init(in context: NSManagedObjectContext) { self.context = context }

  /// Runs a fetch that the program asks for. The current event ends first.
  func fetch<ResultType>(_ request: NSFetchRequest<ResultType>) throws -> [ResultType] {
    context.checkQueue()
    context.events.endBeforeFetch()
    return try results(of: request)
  }

  /// - Parameter ahead: rows that were read for the request before.
  func results<ResultType>(
    of request: NSFetchRequest<ResultType>, ahead: [ReadAhead] = []
  ) throws -> [ResultType] {
    let target = try FetchTarget(request, in: context)
    switch request.resultType {
    case .countResultType:
      return try Self.cast([NSNumber(value: try count(for: request))], ResultType.self)
    case .managedObjectIDResultType:
      return try Self.cast(
        try watchedObjects(for: request, target, wantsRows: request.includesPropertyValues, ahead).map(\.objectID),
        ResultType.self)
    case .managedObjectResultType:
      let isUniform = !target.includesSubentities || !target.layout.hasSubentities
      return FetchedArray.cast(
        try watchedObjects(for: request, target, wantsRows: true, ahead), to: ResultType.self, isUniform: isUniform)
    case .dictionaryResultType:
      let dictionaries = try ahead.first?.dictionaries ?? watchedDictionaries(for: request, target)
      if ResultType.self != NSDictionary.self, let result = dictionaries as? [ResultType] { return result }
      return try Self.cast(dictionaries.map { NSDictionary(dictionary: $0) }, ResultType.self)
    default:
      throw NSError(coreData: NSCoreDataError, "Result type \(request.resultType.rawValue) is not supported.")
    }
  }

  /// The number of objects that a fetch of the request would give. The current event ends first.
  func count<ResultType>(for request: NSFetchRequest<ResultType>) throws -> Int {
    context.checkQueue()
    context.events.endBeforeFetch()
    let target = try FetchTarget(request, in: context)
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

  private func count(for request: some AnyFetchRequest, _ target: FetchTarget) throws -> Int {
    if target.dictionaries != nil { return try dictionaryCount(for: request, target) }
    return try withPendingChanges(request, target, asksAll: false) { try count(for: request, target, $0) }
  }

  /// Converts the values to the type that a typed request promises.
  static func cast<Result>(_ values: [Any], _ type: Result.Type) throws -> [Result] {
    try values.map { value in
      if let value = value as? Result { return value }
      throw NSError(
        coreData: NSCoreDataError,
        "The request's result type gives \(Swift.type(of: value)), but NSFetchRequest<\(type)> was asked for.")
    }
  }
}
