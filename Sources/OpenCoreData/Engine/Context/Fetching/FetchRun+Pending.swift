import Foundation
import OpenCocoaFoundation

// What pending changes mean for the question to the stores, and for their answer.
extension FetchRun {
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
  /// match. Nil if a row was changed since a pending object that was not asked has read it.
  func count(
    for request: some AnyFetchRequest, _ target: FetchTarget, _ pending: PendingChanges
  ) throws -> Int? {
    let stores = try stores(for: request, target)
    var all = target
    let isSimple = pending.isEmpty && stores.count == 1
    if !isSimple { (all.limit, all.offset) = (0, 0) }
    var total = 0
    for store in stores {
      total += try count(all, pending.hiddenKeys(in: store), in: store)
      if !pending.areRowsTheSame(target, store, context.reads.transaction(on: store)) { return nil }
    }
    if isSimple { return total }
    total += try matches(pending.own, request).count + (pending.above?.matches.count ?? 0)
    let rest = max(0, total - target.offset)
    return target.limit > 0 ? min(rest, target.limit) : rest
  }

  /// The number of a store's rows without the hidden ones.
  private func count(
    _ target: FetchTarget, _ hidden: ContiguousArray<Int64>, in store: NSPersistentStore
  ) throws -> Int {
    let transaction = context.reads.transaction(on: store)
    if !hidden.isEmpty, !store.choosesRows {
      let keys = try store.fetchKeys(target, transaction: transaction).keys
      return keys.count - keys.count { hidden.contains($0) }
    }
    let total = try store.count(target, transaction: transaction)
    if hidden.isEmpty { return total }
    var gone = target
    gone.rows = .only(hidden)
    gone.isContinued = true
    return total - (try store.count(gone, transaction: transaction))
  }

  /// All changed objects of the target's entity.
  func pendingObjects(_ target: FetchTarget) -> ContiguousArray<NSManagedObject> {
    if context.changed.isEmpty { return [] }
    var pending: ContiguousArray<NSManagedObject> = []
    for object in context.changed where PendingRecord.role(of: object) != .none {
      if target.includes(object.layout) { pending.append(object) }
    }
    return pending
  }

  /// The objects among the items that match the request.
  private func matches(
    _ pending: ContiguousArray<PendingItem>, _ request: some AnyFetchRequest
  ) throws -> ContiguousArray<NSManagedObject> {
    if pending.isEmpty { return [] }
    let predicate = request.predicate
    return try FetchWatch.evaluating(predicate, context.readState.watch) {
      var matches: ContiguousArray<NSManagedObject> = []
      for item in pending where item.isAsked && !item.object.state.contains(.deleted) {
        try context.readState.watch?.check()
        if try predicate?.holds(for: item.object) ?? true { matches.append(item.object) }
      }
      return matches
    }
  }

  /// Takes changed objects out of the result, and puts those that match back in at their place.
  func overlay(
    _ pending: PendingChanges, _ request: some AnyFetchRequest, _ objects: inout ContiguousArray<NSManagedObject>
  ) throws {
    pending.removeReplaced(from: &objects)
    var matches = try matches(pending.own, request)
    for match in pending.above?.matches ?? [] {
      let object = context.objects.faultObject(key: match.key, layout: match.layout, store: match.store)
      matches.append(object)
      if !request.returnsObjectsAsFaults, object.isFault { FaultReader(of: context).fulfill(object) }
    }
    try merge(matches, into: &objects, request.sortDescriptors ?? [])
  }
}
