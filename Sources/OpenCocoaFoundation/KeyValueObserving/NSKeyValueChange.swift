import Foundation

/// The kinds of change that observers are notified of.
public enum NSKeyValueChange: UInt, Sendable {
  /// The property was set to a value.
  case setting = 1
  /// Objects were inserted into the property's collection.
  case insertion = 2
  /// Objects were removed from the property's collection.
  case removal = 3
  /// Objects in the property's collection were replaced by others.
  case replacement = 4
}

/// The ways to change a set as a whole.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
  /// Objects are added. Observers are notified of an insertion.
  case union = 1
  /// Objects are removed. Observers are notified of a removal.
  case minus = 2
  /// All objects except the given ones are removed. Observers are notified of a removal.
  case intersect = 3
  /// All objects are replaced by the given ones. Observers are notified of a replacement.
  case set = 4
}

/// The keys of the dictionary that describes a change to an observer.
public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
  /// The key's text.
  public let rawValue: String

  /// Makes a key of its text.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The kind of change: the raw value of an `NSKeyValueChange`, as NSNumber.
  public static let kindKey = NSKeyValueChangeKey(rawValue: "kind")
  /// The new value, NSNull for nil; for an insertion or replacement the new objects. Only with the option `new`.
  public static let newKey = NSKeyValueChangeKey(rawValue: "new")
  /// The value before, NSNull for nil; for a removal or replacement the objects that were removed. Only with the option `old`.
  public static let oldKey = NSKeyValueChangeKey(rawValue: "old")
  /// The places of the objects in an array or ordered set, as NSIndexSet.
  public static let indexesKey = NSKeyValueChangeKey(rawValue: "indexes")
  /// True in the notification before the change; absent in the notification after the change.
  public static let notificationIsPriorKey = NSKeyValueChangeKey(rawValue: "notificationIsPrior")
}
