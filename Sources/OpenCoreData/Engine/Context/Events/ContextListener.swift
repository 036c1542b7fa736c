import Foundation
import OpenCocoaFoundation

/// An object of the framework that a context tells what happens, before it tells its observers: what a fetched results
/// controller knows.
protocol ContextListener: AnyObject {
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

/// A context's reference to a listener, which it does not keep alive.
struct WeakListener {
  weak var listener: (any ContextListener)?
}

extension NSManagedObjectContext {
  /// Tells all listeners that are alive.
  final func tellListeners(_ body: (any ContextListener) -> Void) {
    if listeners.isEmpty { return }
    listeners.removeAll { $0.listener == nil }
    holdingEvent { for entry in listeners { if let listener = entry.listener { body(listener) } } }
  }

  /// Notes faults whose rows another context has changed as touched, if a listener may show them or has to add them.
  /// Observers are not told of such objects, since their values have not been read here.
  final func noteTouched(_ ids: [NSManagedObjectID]) {
    if listeners.isEmpty { return }
    for id in ids where !id.isTemporaryID {
      guard listeners.contains(where: { $0.listener?.mayInclude(localLayout(id.entity)) == true }) else { continue }
      let object = object(with: id)
      if object.hasChanges || object.state.contains(.refreshed) || object.state.contains(.hasNoRow) { continue }
      event.touched.insert(object)
    }
  }
}
