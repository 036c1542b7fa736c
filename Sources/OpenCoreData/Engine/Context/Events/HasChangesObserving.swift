import Foundation
import OpenCocoaFoundation

/// Tells key-value observers of a context that the value of `hasChanges` has changed, at the end of the event, save, rollback or
/// reset that changed it. Only a context whose `hasChanges` is observed has one. Belongs to the context's queue.
final class HasChangesObserving: ContextObserver {
  private weak var context: NSManagedObjectContext?
  /// The value that observers know.
  private var told: Bool

  init(of context: NSManagedObjectContext) {
    self.context = context
    told = context.hasChanges
  }

  private func follow() {
    guard let context else { return }
    let before = told
    told = context.hasChanges
    if told == before { return }
    KeyValueObserving.willChange(context, Self.key, .hasBeenSet(from: NSNumber(value: before)))
    KeyValueObserving.didChange(context, Self.key)
  }

  static let key = "hasChanges"

  func contextDidChange(_ changes: ContextChanges) { follow() }

  func contextDidSave(_ saved: SavedObjects, derived: Set<NSManagedObject>) { follow() }

  func contextDidReset() { follow() }

  func contextWillMerge(deletions: [NSManagedObjectID]) {}

  func mayInclude(_ layout: EntityLayout) -> Bool { false }
}

extension NSManagedObjectContext {
  /// Only key-value observing calls this.
  package final func markObserved(_ isObserved: Bool, forKey key: String) {
    if key != HasChangesObserving.key { return }
    guard isObserved else { return notices.hasChangesObserving = nil }
    let observing = HasChangesObserving(of: self)
    notices.hasChangesObserving = observing
    observers.add(observing)
  }
}
