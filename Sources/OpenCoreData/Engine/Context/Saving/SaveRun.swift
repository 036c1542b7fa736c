import Foundation
import OpenCocoaFoundation

/// One save of a context, on its queue: events, hooks, validation, one transaction per store, then the update of the objects.
struct SaveRun {
  let context: NSManagedObjectContext

  init(of context: NSManagedObjectContext) { self.context = context }

  func save() throws {
    context.checkQueue()
    // While a thread waits in the middle of a save, another thread may run blocks in its place. Inside of the parent, the
    // save need not wait.
    if let parentContext = context.parentContext, !ContextStack.contains(parentContext) {
      return try context.ancestors.enteringIfConfined { try parentContext.performAndWait { try context.save() } }
    }
    guard !context.saving.isRunning else {
      throw NSError(
        coreData: 132001, "attempt to recursively call -save: on the context aborted",
        ["message": "attempt to recursively call -save: on the context aborted"])
    }
    context.saving.begin()
    // A save also changes objects outside of events.
    context.changed.forgetEntities()
    defer {
      context.saving.end()
      context.undoRecorder?.stepOfSave = nil
      if let resolved = context.saving.takeResolved() { AutomaticMerging.passDown(resolved, from: context) }
    }
    let watch = Watchers.watchContexts ? ContextWatch(.save) : nil
    do {
      if let kinds = try saveChanges() {
        watch?.endSave(inserted: kinds.inserted.count, updated: kinds.updated.count, deleted: kinds.deleted.count)
      } else {
        watch?.cancel()
      }
    } catch {
      watch?.fail()
      throw error
    }
  }

  /// - Returns: nil where there was nothing to save.
  private func saveChanges() throws -> SavedObjects? {
    KeyExchange(of: context).absorb()
    context.notices.beginSave()
    context.events.end(isSaving: true)
    defer { context.event.toldOfSave = nil }
    Notifier(of: context).post(.NSManagedObjectContextWillSave, nil)
    try callWillSave()
    context.changed.removeAll { object in
      let isOver = !object.isPending
      if isOver { object.state.subtract(.recorded) }
      return isOver
    }
    guard !context.changed.isEmpty else {
      if context.parentContext == nil { try saveMetadata() }
      Notifier(of: context).postDidSave(SavedObjects())
      return nil
    }
    try validate()
    try checkReferences()
    try context.undoRecorder?.readUnreadValues()
    let insertedAgain = objectsInsertedAgain()
    let kinds: SavedObjects
    if let parentContext = context.parentContext {
      context.reads.end()
      kinds = SavedObjects(context.changed)
      try push(to: parentContext)
    } else {
      kinds = try write()
    }
    // Changes that observers make from here on belong to another undo step.
    context.undoRecorder?.stepOfSave = nil
    context.undoRecorder?.forgetCascaded()
    let saved = context.changed
    context.changed = ChangedObjects()
    context.saving.forgetInsertedAgain()
    context.saving.forgetGuarded()
    saved.forEachUncounted { $0.state.subtract(.recorded) }
    context.saving.settleLooseEnds()
    for object in saved { object.didSave() }
    // The objects leave only now: in didSave a deleted object still has to know that it is deleted.
    saved.forEachUncounted { if $0.state.contains(.deleted) { context.objects.unregister($0) } }
    Notifier(of: context).postDidSave(kinds.telling(asInserted: insertedAgain))
    // Other contexts have the rows already, so they are told what was done with these.
    AutomaticMerging.broadcast(kinds, from: context)
    return kinds
  }

  /// The objects that were given to `insert(_:)` though they have a row. The save updates their rows, and their state does
  /// not tell any more, afterwards, that they were inserted again.
  private func objectsInsertedAgain() -> [NSManagedObject] {
    if !context.saving.mayHaveInsertedAgain { return [] }
    return context.changed.filter { $0.isInserted && !$0.state.contains(.inserted) }
  }

  /// Hands the changes to the stores, and updates the objects.
  private func write() throws -> SavedObjects {
    var written: [SaveWork] = []
    var deletedRows: [ObjectIdentifier: DeletedRow] = [:]
    do {
      try resolvingConflicts {
        // Another attempt may read newer rows.
        for deleted in try realiseChanged() { deletedRows[ObjectIdentifier(deleted.object)] = deleted }
        context.reads.end()
        for (store, work) in try worksByStore(without: written) {
          guard let result = try write(work, to: store) else { continue }
          finish(work, result, store)
          if let transaction = result.transaction { context.notices.note(transaction, of: store) }
          written.append(work)
        }
      }
      try saveMetadata()
    } catch {
      // Objects that another store has deleted already must not be deleted again by a second attempt.
      for object in written.lazy.flatMap(\.deleted) { context.objects.unregister(object) }
      if !written.isEmpty {
        context.reads.advance()
        AutomaticMerging.broadcast(SavedObjects(written), from: context)
      }
      context.changed.removeAll(where: \.isDetached)
      throw error
    }
    context.reads.advance(now: true)
    for (object, row) in deletedRows.values where object.rowReference == nil { object.snapshot = row }
    return SavedObjects(written, told: context.event.toldOfSave)
  }

  /// Writes metadata that was set for the coordinator's stores.
  private func saveMetadata() throws {
    for store in context.persistentStoreCoordinator?.persistentStores ?? [] { try store.saveMetadata() }
  }

  /// Calls willSave for the objects that will be written; it is called again for objects that this changes.
  func callWillSave() throws {
    for _ in 0..<1000 {
      var called = false
      var position = 0
      while position < context.changed.endPosition {
        let next = context.changed.at(position)
        position += 1
        guard let object = next, object.hasChanges, !object.state.contains(.saving) else { continue }
        object.state.insert(.saving)
        object.willSave()
        called = true
      }
      context.events.end(isSaving: true)
      // Changes that observers have made meanwhile are saved, too.
      if !called, context.event.entries.isEmpty, context.event.pendingDeletions.isEmpty {
        context.changed.forEachUncounted { $0.state.remove(.saving) }
        return
      }
    }
    stillDirty()
  }
}
