import Foundation
import OpenCocoaFoundation

extension ChangeRun {
  func rollback() {
    context.checkQueue()
    context.events.followLooseMembers()
    context.events.hold { dropChanges() }
  }

  private func dropChanges() {
    context.undoRecorder?.clear(context)
    let dropped = context.changed
    let refreshed = context.event.takeRefreshed(from: context)
    // The states that observers have been told of: the states before the current event.
    let told = Dictionary(
      context.event.entries.lazy.map { ($0.object, $0.state) }, uniquingKeysWith: { first, _ in first })
    context.events.forget()
    context.changed = ChangedObjects()
    context.saving.forgetGuarded()
    context.identityMaps.forgetAssignments()
    var gone: Set<NSManagedObject> = [], restored = refreshed
    // Children that merge by themselves may have saved what is taken back.
    var takenBack = AutomaticMerging.isAwaited(byChildrenOf: context) ? SavedChanges() : nil
    for object in dropped {
      if object.state.contains(.inserted) {
        takenBack?.deleted.append(object.objectID)
      } else if object.state.contains(.deleted) {
        takenBack?.inserted.append(object.objectID)
      } else {
        takenBack?.updated.append(object.objectID)
      }
      object.state.subtract(.recorded)
      if object.state.contains(.inserted) {
        let known = told[object] ?? object.state
        if known.contains(.inserted), !known.contains(.deleted) { gone.insert(object) }
        context.objects.unregister(object)
      } else if !object.state.contains(.hasNoRow) {
        object.tellingAll {
          object.state.subtract([.updated, .deleted, .deletionPropagated, .insertedAgain])
          object.changes = nil
          object.relations = nil
          if !object.isFault { object.awaken(from: .rollback) }
        }
        restored.insert(object)
      } else if object.state.contains(.inaccessible) {
        // The object becomes a fault again: it may find its row the next time.
        object.revive()
        restored.insert(object)
      }
    }
    context.saving.settleLooseEnds()
    Notifier(of: context).postObjectsDidChange(ContextChanges(deleted: gone, refreshed: restored.subtracting(gone)))
    if let takenBack { AutomaticMerging.passDown(takenBack, from: context) }
  }
}
