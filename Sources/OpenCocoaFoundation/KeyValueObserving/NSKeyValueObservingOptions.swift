import Foundation

/// The contents of the notifications of a change, and when they are sent.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  /// The bits of the options.
  public let rawValue: UInt

  /// Makes options of their bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// The change has the new value.
  public static let new = NSKeyValueObservingOptions(rawValue: 1)
  /// The change has the value before it.
  public static let old = NSKeyValueObservingOptions(rawValue: 2)
  /// A notification is sent at once, before the observer's registration returns.
  public static let initial = NSKeyValueObservingOptions(rawValue: 4)
  /// A notification is sent before each change, too.
  public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}
