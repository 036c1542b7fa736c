import Foundation
import OpenCocoaFoundation

/// An object of the framework that a context tells what happens, before it posts notifications: whoever follows the
/// objects of a fetch.
protocol ContextObserver: AnyObject {
  /// An event of the context has ended.
  func contextDidChange(_ changes: ContextChanges)

  /// A save has given permanent IDs, and values to derived attributes.
  /// - Parameter derived: objects that were not saved themselves, and whose derived attributes have changed.
  func contextDidSave(_ saved: SavedObjects, derived: Set<NSManagedObject>)

  /// Other contexts have deleted objects, and the context is about to merge that.
  func contextWillMerge(deletions: [NSManagedObjectID])

  /// The context has dropped all its objects.
  func contextDidReset()

  /// Whether changes of objects of an entity matter that the context has no values of.
  func mayInclude(_ layout: EntityLayout) -> Bool
}

/// The observers of one context, which it does not keep alive. Belongs to the context's queue.
struct ContextObservers {
  private struct Entry {
    weak var observer: (any ContextObserver)?
  }

  private var entries: [Entry] = []

  /// Whether there is nobody to tell. Observers that are gone count until somebody is told.
  var isEmpty: Bool { entries.isEmpty }

  mutating func add(_ observer: any ContextObserver) { entries.append(Entry(observer: observer)) }

  /// Forgets observers that are gone.
  mutating func removeGone() { entries.removeAll { $0.observer == nil } }

  /// Tells all that are alive. One that is added meanwhile is told next time.
  func tell(_ body: (any ContextObserver) -> Void) {
    for entry in entries { if let observer = entry.observer { body(observer) } }
  }

  /// Whether a change of an object matters to one of them that the context has no values of.
  func mayInclude(_ layout: @autoclosure () -> EntityLayout) -> Bool {
    entries.contains { $0.observer?.mayInclude(layout()) == true }
  }
}
