import Foundation
import OpenCocoaFoundation

// An event is what happens to objects between two calls of `processPendingChanges`: inside of one `perform`, in one turn of
// the main run loop, or before a save.
extension NSManagedObjectContext {
  /// Ends the current event: applies the delete rules, lets objects go that were inserted and deleted again, and posts
  /// `NSManagedObjectContextObjectsDidChange` with what the event has changed.
  ///
  /// Called at the end of every `perform`, and by `save`.
  public final func processPendingChanges() { endEvent(isSaving: false) }

  /// The first change of an event.
  final func beginEvent() {}

  final func endEvent(isSaving: Bool) {
    if event.isEmpty, pendingDeletions.isEmpty { return }
    if isSaving || propagatesDeletesAtEndOfEvent { propagateDeletions() }
    if event.isEmpty { return }
    let refreshed = event.takeRefreshed(from: self)
    let entries = event.entries
    event.entries = []
    let changes = ContextChanges(entries, refreshed: refreshed)
    if changes.hasDeletedInsertions { dismissDeletedInsertions() }
    postObjectsDidChange(changes)
  }

  /// Drops the current event untold.
  final func forgetEvent() {
    for entry in event.entries { entry.object.state.subtract(.anyEvent) }
    event.entries = []
    pendingDeletions = []
  }
}

/// What an event has done to objects, each in one of the first three sets at most.
struct ContextChanges {
  var inserted: Set<NSManagedObject> = []
  var updated: Set<NSManagedObject> = []
  var deleted: Set<NSManagedObject> = []
  var refreshed: Set<NSManagedObject> = []
  /// Whether some object that was never saved is deleted now.
  var hasDeletedInsertions = false

  init(deleted: Set<NSManagedObject> = [], refreshed: Set<NSManagedObject> = []) {
    self.deleted = deleted
    self.refreshed = refreshed
  }

  /// Sorts the objects of an event, and takes the event's bits off them.
  init(_ entries: ContiguousArray<ContextEvent.Entry>, refreshed: Set<NSManagedObject>) {
    self.refreshed = refreshed
    for entry in entries {
      let object = entry.object
      // It has left the context.
      guard object.state.contains(.inEvent) else { continue }
      let now = object.state
      object.state.subtract([.inEvent, .changedInEvent])
      if now.contains(.deleted) {
        let cameAndWent = now.contains(.inserted) && !entry.state.contains(.inserted)
        if now.contains(.inserted) { hasDeletedInsertions = true }
        if !entry.state.contains(.deleted), !cameAndWent { deleted.insert(object) }
      } else if entry.state.contains(.deleted) || now.contains(.inserted) && !entry.state.contains(.inserted) {
        inserted.insert(object)
      } else if now.contains(.changedInEvent), !now.isDisjoint(with: [.inserted, .updated]) {
        updated.insert(object)
      }
    }
  }
}
