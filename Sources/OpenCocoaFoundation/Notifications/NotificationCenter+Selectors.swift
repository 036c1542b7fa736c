import Foundation

extension NotificationCenter {
  /// Has notifications sent to a method of an observer, which is not retained.
  ///
  /// Differs from Apple (D-SRC-16): the method is one that generated code lists, as the plugin `CoreDataRewriter` has it do
  /// for `@objc` methods, or that the class lists (`OCDCallableByName`); a notification for any other stops the program.
  ///
  /// - Parameters:
  ///   - observer: the object whose method is called, on the thread that posts the notification.
  ///   - selector: a method that takes the notification, or nothing.
  ///   - name: the notifications' name; nil for any.
  ///   - object: what the notifications come from; nil for anything.
  public func addObserver(
    _ observer: Any, selector: Selector, name: NSNotification.Name?, object: Any?
  ) {
    SelectorObservers.add(observer as AnyObject, selector, name: name, sender: object, to: self)
  }

  /// Ends all that an observer has begun in this center.
  public func removeObserver(_ observer: AnyObject) {
    SelectorObservers.remove(observer, name: nil, sender: nil, from: self)
    removeObserver(observer as Any)
  }

  /// Ends what an observer has begun under a name and from a sender; nil for any.
  public func removeObserver(_ observer: AnyObject, name: NSNotification.Name?, object: Any?) {
    SelectorObservers.remove(observer, name: name, sender: object, from: self)
    removeObserver(observer as Any, name: name, object: object)
  }
}
