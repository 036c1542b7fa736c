import Foundation
import OpenCocoaFoundation
import Synchronization

/// The merging of one context: whether it merges automatically, and the changes that wait for its queue.
///
/// Sendable: `pending` has a lock, everything else belongs to the context's queue.
final class ContextMerger: @unchecked Sendable {
  /// Whether the context automatically merges what is saved to its coordinator, or by its parent.
  @exclusivity(unchecked) private(set) var isAutomatic = false
  /// Whether the context was pinned to a generation that need not be the latest: then it does not merge automatically.
  @exclusivity(unchecked) var isPinnedByToken = false
  /// The objects that the running merge refreshes; nil if no merge is running.
  @exclusivity(unchecked) private var reading: MergeReading?
  /// The partners in one-to-one relationships that may be outdated.
  @exclusivity(unchecked) private var outdated: [OutdatedPartner] = []
  /// The objects whose rows alone agreed with what their partners hold.
  @exclusivity(unchecked) private var held: [HeldPartner] = []
  /// The number of pieces of work that will look at `outdated` and `held` when they end.
  @exclusivity(unchecked) private var collectors = 0
  /// The changes that other contexts have saved since the queue was asked to merge them.
  private let pending = Mutex<SavedChanges?>(nil)

  // MARK: By itself

  func setAutomatic(_ isAutomatic: Bool, for context: NSManagedObjectContext) {
    if isAutomatic, context.isConfined {
      raise(
        .invalidArgument,
        "automaticallyMergesChangesFromParent needs a context with a queue; this one is a confinement context.")
    }
    self.isAutomatic = isAutomatic
    updateSource(for: context)
  }

  /// Called when the context's coordinator or parent has changed.
  func updateSource(for context: NSManagedObjectContext) {
    let source: AnyObject? = context.parentContext ?? context.storedCoordinator
    AutomaticMerging.set(context, source: isAutomatic ? source : nil)
  }

  /// Called when the context is released.
  func end(_ context: NSManagedObjectContext) { if isAutomatic { AutomaticMerging.end(context) } }

  /// Merges the changes on the context's queue, together with those of all saves until then. May be called on any thread.
  func mergeLater(_ changes: SavedChanges, into context: NSManagedObjectContext) {
    let log = context.parentContext == nil ? nil : context.ancestors.root.nesting.permanentKeys
    let isFirst = pending.withLock { pending in
      // Temporary IDs among the changes may have become permanent ones before they are merged.
      if pending == nil { log?.hold(for: context) }
      defer {
        if pending == nil { pending = changes } else { pending?.append(changes) }
      }
      return pending == nil
    }
    guard isFirst else { return }
    context.perform { [reference = WeaklyReferring(context)] in
      guard let context = reference.wrappedValue else { return }
      context.merger.mergePending(into: context, log)
    }
  }

  private func mergePending(into context: NSManagedObjectContext, _ log: PermanentKeys?) {
    guard let changes = pending.withLock({ $0.take() }) else { return }
    if !isPinnedByToken { merge(changes, into: context, isForeign: changes.isForeign) }
    pending.withLock { pending in if pending == nil { log?.release(for: context) } }
  }

  // MARK: At once

  /// Merges the changes that a notification about a save lists, or a dictionary like that of a notification.
  func merge(_ notification: Notification, into context: NSManagedObjectContext) {
    let coordinator = context.persistentStoreCoordinator
    let changes = SavedChanges(notification.userInfo) { coordinator?.managedObjectID(forURIRepresentation: $0) }
    merge(changes, into: context)
  }

  /// - Parameter isForeign: whether the store may not know yet what was saved.
  func merge(_ changes: SavedChanges, into context: NSManagedObjectContext, isForeign: Bool = false) {
    if changes.isEmpty { return }
    var run = MergeRun(into: context)
    run.merge(changes, isForeign: isForeign)
  }

  /// The fault batch of an object that a running merge refreshes; nil where no merge is running.
  @inline(__always)
  func faultBatch(of object: NSManagedObject, in context: NSManagedObjectContext) -> FaultBatch? {
    if let reading { return reading.faultBatch(of: object, in: context) }
    return nil
  }

  // MARK: Partners

  /// Notes that of two partners in a one-to-one relationship, only one has got its newer row.
  func noteOutdated(
    _ partner: NSManagedObject, _ back: PropertySlot, _ object: NSManagedObject, _ slot: PropertySlot
  ) { outdated.append(OutdatedPartner(partner: partner, back: back, object: object, slot: slot)) }

  func noteHeld(_ partner: HeldPartner) { held.append(partner) }

  /// Whether a merge, or a refresh of all objects, is running.
  var isCollecting: Bool { collectors > 0 }

  /// Lets partners that turn out to be outdated wait for `endCollecting`, since most of them are to be refreshed anyway.
  func beginCollecting() { collectors += 1 }

  func endCollecting(in context: NSManagedObjectContext) {
    collectors -= 1
    refreshOutdated(in: context)
  }

  /// Refreshes partners that are still outdated, and lets objects hold what their partners hold.
  func refreshOutdated(in context: NSManagedObjectContext) {
    while collectors == 0 {
      if let next = outdated.popLast() {
        next.match()
      } else if let next = held.popLast() {
        next.match()
      } else {
        return
      }
    }
  }

  /// Reads the rows of these objects together while `body` refreshes them, one after the other.
  func readingTogether(_ updated: [NSManagedObjectID], _ body: (MergeReading) -> Void) {
    let reading = MergeReading(updated)
    self.reading = reading
    body(reading)
    self.reading = nil
  }
}
