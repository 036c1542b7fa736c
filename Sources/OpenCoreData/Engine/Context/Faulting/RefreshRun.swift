import Foundation
import OpenCocoaFoundation

/// Makes objects of a context faults again, or gives them the store's present values: some objects or all. A reset
/// removes all objects from the context.
struct RefreshRun {
  let context: NSManagedObjectContext

  init(in context: NSManagedObjectContext) { self.context = context }

  func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
    context.checkQueue()
    context.events.followLooseMembers()
    if object.state.contains(.hasNoRow) {
      if !flag, object.state.contains(.inserted) { object.state.insert(.putAside) }
      return
    }
    if let store = object.table?.store { FaultReader(of: context).letGoOfOldReads(store) }
    if context.event.isEmpty { context.events.begin() }
    context.event.noteRefresh(of: object)
    context.events.hold { refreshNow(object, mergeChanges: flag) }
    // The delete rules are applied again, to members that other contexts have related meanwhile.
    if flag { ChangeRun(in: context).propagateAgain(object) }
  }

  private func refreshNow(_ object: NSManagedObject, mergeChanges flag: Bool) {
    object.tellingAll {
      if !flag { return object.turnIntoFault() }
      var isAwake = false
      if object.snapshot != nil {
        guard let row = try? FaultReader(of: context).rowNow(object) else { return }
        // A property that was set to its old value is unchanged, and must not hide the new row's value.
        object.dropUnchangedValues()
        object.dropOutdatedNullifications(row)
        object.snapshot = row
        isAwake = true
      }
      // An object that is a fault may have read relationships, too.
      object.forgetUnchangedRelations()
      if isAwake { object.awaken(from: .refresh) }
    }
  }

  func refreshAllObjects() {
    context.checkQueue()
    context.events.followLooseMembers()
    context.reads.end()
    var refreshed: Set<NSManagedObject> = []
    // All objects are listed first: an object that becomes a fault releases its members, which are refreshed, too.
    for objects in context.identityMaps.all.map({ $0.all() }) {
      refreshed.formUnion(objects.lazy.filter { !$0.state.contains(.hasNoRow) })
      var faultBatches: [ObjectIdentifier: FaultBatch] = [:]
      for object in objects where !object.state.contains(.hasNoRow) {
        if object.hasChanges {
          context.refresh(object, mergeChanges: true)
        } else {
          object.tellingAll { object.turnIntoFault() }
          let layout = object.layout
          let faultBatch =
            faultBatches[ObjectIdentifier(layout)]
            ?? FaultBatch(ContiguousArray(objects.lazy.filter { $0.layout === layout }.map(\.key)), layout: layout)
          faultBatches[ObjectIdentifier(layout)] = faultBatch
          object.faultBatch = faultBatch
        }
      }
    }
    _ = context.event.takeRefreshed(from: context)
    Notifier(of: context).postObjectsDidChange(ContextChanges(refreshed: refreshed))
  }

  func reset() {
    context.checkQueue()
    context.undoRecorder?.clear(context)
    context.reads.end()
    context.reads.advance()
    let identifiers = context.identityMaps.all.flatMap { $0.all().map(\.objectID) }
    let invalidated = Array(identifiers)
    _ = context.event.takeRefreshed(from: context)
    context.events.forget()
    context.changed = ChangedObjects()
    context.event.looseMembers = ListedLooseMembers()
    context.saving.forgetGuarded()
    context.nestedKeys.reset()
    let old = context.identityMaps.removeAll()
    context.events.hold { letGo(of: old) }
    Notifier(of: context).tellObservers { $0.contextDidReset() }
    Notifier(of: context).post(.NSManagedObjectContextObjectsDidChange, [NSInvalidatedAllObjectsKey: invalidated])
  }

  private func letGo(of families: [StoreTables]) {
    for table in families.lazy.flatMap(\.tables) {
      for object in table.all() {
        object.relations = nil
        object.changes = nil
        object.snapshot = nil
        object.faultBatch = nil
        object.state.subtract([.inserted, .updated, .deleted, .deletionPropagated, .listed, .saving])
      }
      table.detach()
    }
  }
}

extension NSManagedObject {
  /// Drops the values; the next read of a property fires the fault again.
  final func turnIntoFault() {
    guard snapshot != nil || changes != nil || relations != nil else { return }
    // Meanwhile the object is neither a fault nor realised: `faultingState` says so, and values that are set now do not
    // count as changes.
    state.insert(.awakening)
    willTurnIntoFault()
    state.remove(.awakening)
    snapshot = nil
    if changes != nil { changes = nil }
    if relations != nil { relations = nil }
    if faultBatch != nil { faultBatch = nil }
    state.subtract([.updated, .changedInEvent, .insertedAgain])
    didTurnIntoFault()
  }

  /// Forgets the relationships that were read, and keeps the changes of relationships.
  final func forgetUnchangedRelations() {
    forgetFetchedProperties()
    guard let relations else { return }
    for slot in layout.slots where slot.kind.isRelationship {
      if slot.kind == .toMany, let state = relations.states[slot.relationIndex] as? ToManyState {
        if let arrangement = state.forgetStored() { rearrange(arrangement, slot) }
      } else if slot.kind == .toOne, changes?.values[slot.index].isUnset ?? true {
        relations.states[slot.relationIndex] = nil
      }
    }
  }
}
