import Foundation
import OpenCocoaFoundation

// The objects that a save has to write, by store.
extension SaveRun {
  /// - Parameter written: the works that earlier attempts have written before another store met a conflict.
  func worksByStore(
    without written: [SaveWork]
  ) throws -> [(store: NSPersistentStore, work: SaveWork)] {
    var works: [(store: NSPersistentStore, work: SaveWork)] = []
    let done = written.isEmpty ? [] : Set(written.lazy.flatMap(\.all).map(ObjectIdentifier.init))
    // Objects that a merge policy has rolled back are not saved.
    context.changed.removeAll { object in
      if object.isPending || done.contains(ObjectIdentifier(object)) { return false }
      object.state.subtract(.recorded)
      return true
    }
    // New objects of one entity mostly go to the same store, so the store is not looked up for each.
    let isOneForAll = !context.identityMaps.hasAssignments && !context.nestedKeys.hasHomes
    var lastLayout: EntityLayout?, lastPlace = 0
    // The map that the last stored object was in, and the place of its store's work.
    var lastTable: Uncounted<IdentityMap>?, lastStoredPlace = 0
    var hasDiscarded = false
    for object in context.changed where object.isPending {
      let state = object.state
      if state.contains(.deleted), !state.isDisjoint(with: [.inserted, .inaccessible]) {
        hasDiscarded = true
        continue
      }
      if state.contains(.deleted), done.contains(ObjectIdentifier(object)) { continue }
      let place: Int
      let table = object.tableReference
      if table != nil, table == lastTable {
        place = lastStoredPlace
      } else if isOneForAll, lastLayout === object.layout, object.table?.store == nil {
        place = lastPlace
      } else {
        let store = try ChangeRun(in: context).store(for: object)
        place = works.firstIndex { $0.store === store } ?? works.count
        if place == works.count {
          works.append((store, SaveWork(mayHaveRelationships: context.changed.mayHaveRelationships)))
        }
        if object.table?.store == nil {
          (lastLayout, lastPlace) = (object.layout, place)
        } else if !context.identityMaps.hasAssignments {
          (lastTable, lastStoredPlace) = (table, place)
        }
      }
      if state.contains(.deleted) {
        works[place].work.deleted.append(object)
      } else if state.contains(.inserted) {
        works[place].work.inserted.append(object)
      } else {
        works[place].work.updated.append(object)
      }
    }
    for place in works.indices { works[place].work.sortByKey() }
    if hasDiscarded { forgetDiscarded() }
    for (store, objects) in guardedObjects {
      if let place = works.firstIndex(where: { $0.store === store }) {
        works[place].work.locked = objects
      } else {
        works.append((store, SaveWork(locked: objects)))
      }
    }
    return works
  }

  /// Unregisters objects that were inserted and deleted again, and faults whose rows were gone. No store has to write
  /// anything for them.
  func forgetDiscarded() {
    for object in context.changed
    where object.state.contains(.deleted) && !object.state.isDisjoint(with: [.inserted, .inaccessible]) {
      context.objects.unregister(object)
    }
    context.changed.removeAll(where: \.isDetached)
  }
}
