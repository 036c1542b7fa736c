import Foundation
import OpenCocoaFoundation

/// The work of a context for its undo manager: each event becomes an action, and taking back an action becomes an event.
/// The recorder keeps the state between calls.
struct UndoRun {
  let context: NSManagedObjectContext

  init(of context: NSManagedObjectContext) { self.context = context }

  /// Changes to another undo manager, or to none. Actions that were registered with the previous one are removed.
  func changeManager(to manager: UndoManager?) {
    if manager === context.undoRecorder?.manager { return }
    context.undoRecorder?.clear(context)
    context.undoRecorder = manager.map { UndoRecorder($0, for: context) }
  }

  func undo() {
    context.checkQueue()
    guard let manager = context.undoManager else { return }
    context.processPendingChanges()
    manager.undo()
  }

  func redo() {
    context.checkQueue()
    guard let manager = context.undoManager else { return }
    context.processPendingChanges()
    manager.redo()
  }

  /// Takes back the changes of a registered action. The changes that this makes are registered in turn.
  func takeBack(_ step: UndoStep) {
    func restoreAll() {
      context.events.hold { for records in step.events.reversed() { restore(records) } }
      tellChildren(of: step)
    }
    // Without a queue, the caller's thread is the context's thread.
    if context.isConfined { restoreAll() } else { context.performAndWait { restoreAll() } }
  }

  /// Children that merge by themselves may have saved what was taken back.
  private func tellChildren(of step: UndoStep) {
    guard AutomaticMerging.isAwaited(byChildrenOf: context) else { return }
    var changes = SavedChanges()
    var known: Set<ObjectIdentifier> = []
    for record in step.events.joined() where known.insert(ObjectIdentifier(record.object)).inserted {
      let object = record.object
      if object.isDetached || object.state.contains(.deleted) {
        changes.deleted.append(object.objectID)
      } else if record.kind == .deletion {
        changes.inserted.append(object.objectID)
      } else {
        changes.updated.append(object.objectID)
      }
    }
    AutomaticMerging.passDown(changes, from: context)
  }

  /// Registers the records of an event that has ended, and tells the objects that it has put back.
  func finishRecords(_ records: ContiguousArray<UndoRecord>) {
    guard let undoRecorder = context.undoRecorder else { return }
    if !records.isEmpty { undoRecorder.register(records, of: context) }
    let restored = undoRecorder.restored
    undoRecorder.restored = []
    for (object, event) in restored { object.awaken(from: event) }
  }

  /// The undo records of the current event; empty without an undo manager that registers.
  func makeRecords() -> ContiguousArray<UndoRecord> {
    guard let undoRecorder = context.undoRecorder, undoRecorder.isRegistering else {
      _ = context.undoRecorder?.takeKept()
      context.undoRecorder?.noteCascaded(context.event.entries)
      return []
    }
    if context.event.isEndedByFetch {
      undoRecorder.keep(context.event.entries)
      return []
    }
    // A deleted object has to be known as a whole: its row is gone once the deletion is saved.
    func fire(_ entries: ContiguousArray<ContextEvent.Entry>) {
      fireForUndo(ContiguousArray(entries.lazy.map(\.object).filter { $0.isDeleted && $0.isUnread }))
    }
    fire(context.event.entries)
    let kept = undoRecorder.takeKept()
    var records = kept.records
    if !kept.entries.isEmpty {
      let present = ContiguousArray(kept.entries.lazy.filter { $0.object.table?.context === context })
      fire(present)
      records.append(contentsOf: present.lazy.compactMap { UndoRecord($0, isOver: true) })
    }
    var position = 0
    // Reading may add further objects to the event.
    while position < context.event.entries.count {
      let entry = context.event.entries[position]
      position += 1
      if !kept.objects.isEmpty, kept.objects.contains(ObjectIdentifier(entry.object)) { continue }
      if let record = UndoRecord(entry) { records.append(record) }
    }
    return records.allSatisfy(\.isHollow) ? [] : records
  }

  /// Reads the rows of faults together; those whose rows are gone stay faults.
  func fireForUndo(_ objects: ContiguousArray<NSManagedObject>) {
    var groups: [ObjectIdentifier: ContiguousArray<NSManagedObject>] = [:]
    for object in objects where object.faultBatch == nil {
      groups[ObjectIdentifier(object.layout), default: []].append(object)
    }
    for group in groups.values where group.count > 1 {
      let faultBatch = FaultBatch(ContiguousArray(group.map(\.key)), layout: group[0].layout)
      for object in group { object.faultBatch = faultBatch }
    }
    for object in objects { _ = isRealised(object) }
  }

  /// Whether an object's values are known; reads them if it is a fault. Gives false if its row is gone.
  func isRealised(_ object: NSManagedObject) -> Bool {
    if !object.isUnread { return true }
    do {
      guard let row = try FaultReader(of: context).rowNow(object) else { return false }
      FaultReader(of: context).realise(object, row)
      return true
    } catch {
      raise(.internalInconsistency, "CoreData could not fulfill a fault for '\(object.objectID)': \(error)")
    }
  }
}
