import Foundation
import OpenCocoaFoundation

// Undo: each event becomes an action of the undo manager.
extension NSManagedObjectContext {
  final var baseUndoManager: UndoManager? {
    get { undoRecorder?.manager }
    set {
      if newValue === undoRecorder?.manager { return }
      undoRecorder?.clear(self)
      undoRecorder = newValue.map { UndoRecorder($0, for: self) }
    }
  }

  final func baseUndo() {
    checkQueue()
    guard let undoManager else { return }
    processPendingChanges()
    undoManager.undo()
  }

  final func baseRedo() {
    checkQueue()
    guard let undoManager else { return }
    processPendingChanges()
    undoManager.redo()
  }

  /// Takes back what a registered action stands for. What that changes is registered in turn.
  final func takeBack(_ step: UndoStep) {
    func restoreAll() { holdingEvent { for records in step.events.reversed() { restore(records) } } }
    // Without a queue the caller's thread is the context's.
    if isConfined { restoreAll() } else { performAndWait { restoreAll() } }
  }

  /// Registers the records of an event that has ended, and tells the objects that it has put back.
  final func finishUndoRecords(_ records: ContiguousArray<UndoRecord>) {
    guard let undoRecorder else { return }
    if !records.isEmpty { undoRecorder.register(records, of: self) }
    let restored = undoRecorder.restored
    undoRecorder.restored = []
    for (object, event) in restored { object.awaken(from: event) }
  }

  /// The undo records of the current event; empty without an undo manager that registers.
  final func makeUndoRecords() -> ContiguousArray<UndoRecord> {
    guard let undoRecorder, undoRecorder.isRegistering else {
      _ = undoRecorder?.takeKept()
      return []
    }
    if isBeforeFetch {
      undoRecorder.keep(event.entries)
      return []
    }
    // A deleted object has to be known as a whole: when the deletion is saved, its row is gone.
    func fire(_ entries: ContiguousArray<ContextEvent.Entry>) {
      fireForUndo(ContiguousArray(entries.lazy.map(\.object).filter { $0.isDeleted && $0.isUnread }))
    }
    fire(event.entries)
    let kept = undoRecorder.takeKept()
    var records = kept.records
    if !kept.entries.isEmpty {
      let present = ContiguousArray(kept.entries.lazy.filter { $0.object.table?.context === self })
      fire(present)
      records.append(contentsOf: present.lazy.compactMap { UndoRecord($0, isOver: true) })
    }
    var position = 0
    // Reading may touch further objects.
    while position < event.entries.count {
      let entry = event.entries[position]
      position += 1
      if !kept.objects.isEmpty, kept.objects.contains(ObjectIdentifier(entry.object)) { continue }
      if let record = UndoRecord(entry) { records.append(record) }
    }
    return records.allSatisfy(\.isHollow) ? [] : records
  }

  /// Reads the rows of faults together; those whose rows are gone stay faults.
  final func fireForUndo(_ objects: ContiguousArray<NSManagedObject>) {
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

  /// Whether an object's values are there, read now if it is a fault; false if its row is gone.
  final func isRealised(_ object: NSManagedObject) -> Bool {
    if !object.isUnread { return true }
    do {
      guard let row = try rowNow(object) else { return false }
      realise(object, row)
      return true
    } catch {
      raise(.internalInconsistency, "CoreData could not fulfill a fault for '\(object.objectID)': \(error)")
    }
  }
}
