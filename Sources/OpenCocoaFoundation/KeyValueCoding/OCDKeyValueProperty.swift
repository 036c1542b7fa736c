import Foundation

/// A property that key-value coding reads and sets by its name; see `NSKeyValueCoding.keyValueProperties`.
///
/// Observers that the property has (`willSet`, `didSet`) and computed setters run as for any assignment.
public struct OCDKeyValueProperty: Sendable {
  /// The key by which the property is read and set, which need not be its name in Swift.
  public let name: String
  let keyPath: AnyKeyPath & Sendable
  private let get: @Sendable (AnyObject) -> Any?
  private var assignment: (@Sendable (AnyObject, Any?) -> (() -> Void)?)?
  private let check: @Sendable (AnyObject, Any?) -> String?

  /// A property that can be read and set.
  ///
  /// - Parameters:
  ///   - name: The key.
  ///   - keyPath: The property. Numbers, Booleans and enumerations with a number as raw value are taken from NSNumber and
  ///     from any type of number, Optionals and NSNull from nil, arrays and sets from NSArray and NSSet.
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

  /// A property that can be read only; setting it ends in `setValue(_:forUndefinedKey:)`.
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

  /// A closure that sets the property; nil if the value is nil and the property has no nil. A value of a wrong type stops the
  /// program.
  package func assignment(of value: Any?, to object: AnyObject) -> (() -> Void)? { assignment?(object, value) }

  /// The error for which `assignment(of:to:)` would stop the program, or return nil; nil if there is none.
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
