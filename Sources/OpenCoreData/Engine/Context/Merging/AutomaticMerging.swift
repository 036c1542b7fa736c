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
    var sources = [ObjectIdentifier(context)]
    if context.parentContext == nil, let coordinator = context.storedCoordinator {
      sources.append(ObjectIdentifier(coordinator))
    }
    let audience = audience(of: sources, except: ObjectIdentifier(context))
    if audience.isEmpty { return }
    let changes = SavedChanges(saved)
    for listener in audience { listener.merger.mergeLater(changes, into: listener) }
  }

  fileprivate static func audience(
    of sources: [ObjectIdentifier], except context: ObjectIdentifier? = nil
  ) -> [NSManagedObjectContext] {
    // The references are released outside the lock: one may be the last reference to its context.
    listeners.withLock { listeners in
      listeners.filter { sources.contains($0.source) && $0.id != context }.compactMap(\.context)
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
    for context in AutomaticMerging.audience(of: [ObjectIdentifier(self)]) {
      context.merger.mergeLater(changes, into: context)
    }
  }
}
