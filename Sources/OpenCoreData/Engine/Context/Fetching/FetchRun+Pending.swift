import Foundation
import OpenCocoaFoundation

/// The pending changes of a fetch's entity, in the context and in its parents.
struct PendingChanges {
  /// The context's own changed objects.
  let own: ContiguousArray<NSManagedObject>
  let above: AncestorChanges?

  var isEmpty: Bool { own.isEmpty && above == nil }

  /// The keys of the store's rows that pending changes have replaced.
  func hiddenKeys(in store: NSPersistentStore) -> ContiguousArray<Int64> {
    var keys = Set(own.lazy.filter { $0.key > 0 && $0.table?.store === store }.map(\.key))
    for identity in above?.hidden ?? [] where identity.key > 0 && identity.store == ObjectIdentifier(store) {
      keys.insert(identity.key)
    }
    return ContiguousArray(keys.sorted())
  }

  /// The largest number of objects that pending changes may add to the store's result.
  var additions: Int { own.count { !$0.state.contains(.deleted) } + (above?.matches.count ?? 0) }
}

extension FetchRun {
  func pendingChanges(
    _ request: some AnyFetchRequest, _ target: FetchTarget, _ above: AncestorChanges?
  ) -> PendingChanges {
    PendingChanges(own: request.includesPendingChanges ? pendingObjects(target) : [], above: above)
  }

  /// The query for the stores. It is wide enough that its result contains the requested page, whatever pending changes
  /// add and hide.
  func storeQuery(
    _ target: FetchTarget, _ pending: PendingChanges, _ stores: [NSPersistentStore]
  ) -> FetchTarget {
    var query = target
    guard target.limit > 0 || target.offset > 0, !pending.isEmpty || stores.count > 1 else { return query }
    let hidden = stores.map { pending.hiddenKeys(in: $0) }
    if target.offset > 0 {
      if stores.count == 1, stores[0].choosesRows {
        // Without the hidden rows, each row of the store's result is at its place in the whole result, or earlier by at
        // most the number of objects that are added.
        let additions = pending.additions
        query.offset = max(0, target.offset - additions)
        if target.limit > 0 { query.limit = Self.sum(query.limit, additions, target.offset - query.offset) }
        if !hidden[0].isEmpty { query.rows = .without(hidden[0]) }
        return query
      }
      // With several stores, the place where a page begins is only known once all results are together.
      query.offset = 0
    }
    // Rows that pending changes take out of the result must not make it shorter than it should be.
    if query.limit > 0 { query.limit = Self.sum(query.limit, target.offset, hidden.map(\.count).max() ?? 0) }
    return query
  }

  /// The sum of numbers that are not negative; the largest integer if the sum is larger, since a limit may be that already.
  static func sum(_ numbers: Int...) -> Int {
    numbers.reduce(0) { sum, number in
      let (next, overflows) = sum.addingReportingOverflow(number)
      return overflows ? .max : next
    }
  }

  /// The number of objects that a fetch gives: the stores' count without the hidden rows, plus the pending objects that
  /// match.
  func count(
    for request: some AnyFetchRequest, _ target: FetchTarget, _ above: AncestorChanges?
  ) throws -> Int {
    let stores = try stores(for: request, target)
    let pending = pendingChanges(request, target, above)
    var all = target
    let isSimple = pending.isEmpty && stores.count == 1
    if !isSimple { (all.limit, all.offset) = (0, 0) }
    var total = 0
    for store in stores {
      let hidden = pending.hiddenKeys(in: store)
      if !hidden.isEmpty, !store.choosesRows {
        let keys = try store.fetchKeys(all, transaction: context.reads.transaction(on: store)).keys
        total += keys.count - keys.count { hidden.contains($0) }
        continue
      }
      total += try store.count(all, transaction: context.reads.transaction(on: store))
      if hidden.isEmpty { continue }
      var gone = all
      gone.rows = .only(hidden)
      gone.isContinued = true
      total -= try store.count(gone, transaction: context.reads.transaction(on: store))
    }
    if isSimple { return total }
    total += try matches(pending.own, request).count + (above?.matches.count ?? 0)
    let rest = max(0, total - target.offset)
    return target.limit > 0 ? min(rest, target.limit) : rest
  }

  /// Changed objects of the target's entity.
  func pendingObjects(_ target: FetchTarget) -> ContiguousArray<NSManagedObject> {
    if context.changed.isEmpty { return [] }
    // Objects whose rows another context has deleted take no part in fetches.
    var pending: ContiguousArray<NSManagedObject> = []
    for object in context.changed
    where !object.state.isDisjoint(with: .anyChange) && !object.state.contains(.inaccessible) {
      if target.includes(object.layout) { pending.append(object) }
    }
    return pending
  }

  private func matches(
    _ pending: ContiguousArray<NSManagedObject>, _ request: some AnyFetchRequest
  ) throws -> ContiguousArray<NSManagedObject> {
    let predicate = request.predicate
    return try FetchWatch.evaluating(predicate, context.readState.watch) {
      try pending.filter { object in
        if object.state.contains(.deleted) { return false }
        try context.readState.watch?.check()
        return try predicate?.holds(for: object) ?? true
      }
    }
  }

  /// Takes changed objects out of the result, and puts those that match back in at their place.
  func overlay(
    _ pending: PendingChanges, _ request: some AnyFetchRequest, _ objects: inout ContiguousArray<NSManagedObject>
  ) throws {
    // Few results contain changed objects, so the set is made only when it is needed.
    lazy var touched = Set(pending.own)
    objects.removeAll { object in
      object.state.contains(.listed) && touched.contains(object) || pending.above?.hides(object) == true
    }
    var matches = try matches(pending.own, request)
    for match in pending.above?.matches ?? [] {
      let object = context.objects.faultObject(key: match.key, layout: match.layout, store: match.store)
      matches.append(object)
      if !request.returnsObjectsAsFaults, object.isFault { FaultReader(of: context).fulfill(object) }
    }
    try merge(matches, into: &objects, request.sortDescriptors ?? [])
  }
}
