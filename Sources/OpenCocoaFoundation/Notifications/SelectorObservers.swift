import Foundation

/// The observers that `addObserver(_:selector:name:object:)` registers to be called by a selector.
///
/// Observers are not retained. A released observer gets no notifications. Its entries are removed when another observer with
/// the same address is added.
enum SelectorObservers {
  private struct Observer: @unchecked Sendable {
    weak var object: AnyObject?
    let center: ObjectIdentifier
    let name: NSNotification.Name?
    /// The object that posts the notifications; nil for any object.
    let sender: ObjectIdentifier?
    let token: any NSObjectProtocol
  }

  // Every access holds the lock.
  private final class Table: @unchecked Sendable {
    let lock = NSLock()
    var observers: [ObjectIdentifier: [Observer]] = [:]
  }

  private static let table = Table()

  static func add(
    _ object: AnyObject, _ selector: Selector, name: NSNotification.Name?, sender: Any?, to center: NotificationCenter
  ) {
    nonisolated(unsafe) weak let observer = object
    let token = center.addObserver(forName: name, object: sender, queue: nil) { notification in
      if let observer { call(selector, of: observer, notification) }
    }
    let added = Observer(
      object: object, center: ObjectIdentifier(center), name: name, sender: identity(sender), token: token)
    let id = ObjectIdentifier(object)
    // An observer that was released without being removed may have had the same address.
    let gone = table.lock.withLock {
      let known = table.observers[id] ?? []
      table.observers[id] = known.filter { $0.object != nil } + [added]
      return known.filter { $0.object == nil }
    }
    for old in gone { center.removeObserver(old.token as Any) }
  }

  /// Removes the registrations of an observer, only those for the name and the sender if these are given.
  ///
  /// An observer may call this in its `deinit`, where weak references to it are already nil.
  static func remove(
    _ object: AnyObject, name: NSNotification.Name?, sender: Any?, from center: NotificationCenter
  ) {
    let id = ObjectIdentifier(object)
    let sender = identity(sender)
    let ended = table.lock.withLock {
      func isEnded(_ observer: Observer) -> Bool {
        observer.center == ObjectIdentifier(center) && (name == nil || observer.name == name)
          && (sender == nil || observer.sender == sender)
      }
      guard let known = table.observers[id] else { return [Observer]() }
      let rest = known.filter { !isEnded($0) }
      table.observers[id] = rest.isEmpty ? nil : rest
      return known.filter(isEnded)
    }
    for observer in ended { center.removeObserver(observer.token as Any) }
  }

  private static func identity(_ sender: Any?) -> ObjectIdentifier? {
    unwrapped(sender).map { ObjectIdentifier($0 as AnyObject) }
  }

  private static func call(_ selector: Selector, of observer: AnyObject, _ notification: Notification) {
    let arguments = selector.description.contains(":") ? [notification] : []
    _ = required { try MethodCalls.call(selector.description, on: observer, arguments) }
  }
}
