import Foundation

/// A change that is passed to the closure of an observation by Swift key path.
public struct NSKeyValueObservedChange<Value> {
  /// The kind of change.
  public typealias Kind = NSKeyValueChange

  /// The kind of change.
  public let kind: Kind
  /// The new value, or the objects that were added to a collection; nil without the option `new`.
  public let newValue: Value?
  /// The value before, or the objects that were removed from a collection; nil without the option `old`.
  public let oldValue: Value?
  /// The places of the added or removed objects in an array or ordered set.
  public let indexes: IndexSet?
  /// Whether the closure is called before the change.
  public let isPrior: Bool

  init(_ change: [NSKeyValueChangeKey: Any]) {
    kind = (change[.kindKey] as? NSNumber).flatMap { Kind(rawValue: $0.uintValue) } ?? .setting
    newValue = change[.newKey].flatMap(Self.value)
    oldValue = change[.oldKey].flatMap(Self.value)
    indexes = (change[.indexesKey] as? NSIndexSet).map { IndexSet($0) }
    isPrior = (change[.notificationIsPriorKey] as? NSNumber)?.boolValue ?? false
  }

  private static func value(_ value: Any) -> Value? {
    if case .value(let value) = KeyValueConversion.convert(value, to: Value.self) { value } else { nil }
  }
}
