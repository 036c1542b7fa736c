import Foundation

/// A property that key-value coding reads and sets by its name; see `NSKeyValueCoding.keyValueProperties`.
///
/// When the property is set, its observers (`willSet`, `didSet`) or its computed setter run, as for any assignment.
public struct OCDKeyValueProperty: Sendable {
  /// The key that the property is read and set by. It may differ from the property's name in Swift.
  public let name: String
  let keyPath: AnyKeyPath & Sendable
  private let get: @Sendable (AnyObject) -> Any?
  private var assignment: (@Sendable (AnyObject, Any?) -> (() -> Void)?)?
  private let check: @Sendable (AnyObject, Any?) -> String?

  /// Makes an entry for a property that can be read and set.
  ///
  /// - Parameters:
  ///   - name: The key.
  ///   - keyPath: The property. A number, a Boolean or an enumeration with a number as its raw value is set from an NSNumber or
  ///     any type of number. An Optional is set from nil and NSNull, an array from an NSArray, and a set from an NSSet.
  public init<Root: AnyObject, Value>(
    _ name: String, _ keyPath: ReferenceWritableKeyPath<Root, Value> & Sendable
  ) {
    self.name = name
    self.keyPath = keyPath
    get = { object in
      let root: Root = Self.root(object, name)
      return KeyValueConversion.boxed(root[keyPath: keyPath])
    }
    assignment = { object, value in
      let root: Root = Self.root(object, name)
      switch KeyValueConversion.convert(value, to: Value.self) {
      case .value(let value): return { root[keyPath: keyPath] = value }
      case .hasNoNil: return nil
      case .mismatch: raise(.invalidArgument, Self.wrongType(value, Value.self, name, object))
      }
    }
    check = { object, value in
      switch KeyValueConversion.convert(value, to: Value.self) {
      case .value: nil
      case .hasNoNil, .mismatch: Self.wrongType(value, Value.self, name, object)
      }
    }
  }

  /// Makes an entry for a property that can only be read. Setting it calls `setValue(_:forUndefinedKey:)`.
  public init<Root: AnyObject, Value>(_ name: String, _ keyPath: KeyPath<Root, Value> & Sendable) {
    self.name = name
    self.keyPath = keyPath
    get = { object in
      let root: Root = Self.root(object, name)
      return KeyValueConversion.boxed(root[keyPath: keyPath])
    }
    assignment = nil
    check = { _, _ in "The property \(name) cannot be set." }
  }

  package var isSettable: Bool { assignment != nil }

  /// The same property without its setter.
  var readOnly: OCDKeyValueProperty {
    var property = self
    property.assignment = nil
    return property
  }

  package func value(of object: AnyObject) -> Any? { get(object) }

  /// Returns a closure that sets the property; nil if the value is nil but the property cannot be nil. A value of a wrong type
  /// stops the program.
  package func assignment(of value: Any?, to object: AnyObject) -> (() -> Void)? { assignment?(object, value) }

  /// Returns the reason why the property cannot be set to a value; nil if it can.
  package func problem(setting value: Any?, of object: AnyObject) -> String? { check(object, value) }

  private static func root<Root: AnyObject>(_ object: AnyObject, _ name: String) -> Root {
    if let root = object as? Root { return root }
    raise(.invalidArgument, "The key path of the property \(name) belongs to \(Root.self), not to \(type(of: object)).")
  }

  private static func wrongType(_ value: Any?, _ wanted: Any.Type, _ name: String, _ object: AnyObject) -> String {
    let given = value.map { "\(type(of: $0))" } ?? "nil"
    return
      "[\(KeyValueCoding.name(of: object)) setValue:forKey:]: unacceptable value for the key \(name); desired type = "
      + "\(wanted); given type = \(given); value = \(ValueText.of(value))."
  }
}
