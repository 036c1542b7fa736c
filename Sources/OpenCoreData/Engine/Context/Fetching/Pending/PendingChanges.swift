import Foundation
import OpenCocoaFoundation

/// The pending changes that matter to a fetch, in the context and in its parents.
struct PendingChanges {
  /// The context's own changed objects that have to be asked, or whose rows do not count.
  private(set) var own: ContiguousArray<PendingItem>
  /// Nil if the contexts above have no changed object of the fetch's entity.
  let above: AncestorChanges?
  /// Whether rows that have changed are found out after the read. If they are not, every changed object is asked, or its row
  /// does not count.
  private let areRowsKnown: Bool
  private let byEntity: PendingObjects?

  /// - Parameter question: nil if every changed object is to be asked.
  init(
    in context: NSManagedObjectContext, _ target: FetchTarget, _ question: PendingQuestion?, areRowsKnown: Bool,
    _ above: AncestorChanges?
  ) {
    self.above = above
    self.areRowsKnown = areRowsKnown && question != nil
    guard !context.changed.isEmpty else {
      (own, byEntity) = ([], nil)
      return
    }
    if context.saving.isRunning {
      // A save changes objects without noting it.
      byEntity = nil
      own = FetchRun(in: context).pendingObjects(target).ownItems
    } else {
      let byEntity = context.changed.madeByEntity()
      byEntity.follow(context)
      self.byEntity = byEntity
      own = byEntity.select(target, question, areRowsKnown: areRowsKnown)
    }
    guard let returned = above?.returned, !returned.isEmpty else { return }
    let known = identities
    for object in returned where !known.contains(ObjectIdentifier(object)) {
      own.append(PendingItem(object: object, isAsked: !object.state.contains(.deleted), hidesRow: true))
    }
  }

  /// The changes of objects that are asked, whatever they are.
  init(own: ContiguousArray<NSManagedObject>, above: AncestorChanges?) {
    self.own = own.ownItems
    self.above = above
    (areRowsKnown, byEntity) = (false, nil)
  }

  var isEmpty: Bool { own.isEmpty && above?.hidden.isEmpty ?? true }

  /// The keys of the store's rows that pending changes have replaced.
  func hiddenKeys(in store: NSPersistentStore) -> ContiguousArray<Int64> {
    var keys: Set<Int64> = []
    for item in own where item.hidesRow && item.object.key > 0 && item.object.table?.store === store {
      keys.insert(item.object.key)
    }
    for identity in above?.hidden ?? [] where identity.key > 0 && identity.store == ObjectIdentifier(store) {
      keys.insert(identity.key)
    }
    return ContiguousArray(keys.sorted())
  }

  /// The largest number of objects that pending changes may add to the store's result.
  var additions: Int { own.count(where: \.isAsked) + (above?.matches.count ?? 0) }

  /// Removes the objects that are not in the result as their rows are. An object that changes while the fetch runs, by a hook
  /// of another object for example, stays: nothing else puts it into the result.
  func removeReplaced(from objects: inout ContiguousArray<NSManagedObject>) {
    if objects.isEmpty { return }
    let own = identities
    objects.removeAll { own.contains(ObjectIdentifier($0)) || above?.hides($0) == true }
  }

  private var identities: Set<ObjectIdentifier> { Set(own.lazy.map { ObjectIdentifier($0.object) }) }

  /// Whether the rows of the changed objects that were not asked are still those that the objects have read, in the state
  /// that a fetch has seen. If they are not, the fetch is to be made again.
  func areRowsTheSame(_ target: FetchTarget, _ store: NSPersistentStore, _ transaction: ReadTransaction) -> Bool {
    guard areRowsKnown else { return true }
    var areSame = byEntity?.verify(target, store, transaction) ?? true
    for level in above?.levels ?? [] {
      areSame = (level.byEntity?.verify(target, store, transaction) ?? true) && areSame
    }
    return areSame
  }
}

extension ContiguousArray<NSManagedObject> {
  /// The objects as items that a fetch asks, unless they are deleted.
  fileprivate var ownItems: ContiguousArray<PendingItem> {
    ContiguousArray<PendingItem>(
      lazy.map { PendingItem(object: $0, isAsked: !$0.state.contains(.deleted), hidesRow: true) })
  }
}

extension FetchRun {
  /// Runs `body` with the pending changes of a request's entity in the context and those above, which stay as they are
  /// while `body` runs.
  ///
  /// It runs once more, with other changes, if it returns nil: it has then found that a row was changed since an object has
  /// read it, so that the object has to be asked.
  /// - Parameter asksAll: whether all changed objects are to be asked, whatever has changed.
  func withPendingChanges<Result>(
    _ request: some AnyFetchRequest, _ target: FetchTarget, asksAll: Bool, _ body: (PendingChanges) throws -> Result?
  ) throws -> Result {
    try insideAncestors(request) { haveAncestorsChanges in
      guard request.includesPendingChanges, haveAncestorsChanges || !context.changed.isEmpty else {
        if let result = try body(PendingChanges(own: [], above: nil)) { return result }
        raise(.internalInconsistency, "A fetch without pending changes has found one.")
      }
      var question = asksAll ? nil : PendingQuestion(target)
      var areRowsKnown = question != nil
      if areRowsKnown { areRowsKnown = try knowsRows(request, target) }
      var attempts = 0
      while true {
        let above =
          haveAncestorsChanges
          ? try AncestorChanges(target, question, areRowsKnown: areRowsKnown, of: context) : nil
        let pending = PendingChanges(in: context, target, question, areRowsKnown: areRowsKnown, above)
        if let result = try body(pending) { return result }
        attempts += 1
        // The state that the transaction sees may change each time, or the transaction may not tell it.
        if attempts > 1 { (question, areRowsKnown) = (nil, false) }
      }
    }
  }

  /// Whether it can be found out after a read that rows are those which objects have read: it can if one store has them
  /// all, and reads in transactions.
  private func knowsRows(_ request: some AnyFetchRequest, _ target: FetchTarget) throws -> Bool {
    var holder: NSPersistentStore?
    for store in try context.requiredCoordinator().persistentStores where store.holds(target.layout.entity) {
      if holder != nil { return false }
      holder = store
    }
    guard let holder, context.reads.sees(holder), holder.choosesRows, request.affectedStores == nil,
      !context.saving.isRunning
    else { return false }
    // A store without transactions does not tell which state a read has seen.
    return type(of: context.reads.transaction(on: holder)) != ReadTransaction.self
  }
}
