import Foundation
import OpenCocoaFoundation

// The objects of a fetch: the stores' objects with the pending changes of the contexts laid over them.
extension FetchRun {
  /// The request's objects, pending changes laid over them.
  /// - Parameter ahead: rows that were read from stores before; if pending changes need more rows by now, they are read
  ///   again.
  func objects(
    for request: some AnyFetchRequest, _ target: FetchTarget, wantsRows: Bool, ahead: [ReadAhead] = []
  ) throws -> ContiguousArray<NSManagedObject> {
    // Rows that were read ahead may be of another state than the objects' rows are compared with.
    try withPendingChanges(request, target, asksAll: !ahead.isEmpty) { pending in
      let stores = try stores(for: request, target)
      let query = storeQuery(target, pending, stores)
      var objects: ContiguousArray<NSManagedObject> = []
      for store in stores {
        let known = ahead.first { $0.store === store && $0.target.asksTheSame(as: query) }?.rows
        let fetched = try known ?? read(query, request, store, wantsRows: wantsRows)
        if !pending.areRowsTheSame(target, store, context.reads.transaction(on: store)) { return nil }
        let made = makeObjects(fetched, query, request, store, wantsRows: wantsRows, pending.above)
        if objects.isEmpty { objects = made } else { objects.append(contentsOf: made) }
      }
      if stores.count > 1, let order = request.sortDescriptors, !order.isEmpty { try sort(&objects, order) }
      if !pending.isEmpty { try overlay(pending, request, &objects) }
      let offset = target.offset - query.offset
      if offset > 0 { objects.removeFirst(min(offset, objects.count)) }
      if target.limit > 0, objects.count > target.limit { objects.removeLast(objects.count - target.limit) }
      let prefetch = Prefetch(into: context)
      for keyPath in request.relationshipKeyPathsForPrefetching ?? [] {
        try prefetch.read(keyPath, objects, target.layout, areAll: target.isUnrestricted)
      }
      return objects
    }
  }

  /// The stores that a request is for.
  func stores(for request: some AnyFetchRequest, _ target: FetchTarget) throws -> [NSPersistentStore] {
    let all = try context.requiredCoordinator().persistentStores
    let wanted =
      request.affectedStores.map { affected in all.filter { store in affected.contains { $0 === store } } } ?? all
    return wanted.filter { $0.holds(target.layout.entity) && context.reads.sees($0) }
  }

  /// Reads rows or only keys from a store.
  private func read(
    _ query: FetchTarget, _ request: some AnyFetchRequest, _ store: NSPersistentStore, wantsRows: Bool
  ) throws -> FetchedRows {
    try request.readsKeysOnly(wantsRows)
      ? store.fetchKeys(query, transaction: context.reads.transaction(on: store))
      : store.fetchRows(query, transaction: context.reads.transaction(on: store))
  }

  /// Finds or makes the context's objects for the rows or keys that were read.
  private func makeObjects(
    _ fetched: FetchedRows, _ target: FetchTarget, _ request: some AnyFetchRequest, _ store: NSPersistentStore,
    wantsRows: Bool, _ above: AncestorChanges?
  ) -> ContiguousArray<NSManagedObject> {
    if fetched.keys.isEmpty { return [] }
    let table = context.objects.table(for: target.layout, store: store)
    let faultBatch = FaultBatch(
      fetched.keys, layout: target.layout, size: request.fetchBatchSize > 0 ? request.fetchBatchSize : nil)
    table.reserve(fetched.keys.count)
    let layout = target.layout
    // The two cases are separate calls: choosing for each object would count references to its layout.
    let objects =
      target.includesSubentities && layout.hasSubentities
      ? table.findOrMake(fetched.keys) { context.objects.makeUnregistered(fetched.layout($0, asked: layout)) }
      : table.findOrMake(fetched.keys) { _ in context.objects.makeUnregistered(layout) }
    faultBatch.take(objects)
    if request.shouldRefreshRefetchedObjects {
      for object in objects where object.rowReference != nil && above?.haveChanged(object) != true {
        context.refresh(object, mergeChanges: true)
      }
    }
    if !request.returnsObjectsAsFaults, !request.readsKeysOnly(wantsRows) {
      realise(objects, fetched.rows, above, readsStore: !request.includesPendingChanges)
    }
    return objects
  }

  /// Gives the faults among the objects of a fetch their values.
  /// - Parameter readsStore: whether the rows are the store's, without the changes of the contexts above.
  private func realise(
    _ objects: ContiguousArray<NSManagedObject>, _ rows: ContiguousArray<Snapshot>, _ above: AncestorChanges?,
    readsStore: Bool
  ) {
    let rows = Borrowed(rows)
    for (index, object) in Borrowed(objects).enumerated() {
      object.read { object in
        // An object that the contexts above have changed must not get the store's values.
        guard object.isUnread, above?.haveChanged(object) != true else { return }
        if rows.isEmpty || readsStore && context.ancestors.haveChanges {
          return FaultReader(of: context).fulfill(object)
        }
        rows[index].read { if $0.fits(object) { FaultReader(of: context).realise(object, $0) } }
      }
    }
  }
}

extension AnyFetchRequest {
  /// Whether a read of the store gives keys alone.
  func readsKeysOnly(_ wantsRows: Bool) -> Bool { !wantsRows || !includesPropertyValues || fetchBatchSize > 0 }
}
