import Dispatch
import Foundation
import OpenCocoaFoundation

extension NSAsynchronousFetchRequest {
  /// Begins to read the stores.
  /// - Throws: as `fetch(_:)` for a request that does not fit the model.
  final func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    if context.concurrencyType.rawValue == 0 {
      raise(
        .invalidArgument,
        "NSConfinementConcurrencyType context \(context) cannot support asynchronous fetch request \(self).")
    }
    let progress = Progress(totalUnitCount: estimatedResultCount > 0 ? Int64(estimatedResultCount) : -1)
    let watch = FetchWatch(error: { CocoaError(.userCancelled) }) { [weak progress] count in
      progress?.completedUnitCount = Int64(count)
    }
    progress.cancellationHandler = { watch.stop() }
    let result = NSAsynchronousFetchResult(self, context, progress) { watch.stop() }
    let reads = try FetchRun(in: context).readsAhead(of: fetchRequest, watch)
    nonisolated(unsafe) let request = self
    nonisolated(unsafe) let work = StatementLog.carrying {
      nonisolated(unsafe) let outcome = Result { try reads.map { try $0.read() } }
      context.perform { request.finish(result, outcome, watch) }
    }
    DispatchQueue.global(qos: .userInitiated).async { work() }
    return result
  }

  /// Called on the context's queue: makes the request's result from the rows that were read.
  private final func finish(
    _ result: NSAsynchronousFetchResult<ResultType>, _ outcome: Result<[ReadAhead], any Error>, _ watch: FetchWatch
  ) {
    let context = result.managedObjectContext
    let outer = context.readState.watch
    context.readState.watch = watch
    do {
      try watch.check()
      result.finalResult = try FetchRun(in: context).results(of: fetchRequest, ahead: try outcome.get())
    } catch {
      result.operationError = error
    }
    context.readState.watch = outer
    if let progress = result.progress {
      progress.cancellationHandler = nil
      let count = Int64(result.finalResult?.count ?? 0)
      if result.operationError == nil {
        progress.totalUnitCount = max(1, count)
        progress.completedUnitCount = max(1, count)
      }
    }
    block?(result)
  }
}

extension FetchRun {
  /// The reads that can be done for a request before its context begins the fetch, on stores that can be read on any thread.
  fileprivate func readsAhead(
    of request: some AnyFetchRequest, _ watch: FetchWatch
  ) throws -> [PendingRead] {
    var target = try FetchTarget(request, in: context)
    target.watch = watch
    if request.resultType == .countResultType { return [] }
    return try withPendingChanges(request, target, asksAll: true) { pending in
      let stores = try stores(for: request, target)
      if target.dictionaries != nil, stores.count > 1 { return [] }
      try context.reads.pinNow()
      let query = target.dictionaries == nil ? storeQuery(target, pending, stores) : target
      let isOfRows = request.resultType == .managedObjectResultType || request.includesPropertyValues
      let keysOnly = request.readsKeysOnly(isOfRows)
      return stores.compactMap { store in
        guard store.can(.asynchronousFetches) else { return nil }
        let transaction = store.makeReadTransaction(for: context)
        transaction.follow(context.reads.generation)
        return PendingRead(store: store, query: query, transaction: transaction, keysOnly: keysOnly)
      }
    }
  }
}

/// One store's part of a fetch, which any thread may run. It has a read transaction of its own.
private struct PendingRead: @unchecked Sendable {  // nobody else has the target, and stores are Sendable
  let store: NSPersistentStore
  let query: FetchTarget
  let transaction: ReadTransaction
  let keysOnly: Bool

  func read() throws -> ReadAhead {
    defer { transaction.end() }
    if let dictionaries = query.dictionaries {
      return ReadAhead(
        store: store, target: query,
        dictionaries: try store.fetchDictionaries(query, dictionaries, transaction: transaction))
    }
    let rows =
      try keysOnly ? store.fetchKeys(query, transaction: transaction) : store.fetchRows(query, transaction: transaction)
    return ReadAhead(store: store, target: query, rows: rows)
  }
}
