import Foundation

/// The property that a mutable collection stands for. It is read and set as a whole.
struct CollectionProperty {
  enum Kind: String {
    case array = "an array", orderedSet = "an ordered set", set = "a set"
  }

  let object: any _KeyValueCodingAndObserving
  let key: String
  let kind: Kind

  /// The current elements; empty if the property is nil.
  var elements: [Any] {
    let value = current
    guard let elements = OpenCocoaFoundation.elements(of: value) else {
      if value == nil || isNull(value) { return [] }
      wrongKind(value)
    }
    return elements
  }

  /// The property's value. Stops the program if the value is a collection of another kind.
  private var current: Any? {
    let value = unwrapped(KeyValueCoding.value(of: object, forKey: key))
    let fits =
      switch value {
      case is NSOrderedSet: kind == .orderedSet
      case is NSArray: kind == .array
      case is NSSet: kind == .set
      case is NSDictionary: false
      case let value?: OpenCocoaFoundation.elements(of: value) == nil || value is [Any] == (kind == .array)
      case nil: true
      }
    if !fits { wrongKind(value) }
    return value
  }

  /// Sets the property to a collection of the given elements, and notifies its observers of `change`.
  func set(_ elements: [Any], _ change: ObservedChange) {
    let isMutable: Bool
    switch current {
    case is NSMutableArray, is NSMutableOrderedSet, is NSMutableSet: isMutable = true
    default: isMutable = false
    }
    let value: Any =
      switch kind {
      case .array: isMutable ? NSMutableArray(array: elements) : NSArray(array: elements)
      case .orderedSet: isMutable ? NSMutableOrderedSet(array: elements) : NSOrderedSet(array: elements)
      case .set: isMutable ? NSMutableSet(array: elements) : NSSet(array: elements)
      }
    KeyValueObserving.automatically(object, key, change) {
      KeyValueCoding.setValue(value, of: object, forKey: key)
    }
  }

  private func wrongKind(_ value: Any?) -> Never {
    raise(
      .invalidArgument,
      "[\(KeyValueCoding.name(of: object)) valueForKey:]: the value for the key \(key) is not \(kind.rawValue), but "
        + "\(value.map { "\(type(of: $0))" } ?? "nil").")
  }

  /// Stops the program if an index is out of bounds.
  func check(_ index: Int, _ count: Int, _ method: String) {
    guard index < 0 || index >= count else { return }
    raise(.range, "[\(KeyValueCoding.name(of: object)) \(key) \(method)]: index \(index) beyond bounds [0 .. \(count)]")
  }
}
