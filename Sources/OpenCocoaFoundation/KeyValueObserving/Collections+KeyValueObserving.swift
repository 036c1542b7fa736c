import Foundation

// Collections cannot be observed, only the properties that hold them.

extension NSArray {
  /// Stops the program: observe the property that holds the array.
  public func addObserver(
    _ observer: NSObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) {
    KeyValueObserving.notSupported(self, "addObserver:forKeyPath:options:context:", keyPath)
  }

  /// Stops the program: an array has no observers.
  public func removeObserver(_ observer: NSObject, forKeyPath keyPath: String) {
    KeyValueObserving.notSupported(self, "removeObserver:forKeyPath:", keyPath)
  }
}

extension NSSet {
  /// Stops the program: observe the property that holds the set.
  public func addObserver(
    _ observer: NSObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) {
    KeyValueObserving.notSupported(self, "addObserver:forKeyPath:options:context:", keyPath)
  }

  /// Stops the program: a set has no observers.
  public func removeObserver(_ observer: NSObject, forKeyPath keyPath: String) {
    KeyValueObserving.notSupported(self, "removeObserver:forKeyPath:", keyPath)
  }
}

extension NSOrderedSet {
  /// Stops the program: observe the property that holds the ordered set.
  public func addObserver(
    _ observer: NSObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) {
    KeyValueObserving.notSupported(self, "addObserver:forKeyPath:options:context:", keyPath)
  }

  /// Stops the program: an ordered set has no observers.
  public func removeObserver(_ observer: NSObject, forKeyPath keyPath: String) {
    KeyValueObserving.notSupported(self, "removeObserver:forKeyPath:", keyPath)
  }
}
