import Foundation

/// Options that say what the notifications of a change contain, and when they are sent.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  /// The bits of the options.
  public let rawValue: UInt

  /// Makes options of their bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// The notification contains the new value.
  public static let new = NSKeyValueObservingOptions(rawValue: 1)
  /// The notification contains the value before the change.
  public static let old = NSKeyValueObservingOptions(rawValue: 2)
  /// A notification is sent at once, before the observer's registration returns.
  public static let initial = NSKeyValueObservingOptions(rawValue: 4)
  /// A notification is sent before each change, too.
  public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}
