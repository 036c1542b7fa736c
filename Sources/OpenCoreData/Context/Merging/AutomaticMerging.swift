import Foundation
import Synchronization

/// The contexts that merge what others save by themselves.
enum AutomaticMerging {
  private struct Listener {
    weak var context: NSManagedObjectContext?
    /// The coordinator or parent whose saves the context takes over.
    let source: ObjectIdentifier
  }

  private static let listeners = Mutex<[Listener]>([])

  /// Says whose saves a context merges from now on; nil for none.
  static func set(_ context: NSManagedObjectContext, source: AnyObject?) {
    listeners.withLock { listeners in
      listeners.removeAll { $0.context == nil || $0.context === context }
      if let source { listeners.append(Listener(context: context, source: ObjectIdentifier(source))) }
    }
  }

  /// Hands what `context` has saved to `source` to the others that read from there.
  static func broadcast(_ saved: SavedObjects, from context: NSManagedObjectContext, to source: AnyObject?) {
    guard let source else { return }
    let id = ObjectIdentifier(source)
    // Let go of outside the lock: the last reference may be among them.
    let audience = listeners.withLock { listeners in
      listeners.filter { $0.source == id }.compactMap(\.context)
    }
    guard audience.contains(where: { $0 !== context }) else { return }
    let changes = SavedChanges(saved)
    for listener in audience where listener !== context { listener.mergeLater(changes) }
  }
}

extension NSManagedObjectContext {
  /// Whether the context merges, by itself and on its queue, what is saved to its coordinator, or by its parent.
  ///
  /// Objects that it has are refreshed, with the changes made here kept on top. Saves that come faster than the queue works
  /// are merged together. A context that is pinned to a query generation does not merge by itself. Batch requests are no
  /// saves: merge their results with `mergeChanges(fromRemoteContextSave:into:)`.
  public final var automaticallyMergesChangesFromParent: Bool {
    get { mergesAutomatically }
    set {
      mergesAutomatically = newValue
      updateAutomaticMerging()
    }
  }

  /// To be called when the coordinator or parent has changed.
  final func updateAutomaticMerging() {
    let source: AnyObject? = parent ?? persistentStoreCoordinator
    AutomaticMerging.set(self, source: mergesAutomatically ? source : nil)
  }

  /// Merges on the context's queue, together with whatever else has been saved until then.
  fileprivate final func mergeLater(_ changes: SavedChanges) {
    let isFirst = pendingMerge.withLock { pending in
      defer {
        if pending == nil { pending = changes } else { pending?.append(changes) }
      }
      return pending == nil
    }
    guard isFirst else { return }
    perform { [weak self] in
      guard let self, let changes = pendingMerge.withLock({ $0.take() }) else { return }
      if queryGenerationToken == nil { merge(changes) }
    }
  }
}
