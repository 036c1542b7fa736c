import Foundation
import OpenCocoaFoundation

/// An object of the framework that a context calls before it posts notifications: one that follows the objects of a fetch.
protocol ContextObserver: AnyObject {
  /// An event of the context has ended.
  func contextDidChange(_ changes: ContextChanges)

  /// A save has given permanent IDs, and values to derived attributes.
  /// - Parameter derived: objects that were not saved themselves, and whose derived attributes have changed.
  func contextDidSave(_ saved: SavedObjects, derived: Set<NSManagedObject>)

  /// Other contexts have deleted objects, and the context is about to merge these deletions.
  func contextWillMerge(deletions: [NSManagedObjectID])

  /// The context has dropped all its objects.
  func contextDidReset()

  /// Whether the observer has to know of changes of an entity's objects even if the context has not read their values.
  func mayInclude(_ layout: EntityLayout) -> Bool
}

/// The observers of one context, which it does not keep alive. Belongs to the context's queue.
struct ContextObservers {
  private struct Entry {
    weak var observer: (any ContextObserver)?
  }

  private var entries: [Entry] = []

  /// Whether there are no observers. Released observers still count until the next notification.
  var isEmpty: Bool { entries.isEmpty }

  mutating func add(_ observer: any ContextObserver) { entries.append(Entry(observer: observer)) }

  /// Forgets observers that are gone.
  mutating func removeGone() { entries.removeAll { $0.observer == nil } }

  /// Calls all observers that are alive. An observer that is added meanwhile is called the next time.
  func tell(_ body: (any ContextObserver) -> Void) {
    for entry in entries { if let observer = entry.observer { body(observer) } }
  }

  /// Whether an observer has to know of changes of an entity's objects even if the context has not read their values.
  func mayInclude(_ layout: @autoclosure () -> EntityLayout) -> Bool {
    entries.contains { $0.observer?.mayInclude(layout()) == true }
  }
}
