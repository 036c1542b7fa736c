import Foundation

/// The objects that an event has changed, each in one set at most.
struct ContextChanges {
  var inserted: Set<NSManagedObject> = []
  var updated: Set<NSManagedObject> = []
  var deleted: Set<NSManagedObject> = []
  /// Objects that were refreshed to the store's values, and that the event has not changed besides.
  var refreshed: Set<NSManagedObject> = []
  /// Faults whose rows other contexts have changed: only fetched results controllers use them.
  var touched: Set<NSManagedObject> = []
  /// Objects of a save whose derived attributes may have changed. Only fetched results controllers use them, which have
  /// been told of everything else.
  var written: Set<NSManagedObject> = []
  /// Whether some of the inserted objects were deleted before and are inserted again.
  private var hasReturned = false

  init(deleted: Set<NSManagedObject> = [], refreshed: Set<NSManagedObject> = []) {
    self.deleted = deleted
    self.refreshed = refreshed
  }

  /// Reports updated objects that were given to `insert(_:)` again as inserted.
  mutating func insertAgain(_ objects: Set<NSManagedObject>) {
    if objects.isEmpty { return }
    let again = objects.intersection(updated)
    updated.subtract(again)
    inserted.formUnion(again)
  }

  /// Whether the sets have `count` objects together, and no inserted object was deleted before.
  func areAll(_ count: Int) -> Bool { inserted.count + updated.count + deleted.count == count && !hasReturned }

  /// Sorts the objects of an event into the sets, and removes the event's flags from the objects.
  init(_ entries: ContiguousArray<ContextEvent.Entry>, refreshed: Set<NSManagedObject>) {
    self.refreshed = refreshed
    // Most events have many changes of one kind, so the set that is filled first gets room for all objects.
    var isFirst = entries.count > 1
    func makeRoom(_ set: inout Set<NSManagedObject>) {
      if isFirst { set = Set(minimumCapacity: entries.count) }
      isFirst = false
    }
    for place in entries.indices {
      let object = entries[place].object, before = entries[place].state
      // An object that does not have this flag any more has left the context.
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
