import Foundation

extension NotificationCenter {
  /// Registers a method of an observer to be called for notifications. The observer is not retained.
  ///
  /// Differs from Apple (D-SRC-16): the method must be listed by generated code, which the plugin `CoreDataRewriter` writes for
  /// `@objc` methods, or by the class itself (`OCDCallableByName`). A notification for any other method stops the program.
  ///
  /// - Parameters:
  ///   - observer: the object whose method is called, on the thread that posts the notification.
  ///   - selector: a method that takes the notification, or no argument.
  ///   - name: the name of the notifications; nil for any name.
  ///   - object: the object that posts the notifications; nil for any object.
  public func addObserver(
    _ observer: Any, selector: Selector, name: NSNotification.Name?, object: Any?
  ) {
    SelectorObservers.add(observer as AnyObject, selector, name: name, sender: object, to: self)
  }

  /// Removes all registrations of an observer from this center.
  public func removeObserver(_ observer: AnyObject) {
    SelectorObservers.remove(observer, name: nil, sender: nil, from: self)
    removeObserver(observer as Any)
  }

  /// Removes the registrations of an observer for a name and a posting object; nil stands for any name or any object.
  public func removeObserver(_ observer: AnyObject, name: NSNotification.Name?, object: Any?) {
    SelectorObservers.remove(observer, name: name, sender: object, from: self)
    removeObserver(observer as Any, name: name, object: object)
  }
}
