import Foundation

/// The kinds of change that observers are told of.
public enum NSKeyValueChange: UInt, Sendable {
  /// The property has another value.
  case setting = 1
  /// Objects came to the collection that is the property.
  case insertion = 2
  /// Objects left the collection that is the property.
  case removal = 3
  /// Objects in the collection that is the property gave way to others.
  case replacement = 4
}

/// The ways to change a set as a whole.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
  /// Objects are added: observers are told of an insertion.
  case union = 1
  /// Objects are removed: observers are told of a removal.
  case minus = 2
  /// All other objects are removed: observers are told of a removal.
  case intersect = 3
  /// All objects are replaced: observers are told of a replacement.
  case set = 4
}

/// The keys of a change that observers are told of.
public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
  /// The key's text.
  public let rawValue: String

  /// Makes a key of its text.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The kind of change: the raw value of an `NSKeyValueChange`, as NSNumber.
  public static let kindKey = NSKeyValueChangeKey(rawValue: "kind")
  /// The new value, NSNull for nil; for an insertion or replacement the objects that came. Only with the option `new`.
  public static let newKey = NSKeyValueChangeKey(rawValue: "new")
  /// The value before, NSNull for nil; for a removal or replacement the objects that left. Only with the option `old`.
  public static let oldKey = NSKeyValueChangeKey(rawValue: "old")
  /// The places of the objects in an array or ordered set, as NSIndexSet.
  public static let indexesKey = NSKeyValueChangeKey(rawValue: "indexes")
  /// True in the notification before the change, absent in the one behind it.
  public static let notificationIsPriorKey = NSKeyValueChangeKey(rawValue: "notificationIsPrior")
}
