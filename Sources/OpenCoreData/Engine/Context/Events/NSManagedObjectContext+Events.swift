import Foundation
import OpenCocoaFoundation

// An event is what happens to objects between two calls of `processPendingChanges`: inside of one `perform`, in one turn of
// the main run loop, or before a save.
extension NSManagedObjectContext {
  final func baseProcessPendingChanges() {
    checkQueue()
    endEvent(isSaving: false)
    undoRecorder?.endEventGroup(of: self)
  }

  /// The first change of an event.
  final func beginEvent() { scheduleEndOfEvent() }

  final func endEvent(isSaving: Bool) {
    followLooseMembers()
    if event.isEmpty, pendingDeletions.isEmpty { return finishKeptUndo() }
    holdingEvent { endEventNow(isSaving: isSaving) }
  }

  /// Ends the current event before a fetch, so that observers have heard of everything that the fetch takes into account.
  /// The undo group stays open: what comes after the fetch is undone in the same step.
  ///
  /// In the middle of other work, and where hooks of objects and observers are called, the event goes on.
  @inline(__always)
  final func endEventBeforeFetch() {
    if event.isEmpty, pendingDeletions.isEmpty, looseMembers.entries.isEmpty { return }
    if eventHolds > 0 || isSaving { return }
    isBeforeFetch = true
    defer { isBeforeFetch = false }
    endEvent(isSaving: false)
  }

  /// Runs work in whose middle a fetch must not end the event.
  @inline(__always)
  final func holdingEvent<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    eventHolds += 1
    defer { eventHolds -= 1 }
    return try body()
  }

  /// Registers what was changed before a fetch, where nothing was changed after it.
  private final func finishKeptUndo() {
    guard let undoRecorder, undoRecorder.hasKept, !isBeforeFetch else { return }
    let run = UndoRun(of: self)
    run.finishRecords(run.makeRecords())
  }

  private final func endEventNow(isSaving: Bool) {
    let deletedInsertions = isSaving || propagatesDeletesAtEndOfEvent ? ChangeRun(in: self).propagateDeletions() : []
    if event.isEmpty { return ChangeRun(in: self).dismiss(deletedInsertions) }
    let records = undoRecorder == nil ? [] : UndoRun(of: self).makeRecords()
    let refreshed = event.takeRefreshed(from: self)
    let merged = event.takeMerged()
    let touched = event.takeTouched()
    let entries = event.takeEntries()
    var changes = ContextChanges(entries, refreshed: refreshed)
    changes.touched = touched
    event.toldOfSave = isSaving && changes.areAll(changed.count) ? changes : nil
    changes.insertAgain(event.takeInsertedAgain())
    for object in merged where !object.hasChanges { changes.inserted.insert(object) }
    if let undoRecorder {
      if isBeforeFetch { undoRecorder.keepRecords(of: deletedInsertions.filter(ChangeRun(in: self).leavesContext)) }
      UndoRun(of: self).finishRecords(records)
    }
    ChangeRun(in: self).dismiss(deletedInsertions)
    // Changes that observers make belong to the next event.
    event.beginTelling(of: entries)
    postObjectsDidChange(changes)
    event.endTelling()
  }

  /// Drops the current event untold.
  final func forgetEvent() {
    for entry in event.takeEntries() { entry.object.state.subtract(.anyEvent) }
    _ = event.takeMerged()
    _ = event.takeTouched()
    _ = event.takeInsertedAgain()
    pendingDeletions = []
  }
}

/// The objects that an event has changed, each in one set at most.
struct ContextChanges {
  var inserted: Set<NSManagedObject> = []
  var updated: Set<NSManagedObject> = []
  var deleted: Set<NSManagedObject> = []
  /// Objects that show what the store has, and that the event has not changed besides.
  var refreshed: Set<NSManagedObject> = []
  /// Faults that others have changed: for fetched results controllers alone.
  var touched: Set<NSManagedObject> = []
  /// Objects of a save whose derived attributes may have changed: for fetched results controllers alone, which have been told
  /// of everything else.
  var written: Set<NSManagedObject> = []
  /// Whether some of the inserted objects are deleted ones that are back.
  private var hasReturned = false

  init(deleted: Set<NSManagedObject> = [], refreshed: Set<NSManagedObject> = []) {
    self.deleted = deleted
    self.refreshed = refreshed
  }

  /// Tells objects as inserted that an event before had inserted, or that have rows.
  mutating func insertAgain(_ objects: Set<NSManagedObject>) {
    if objects.isEmpty { return }
    let again = objects.intersection(updated)
    updated.subtract(again)
    inserted.formUnion(again)
  }

  /// Whether they are that many, and no inserted object is a deleted one that is back.
  func areAll(_ count: Int) -> Bool { inserted.count + updated.count + deleted.count == count && !hasReturned }

  /// Sorts the objects of an event, and takes the event's bits off them.
  init(_ entries: ContiguousArray<ContextEvent.Entry>, refreshed: Set<NSManagedObject>) {
    self.refreshed = refreshed
    // Changes mostly come many of a kind: there is room for all in the set that is filled first.
    var isFirst = entries.count > 1
    func makeRoom(_ set: inout Set<NSManagedObject>) {
      if isFirst { set = Set(minimumCapacity: entries.count) }
      isFirst = false
    }
    for place in entries.indices {
      let object = entries[place].object, before = entries[place].state
      // An object that is not in the event any more has left the context.
      guard object.state.contains(.inEvent) else { continue }
      let now = object.state
      object.state.subtract([.inEvent, .changedInEvent])
      if now.contains(.deleted) {
        let cameAndWent = now.contains(.inserted) && !before.contains(.inserted)
        if before.contains(.deleted) || cameAndWent { continue }
        if isFirst { makeRoom(&deleted) }
        deleted.insert(object)
      } else if before.contains(.deleted) || now.contains(.inserted) && !before.contains(.inserted) {
        if isFirst { makeRoom(&inserted) }
        inserted.insert(object)
        if !now.contains(.inserted) { hasReturned = true }
      } else if now.contains(.changedInEvent), !now.isDisjoint(with: [.inserted, .updated]) {
        if isFirst { makeRoom(&updated) }
        updated.insert(object)
      }
    }
    if !self.refreshed.isEmpty {
      self.refreshed.subtract(inserted)
      self.refreshed.subtract(updated)
      self.refreshed.subtract(deleted)
    }
  }
}
