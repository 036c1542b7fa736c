import Foundation

/// The change that is about to happen to a property.
package enum ObservedChange {
  case setting
  /// The change has happened before it is announced; the value is the one before it.
  case hasBeenSet(from: Any)
  case indexed(NSKeyValueChange, IndexSet)
  case mutation(NSKeyValueSetMutationKind, NSSet)

  var kind: NSKeyValueChange {
    switch self {
    case .setting, .hasBeenSet: .setting
    case .indexed(let kind, _): kind
    case .mutation(.union, _): .insertion
    case .mutation(.minus, _), .mutation(.intersect, _): .removal
    case .mutation(.set, _): .replacement
    }
  }

  var indexes: IndexSet? {
    if case .indexed(let kind, let indexes) = self, kind != .setting { indexes } else { nil }
  }

  /// Returns the old value or the objects that the change removes; nil if it removes none. Called while the property still has
  /// its old value.
  func old(_ value: Any?) -> Any? {
    switch self {
    case .indexed(.removal, let indexes), .indexed(.replacement, let indexes): Self.objects(value, indexes)
    case .indexed(.insertion, _), .mutation(.union, _): nil
    case .mutation(.minus, let objects): Self.members(value) { objects.contains($0) }
    case .mutation(.intersect, let objects), .mutation(.set, let objects):
      Self.members(value) { !objects.contains($0) }
    case .setting, .indexed(.setting, _): value ?? NSNull()
    case .hasBeenSet(let before): before
    }
  }

  /// Returns the objects that the change adds to a set; nil for other changes. Called while the property still has its old value.
  func newBefore(_ value: Any?) -> Any? {
    guard case .mutation(let kind, let objects) = self, kind == .union || kind == .set else { return nil }
    let known = NSSet(array: elements(of: value) ?? [])
    return Self.members(objects) { !known.contains($0) }
  }

  /// Returns the new value or the objects that the change has inserted; nil for other changes. Called when the property has its
  /// new value.
  func newBehind(_ value: Any?) -> Any? {
    switch self {
    case .indexed(.insertion, let indexes), .indexed(.replacement, let indexes): Self.objects(value, indexes)
    case .indexed(.removal, _), .mutation: nil
    case .setting, .hasBeenSet, .indexed(.setting, _): value ?? NSNull()
    }
  }

  private static func objects(_ value: Any?, _ indexes: IndexSet) -> NSArray {
    let elements = elements(of: value) ?? []
    return NSArray(array: indexes.filter { $0 < elements.count }.map { elements[$0] })
  }

  private static func members(_ value: Any?, where isWanted: (Any) -> Bool) -> NSSet {
    NSSet(array: (elements(of: value) ?? []).filter(isWanted))
  }
}
