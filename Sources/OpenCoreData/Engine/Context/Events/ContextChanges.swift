import Foundation

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
