import Foundation
import OpenCocoaFoundation

/// Fires the faults of a context, and reads the members of relationships.
struct FaultReader {
  let context: NSManagedObjectContext

  @inline(__always)
  init(of context: NSManagedObjectContext) { self.context = context }

  /// Gives a fault its values: from the row cache, or with others of its fault batch from the store.
  /// - Parameter key: the property whose reading fires the fault, if it is a single one.
  func fulfill(_ object: NSManagedObject, _ key: _PropertyKey? = nil) {
    do {
      CoreDataInstruments.add(CoreDataInstruments.faults)
      if Watchers.isRecording { object.faultBatch?.touches?.note() }
      if let row = try rowNow(object, isFiring: true) { return realise(object, row) }
      if let row = try laterRow(object, isFiring: true) { return realise(object, row) }
    } catch {
      if note(failureOf: object, error) { return }
      raise(.internalInconsistency, "CoreData could not fulfill a fault for '\(object.objectID)': \(error)")
    }
    fulfillInaccessible(object, key.flatMap { object.layout.slot($0)?.property })
  }

  /// The row of an object that the context's transaction does not show; nil when there is none. The transaction may have begun
  /// before the object was saved, whose ID came from another context: then it ends here.
  @inline(never)
  func laterRow(_ object: NSManagedObject, isFiring: Bool = false) throws -> Snapshot? {
    guard let store = object.table?.store, object.key > 0, case .unpinned = context.reads.generation else { return nil }
    context.reads.transaction(on: store).end()
    return try rowNow(object, isFiring: isFiring)
  }

  /// The object's row, from the contexts above if there are any; nil when there is none.
  /// - Parameter isFiring: whether this is a fault that fires, whose hit in the cache counts.
  func rowNow(_ object: NSManagedObject, isFiring: Bool = false) throws -> Snapshot? {
    context.parentContext == nil
      ? try storedRow(object, isFiring: isFiring) : try context.ancestors.rowNow(object, isFiring: isFiring)
  }

  /// The object's row from the cache or the store; nil when there is none.
  func storedRow(_ object: NSManagedObject, isFiring: Bool = false) throws -> Snapshot? {
    guard let store = object.table?.store, object.key > 0 else { return nil }
    let transaction = context.reads.transaction(on: store)
    let root = object.layout.rootNumber
    let shard = store.rows.shard(root)
    if context.stalenessInterval >= 0 { shard.forget(object.key, olderThan: context.stalenessInterval) }
    if let row = shard.get(object.key, at: transaction.pinnedCommit) ?? transaction.ownRow(object.key, root: root),
      row.fits(object)
    {
      if isFiring { CoreDataInstruments.add(CoreDataInstruments.cacheHits) }
      return row
    }
    if let row = company(of: object)?.take(object.key, at: transaction.moment), row.fits(object) { return row }
    guard Watchers.watchContexts else { return try readRow(of: object, store, shard, transaction).row }
    let watch = ContextWatch(.objectFault, object.layout)
    do {
      let (row, count) = try readRow(of: object, store, shard, transaction)
      watch.endFault(object, rows: count)
      return row
    } catch {
      watch.fail()
      throw error
    }
  }

  /// The fault batch that an object's row is read with.
  @inline(__always)
  private func company(of object: NSManagedObject) -> FaultBatch? {
    context.merger.faultBatch(of: object, in: context) ?? object.faultBatch
  }

  /// The object's row from the store, and how many rows were read with it.
  private func readRow(
    of object: NSManagedObject, _ store: NSPersistentStore, _ shard: RowShard, _ transaction: ReadTransaction
  ) throws -> (row: Snapshot?, count: Int) {
    guard let faultBatch = company(of: object), store.readsInCompany else {
      let rows = try store.readRows([object.key], layout: object.layout, transaction: transaction).rows
      return (rows.first, rows.count)
    }
    let commit = transaction.pinnedCommit, root = object.layout.rootNumber
    let keys = faultBatch.batch(with: object.key, size: faultBatch.size ?? context.faultBatchSize, transaction) {
      (shard.get($0, at: commit) ?? transaction.ownRow($0, root: root)) != nil
    }
    let (rows, areCached) = try store.readRows(keys, layout: faultBatch.layout, transaction: transaction)
    // While another context saves, the cache may be ahead of this reader and refuse the rows; kept in the fault batch,
    // they still load together.
    if !areCached { faultBatch.keep(rows, at: transaction.moment) }
    return (rows.first { $0.primaryKey == object.key && $0.fits(object) }, rows.count)
  }

  /// Points the object to its row and wakes it.
  @inline(__always)
  func realise(_ object: NSManagedObject, _ row: Snapshot) {
    object.snapshot = row
    object.state.insert(.awakening)
    context.events.hold { object.awakeFromFetch() }
    object.state.remove(.awakening)
  }

  /// Handles a fault whose row is gone: the object counts as deleted, or the program stops.
  private func fulfillInaccessible(_ object: NSManagedObject, _ property: NSPropertyDescription?) {
    guard context.shouldHandleInaccessibleFault(object, for: object.objectID, triggeredByProperty: property) else {
      raise(.objectInaccessible, "CoreData could not fulfill a fault for '\(object.objectID)'")
    }
    object.enterEvent()
    object.state.formUnion([.hasNoRow, .inaccessible, .deleted])
    object.changes = ChangedValues.make(repeating: .null, object.layout.valueCount)
    context.list(object)
    context.changed.noteGone()
  }

  /// Notes that an object could not be read, if failures are collected. The object then counts as having no values.
  private func note(failureOf object: NSManagedObject, _ error: any Error) -> Bool {
    guard let faultFailures = context.readState.failures else { return false }
    faultFailures.note(error)
    object.state.formUnion([.hasNoRow, .inaccessible])
    object.changes = ChangedValues.make(repeating: .null, object.layout.valueCount)
    return true
  }

  /// The default handling of a fault whose row is gone, for contexts whose class does not override it.
  func handlesInaccessibleFault(_ objectID: NSManagedObjectID) -> Bool {
    if context.shouldDeleteInaccessibleFaults {
      FrameworkLog.write(
        "warning: the row of the object with ID '\(objectID)' is gone; the object counts as deleted, and all its "
          + "properties are nil or 0.")
    }
    return context.shouldDeleteInaccessibleFaults
  }

  /// Ends the read transaction if the store has moved on since it began.
  @inline(__always)
  func letGoOfOldReads(_ store: NSPersistentStore) {
    let transaction = context.reads.transaction(on: store)
    let commit = transaction.pinnedCommit
    if commit == 0, !transaction.isPinned {
      // The transaction began while a save was going on and reads at an unknown moment: the cache cannot be relied on
      // before the save is over.
      _ = try? transaction.refresh()
    } else if commit < store.latestCommit {
      transaction.end()
    }
  }

  /// The object's row as the store has it at the latest commit; nil if it is gone.
  func latestRow(of object: NSManagedObject) throws -> Snapshot? {
    guard let store = object.table?.store, object.key > 0 else { return nil }
    return try store.readRows([object.key], layout: object.layout, transaction: context.reads.latest(on: store)).rows
      .first {
        $0.fits(object)
      }
  }
}
