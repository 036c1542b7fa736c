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
    // Programs that turn many objects into faults have changed none of them.
    let hasChanges = object.isPending
    if !flag, !hasChanges, context.changed.isEmpty { return context.events.hold { forget(object) } }
    let mark = context.event.mark
    let mayConcernChildren = hasChanges && !context.merger.isCollecting
    object.noteHeldPartners()
    context.events.hold {
      refreshNow(object, mergeChanges: flag)
      context.merger.refreshOutdated(in: context)
    }
    if mayConcernChildren { tellChildren([object], since: mark) }
    // The delete rules are applied again, to members that other contexts have related meanwhile.
    if flag { ChangeRun(in: context).propagateAgain(object) }
  }

  /// Children read the unsaved values of this context, so that children which merge by themselves hear of what has become of
  /// them.
  private func tellChildren(_ objects: some Sequence<NSManagedObject>, since mark: (entries: Int, refreshed: Int)) {
    guard AutomaticMerging.isAwaited(byChildrenOf: context) else { return }
    var changes = SavedChanges()
    changes.updated = objects.map(\.objectID)
    AutomaticMerging.passDown(AutomaticMerging.effects(of: changes, since: mark, in: context), from: context)
  }

  /// Gives an object the row that the context sees now, where another object has turned out to be related to it.
  func takeRow(of object: NSManagedObject) {
    object.noteRefresh()
    object.noteHeldPartners()
    context.events.hold { refreshNow(object, mergeChanges: true) }
  }

  /// Turns an object without changes into a fault.
  private func forget(_ object: NSManagedObject) { object.tellingAll { object.turnIntoFault() } }

  private func refreshNow(_ object: NSManagedObject, mergeChanges flag: Bool) {
    object.tellingAll {
      if !flag {
        let lost = object.hasChanges ? object.takeBackEnds() : []
        object.turnIntoFault()
        if !lost.isEmpty, object.realised != nil { for slot in lost { object.lose(slot) } }
        return
      }
      var isAwake = false
      let old = object.snapshot
      if old != nil {
        guard let row = try? FaultReader(of: context).rowNow(object) else { return }
        // A property that was set to its old value is unchanged, and must not hide the new row's value.
        object.dropUnchangedValues()
        object.dropOutdatedNullifications(row)
        object.snapshot = row
        isAwake = true
      }
      // An object that is a fault may have read relationships, too.
      object.forgetUnchangedRelations()
      if let old { object.matchEnds(after: old) }
      if isAwake { object.awaken(from: .refresh) }
    }
  }

  /// The stores of which the context has objects.
  private var storesOfObjects: [NSPersistentStore] {
    var stores: [NSPersistentStore] = []
    for map in context.identityMaps.all {
      if let store = map.store, !stores.contains(where: { $0 === store }), !map.all().isEmpty { stores.append(store) }
    }
    return stores
  }

  func refreshAllObjects() {
    context.checkQueue()
    context.events.followLooseMembers()
    context.reads.end()
    for store in storesOfObjects { context.reads.noticeOthers(in: store) }
    // The faults that fire later read what has been written by then.
    context.reads.end()
    var refreshed: Set<NSManagedObject> = []
    let mark = context.event.mark, isPartOfMerge = context.merger.isCollecting
    context.merger.beginCollecting()
    for object in context.changed { object.noteHolding() }
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
    context.merger.endCollecting(in: context)
    if !isPartOfMerge, !context.changed.isEmpty { tellChildren(context.changed, since: mark) }
    refreshed.formUnion(context.event.takeRefreshed(from: context))
    Notifier(of: context).postObjectsDidChange(ContextChanges(refreshed: refreshed))
  }

  func reset() {
    context.checkQueue()
    context.undoRecorder?.clear(context)
    context.reads.end()
    context.reads.advance()
    var takenBack = SavedChanges()
    if !context.changed.isEmpty, AutomaticMerging.isAwaited(byChildrenOf: context) {
      takenBack.isEverything = true
      takenBack.deleted = context.changed.filter { $0.state.contains(.inserted) }.map(\.objectID)
    }
    let identifiers = context.identityMaps.all.flatMap { $0.all().map(\.objectID) }
    let invalidated = Array(identifiers)
    _ = context.event.takeRefreshed(from: context)
    context.events.forget()
    context.changed = ChangedObjects()
    context.event.looseMembers = ListedLooseMembers()
    context.saving.forgetGuarded()
    context.saving.forgetLooseEnds()
    context.nestedKeys.reset()
    let old = context.identityMaps.removeAll()
    context.events.hold { letGo(of: old) }
    Notifier(of: context).tellObservers { $0.contextDidReset() }
    Notifier(of: context).post(.NSManagedObjectContextObjectsDidChange, [NSInvalidatedAllObjectsKey: invalidated])
    AutomaticMerging.passDown(takenBack, from: context)
  }

  private func letGo(of families: [StoreTables]) {
    for table in families.lazy.flatMap(\.tables) {
      for object in table.all() {
        object.relations = nil
        object.changes = nil
        object.snapshot = nil
        object.faultBatch = nil
        object.state.subtract([.inserted, .updated, .deleted, .deletionPropagated, .recorded, .saving])
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
    if relations != nil { dropRelations() }
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
