import Foundation
import OpenCocoaFoundation

/// Reports what happens in a context: first to the framework's own observers, then by notifications, which are posted on
/// the thread that does the work.
struct Notifier {
  private let context: NSManagedObjectContext

  @inline(__always)
  init(of context: NSManagedObjectContext) { self.context = context }

  func post(_ name: Notification.Name, _ userInfo: [AnyHashable: Any]?) {
    context.events.hold { NotificationCenter.default.post(name: name, object: context, userInfo: userInfo) }
  }

  func postObjectsDidChange(_ changes: ContextChanges) {
    tellObservers { $0.contextDidChange(changes) }
    guard context.notices.changes.put(changes) else { return }
    post(.NSManagedObjectContextObjectsDidChange, context.notices.changes.contents)
    context.notices.changes.clear()
  }

  /// Posts the notifications about a save: first the one with objects, then the one with IDs.
  func postDidSave(_ saved: SavedObjects) {
    if !context.observers.isEmpty {
      let derived = context.event.takeTouched()
      tellObservers { $0.contextDidSave(saved, derived: derived) }
    }
    context.notices.saved.put(saved)
    post(.NSManagedObjectContextDidSave, objectsOfSave())
    post(.NSManagedObjectContextDidSaveObjectIDs, context.notices.saved.identifiers)
    context.notices.saved.clear(saved)
  }

  /// The user info with the objects, the history token and the query generation of a save.
  private func objectsOfSave() -> [AnyHashable: Any] {
    if context.queryGenerationToken == nil, !context.notices.hasToken { return context.notices.saved.objects }
    var objects = context.notices.saved.objects
    if let token = context.queryGenerationToken { objects[NSManagedObjectContextQueryGenerationKey] = token }
    if let token = context.notices.takeToken() { objects[NSManagedObjectContextNewChangeTokenKey] = token }
    return objects
  }

  /// Calls all observers that are alive; a fetch by an observer does not end the event.
  func tellObservers(_ body: (any ContextObserver) -> Void) {
    if context.observers.isEmpty { return }
    context.observers.removeGone()
    // A copy, as an observer may add others.
    let current = context.observers
    context.events.hold { current.tell(body) }
  }
}
