import CoreData

@testable import OpenCoreData

// Checks of one context: both ends of its relationships, and the store's state where the context has no changes.
//
// A context whose objects may be of two states is not checked. It may have read one end of a relationship before others
// changed it, and it reads the other end as it is now.
extension ContextScript {
  /// Why the objects of a context may be of two states.
  enum Doubt: Hashable {
    /// Another context has saved, and this one has not merged that, nor refreshed its objects. For a child: the parent has
    /// refreshed its objects, of which it tells nobody, and not merged.
    case unmerged
    /// The parent has changed, and has not told the child: children that merge by themselves hear of what the parent saves,
    /// merges or takes back, and of nothing that it sets.
    case isBehind
    /// A child that was behind has saved into this context, which got the rows that the child had read for objects that it
    /// had not read itself. Its next save finds these conflicts.
    case hasOldRows
  }

  private static let parents = ["a": "A", "b": "B"]

  private func isCurrent(_ name: String) -> Bool {
    doubts[name, default: []].isEmpty && Self.parents[name].map(isCurrent) ?? true
  }

  // MARK: What steps do

  /// Called before a save.
  mutating func noteSave(of name: String) {
    guard let parent = Self.parents[name] else {
      doubts[name]?.remove(.hasOldRows)
      for other in ["A", "B", "C"] where other != name {
        if contexts[other]?.automaticallyMergesChangesFromParent == false {
          doubts[other, default: []].insert(.unmerged)
        }
        noteChange(of: other)
      }
      return noteChange(of: name)
    }
    if !isCurrent(name) { doubts[parent, default: []].insert(.hasOldRows) }
  }

  /// Called when a context has changed what its child reads.
  mutating func noteChange(of name: String) {
    for (child, parent) in Self.parents where parent == name { doubts[child, default: []].insert(.isBehind) }
  }

  mutating func noteRefresh(of name: String) {
    refreshed.insert(name)
    if doubts[name]?.remove(.unmerged) != nil {
      for (child, parent) in Self.parents where parent == name { doubts[child, default: []].insert(.unmerged) }
    }
    if Self.parents[name] != nil { doubts[name]?.remove(.isBehind) }
    noteChange(of: name)
  }

  mutating func noteMerge(of name: String) {
    doubts[name]?.remove(.unmerged)
    noteChange(of: name)
    if Self.parents[name] != nil { return }
    refreshed.remove(name)
    for (child, parent) in Self.parents where parent == name {
      if contexts[child]?.automaticallyMergesChangesFromParent == true { doubts[child]?.remove(.unmerged) }
    }
  }

  /// Called when all queues are idle.
  mutating func settleDoubts() {
    for (child, parent) in Self.parents {
      guard let context = contexts[child], context.automaticallyMergesChangesFromParent, let above = contexts[parent],
        doubts[parent]?.contains(.unmerged) != true, !above.performAndWait({ above.hasChanges })
      else { continue }
      doubts[child]?.remove(.isBehind)
    }
  }

  // MARK: Checks

  /// Compares both ends of the relationships of all objects that the context has had, or of one.
  mutating func check(_ name: String, _ context: NSManagedObjectContext, only label: String? = nil) throws {
    if let stale = context.performAndWait({ PendingObjects.staleObject(in: context) }) {
      failures.append("\(name): a change of \(stale.objectID) was not noted for fetches")
    }
    if !isCurrent(name) { return }
    failures += try context.performAndWait {
      context.processPendingChanges()
      let fresh = Self.fresh(inPlaceOf: context)
      var objects = label.map { [kept[name]?[$0]].compactMap { $0 } } ?? kept[name].map { Array($0.values) } ?? []
      objects = objects.filter { !$0.isDeleted && $0.managedObjectContext != nil && $0.faultingState != 2 }
      return try fresh.performAndWait {
        let all = try fresh.all("Node") + fresh.all("Tag")
        if refreshed.contains(name) {
          // Refreshing does not delete an object whose row is gone; its save finds a conflict.
          let present = Set(all.map(\.objectID))
          objects = objects.filter { $0.isInserted || present.contains($0.objectID) }
        }
        var ends = BothEnds.disagreements(of: objects)
        // Nor is the context told what it must not relate any more; its save refuses such a reference.
        if refreshed.contains(name) { ends.removeAll { $0.hasSuffix("which is deleted") } }
        let found = ends.map { "\(name): \($0)" }
        if !found.isEmpty || context.hasChanges { return found }
        let stored = Set(all.map(UndoGraph.line))
        return objects.map(UndoGraph.line).filter { !stored.contains($0) }.map { "\(name) alone has \($0)" }
      }
    }
  }

  /// A new context that reads what this one reads.
  private static func fresh(inPlaceOf context: NSManagedObjectContext) -> NSManagedObjectContext {
    if let parent = context.parent { return Tree.child(of: parent) }
    let fresh = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    fresh.persistentStoreCoordinator = context.persistentStoreCoordinator
    return fresh
  }
}
