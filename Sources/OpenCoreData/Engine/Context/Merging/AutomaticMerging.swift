import Foundation
import OpenCocoaFoundation
import Synchronization

/// The contexts that merge the saves of other contexts automatically.
enum AutomaticMerging {
  private struct Listener {
    let id: ObjectIdentifier
    @WeaklyReferring var context: NSManagedObjectContext?
    /// The coordinator or parent whose saves the context takes over.
    let source: ObjectIdentifier
  }

  private static let listeners = Mutex<[Listener]>([])
  private static let count = Atomic<Int>(0)

  /// Sets the coordinator or parent whose saves a context merges from now on; nil for none.
  static func set(_ context: NSManagedObjectContext, source: AnyObject?) {
    let id = ObjectIdentifier(context)
    listeners.withLock { listeners in
      listeners.removeAll { $0.id == id }
      if let source {
        listeners.append(Listener(id: id, context: WeaklyReferring(context), source: ObjectIdentifier(source)))
      }
      count.store(listeners.count, ordering: .releasing)
    }
  }

  /// Removes a context that is being released from the listeners.
  static func end(_ context: NSManagedObjectContext) {
    let id = ObjectIdentifier(context)
    listeners.withLock { listeners in
      listeners.removeAll { $0.id == id }
      count.store(listeners.count, ordering: .releasing)
    }
  }

  /// Hands the changes that `context` has saved to its children and, if it has no parent, to the other contexts of its
  /// coordinator.
  static func broadcast(_ saved: SavedObjects, from context: NSManagedObjectContext) {
    if saved.isEmpty || count.load(ordering: .acquiring) == 0 { return }
    let children = audience(of: ObjectIdentifier(context), except: context)
    var others: [NSManagedObjectContext] = []
    if context.parentContext == nil, let coordinator = context.storedCoordinator {
      others = audience(of: ObjectIdentifier(coordinator), except: context)
    }
    if children.isEmpty, others.isEmpty { return }
    var changes = SavedChanges(saved)
    for listener in others { listener.merger.mergeLater(changes, into: listener) }
    if children.isEmpty { return }
    let altered = saved.inserted.lazy.filter { $0.state.contains(.changedSincePush) }
    changes.altered = Set(altered.map(\.objectID))
    for child in children { child.merger.mergeLater(changes, into: child) }
  }

  /// Whether some child of a context merges by itself.
  static func isAwaited(byChildrenOf context: NSManagedObjectContext) -> Bool {
    context.nesting.children.load(ordering: .relaxed) > 0 && isAwaited(ObjectIdentifier(context))
  }

  /// Hands changes that a context has merged, or taken back, to those of its children that merge by themselves.
  static func passDown(_ changes: SavedChanges, from context: NSManagedObjectContext) {
    if changes.isEmpty || !isAwaited(byChildrenOf: context) { return }
    for child in audience(of: ObjectIdentifier(context)) { child.merger.mergeLater(changes, into: child) }
  }

  /// What refreshing objects has changed in a context, in which others may have lost members or got them; nothing if no
  /// child waits for it. The event goes on: of a merge, which ends it, `ContextEvents.processMerged` tells.
  static func effects(
    of changes: SavedChanges, since mark: (entries: Int, refreshed: Int), in context: NSManagedObjectContext
  ) -> SavedChanges {
    guard isAwaited(byChildrenOf: context) else { return SavedChanges() }
    var all = changes
    if let ids = context.event.objectIDs(since: mark) { all.updated += ids } else { all.isEverything = true }
    return all
  }

  fileprivate static func audience(
    of source: ObjectIdentifier, except context: NSManagedObjectContext? = nil
  ) -> [NSManagedObjectContext] {
    let excluded = context.map { ObjectIdentifier($0) }
    // The references are released outside the lock: one may be the last reference to its context.
    return listeners.withLock { listeners in
      listeners.filter { $0.source == source && $0.id != excluded }.compactMap(\.context)
    }
  }

  fileprivate static func isAwaited(_ source: ObjectIdentifier) -> Bool {
    count.load(ordering: .acquiring) > 0 && listeners.withLock { $0.contains { $0.source == source } }
  }
}

extension NSPersistentStoreCoordinator {
  /// Whether some context merges saves to the coordinator's stores automatically.
  package final var hasMergingContexts: Bool { AutomaticMerging.isAwaited(ObjectIdentifier(self)) }

  /// Hands changes that another program has saved to the contexts that merge automatically, for stores that are notified
  /// of such changes. The contexts then begin read transactions, which notice which rows of the cache are out of date.
  package final func mergeLater(_ saved: SavedChanges) {
    if saved.isEmpty { return }
    var changes = saved
    changes.isForeign = true
    for context in AutomaticMerging.audience(of: ObjectIdentifier(self)) {
      context.merger.mergeLater(changes, into: context)
    }
  }
}
