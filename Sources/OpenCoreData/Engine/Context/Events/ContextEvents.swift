import Foundation
import OpenCocoaFoundation

/// Begins and ends the events of a context. An event consists of the changes of objects between two calls of
/// `processPendingChanges`: inside of one `perform`, in one turn of the main run loop, or before a save.
struct ContextEvents {
  let context: NSManagedObjectContext

  @inline(__always)
  init(of context: NSManagedObjectContext) { self.context = context }

  func processPendingChanges() {
    context.checkQueue()
    end(isSaving: false)
    context.undoRecorder?.endEventGroup(of: context)
  }

  /// Ends the event of a merge.
  /// - Returns: what has been merged and what that has changed besides: objects that have lost members or got them, and
  ///   those that delete rules have deleted. Only the children of the context need to know; nothing if none waits for it.
  func processMerged(_ merged: SavedChanges) -> SavedChanges {
    let isAwaited = AutomaticMerging.isAwaited(byChildrenOf: context)
    if isAwaited { context.event.effects = merged }
    processPendingChanges()
    return context.event.effects.take() ?? SavedChanges()
  }

  /// Called at the first change of an event.
  func begin() { scheduleEnd() }

  func end(isSaving: Bool) {
    followLooseMembers()
    if context.event.isIdle { return finishKeptUndo() }
    hold { endNow(isSaving: isSaving) }
  }

  /// Ends the current event before a fetch, so that observers have heard of everything that the fetch takes into account.
  /// The undo group stays open: changes after the fetch are undone in the same step.
  ///
  /// During other work, and while hooks of objects and observers are called, the event goes on.
  @inline(__always)
  func endBeforeFetch() {
    if context.event.isIdle, context.event.looseMembers.entries.isEmpty { return }
    if context.event.isHeld || context.saving.isRunning { return }
    context.event.isEndedByFetch = true
    defer { context.event.isEndedByFetch = false }
    end(isSaving: false)
  }

  /// Runs work during which a fetch must not end the event.
  @inline(__always)
  func hold<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    context.event.hold()
    defer { context.event.release() }
    return try body()
  }

  /// Registers the undo records of changes made before a fetch, if nothing was changed after the fetch.
  private func finishKeptUndo() {
    guard let undoRecorder = context.undoRecorder, undoRecorder.hasKept, !context.event.isEndedByFetch else { return }
    let run = UndoRun(of: context)
    run.finishRecords(run.makeRecords())
  }

  private func endNow(isSaving: Bool) {
    let deletedInsertions =
      isSaving || context.propagatesDeletesAtEndOfEvent ? ChangeRun(in: context).propagateDeletions() : []
    if context.event.isEmpty { return ChangeRun(in: context).dismiss(deletedInsertions) }
    let records = context.undoRecorder == nil ? [] : UndoRun(of: context).makeRecords()
    let refreshed = context.event.takeRefreshed(from: context)
    let merged = context.event.takeMerged()
    let touched = context.event.takeTouched()
    let entries = context.event.takeEntries()
    context.changed.note(entries)
    var changes = ContextChanges(entries, refreshed: refreshed)
    changes.touched = touched
    context.event.toldOfSave = isSaving && changes.areAll(context.changed.count) ? changes : nil
    changes.insertAgain(context.event.takeInsertedAgain())
    for object in merged where !object.hasChanges {
      changes.inserted.insert(object)
      changes.refreshed.remove(object)
    }
    context.event.effects?.note(changes)
    if let undoRecorder = context.undoRecorder {
      if context.event.isEndedByFetch {
        undoRecorder.keepRecords(of: deletedInsertions.filter(ChangeRun(in: context).leavesContext))
      }
      UndoRun(of: context).finishRecords(records)
    }
    ChangeRun(in: context).dismiss(deletedInsertions)
    // Changes that observers make belong to the next event.
    context.event.beginTelling(of: entries)
    Notifier(of: context).postObjectsDidChange(changes)
    context.event.endTelling()
  }

  /// Drops the current event without telling observers of it.
  func forget() {
    let entries = context.event.takeEntries()
    context.changed.note(entries)
    for entry in entries { entry.object.state.subtract(.anyEvent) }
    _ = context.event.takeMerged()
    _ = context.event.takeTouched()
    _ = context.event.takeInsertedAgain()
    _ = context.event.takeDeletions()
  }

  /// Gives an object its entry in the current event.
  func enter(_ object: NSManagedObject) {
    if context.event.entries.isEmpty { begin() }
    let state = object.state.intersection(.anyChange)
    if object.state.contains(.asPushed) {
      object.state.remove(.asPushed)
      object.state.insert(.changedSincePush)
    }
    object.state.insert(.inEvent)
    context.event.add(
      ContextEvent.Entry(
        object: object, state: state, image: ObjectImage(of: object, knowsOrders: context.undoRecorder != nil)))
  }

  /// Gives an inserted object its entry, which has no earlier state or values.
  func enterInsertion(_ object: NSManagedObject) {
    if context.event.entries.isEmpty { begin() }
    object.state.formUnion([.inEvent, .changedInEvent])
    context.event.add(ContextEvent.Entry(object: object, state: [], image: nil))
  }

  /// Makes the main queue process the changes that are made on a main-queue context outside of `perform`: once for all
  /// changes that are made until the main queue gets to them. Called on the main queue whenever a change is noted.
  ///
  /// Where the main queue is never served, they are processed by the next save or `processPendingChanges()`.
  func scheduleEnd() {
    guard context.concurrencyType == .mainQueueConcurrencyType, !context.event.isEndScheduled,
      !ContextStack.containsEvent(of: context)
    else { return }
    context.event.isEndScheduled = true
    DispatchQueue.main.async { [reference = WeaklyReferring(context)] in
      guard let context = reference.wrappedValue else { return }
      context.event.isEndScheduled = false
      Performer(in: context).entered { context.processPendingChanges() }
    }
  }
}
