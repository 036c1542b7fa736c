import Foundation

/// A member of a class that generated code lists, since without the Objective-C run time its name does not lead to it.
///
/// The closures may be isolated to the main actor, as all declarations are in modules with that default isolation. They are
/// called by key-value coding and observing, on the queue of the caller.
public struct _ClassMember {
  enum Role {
    /// A property. One that is exposed to Objective-C stands before the value that an entity models under the key.
    case property(OCDKeyValueProperty, isExposed: Bool)
    /// A class method `keyPathsForValuesAffecting<Key>`.
    case affecting(String, @Sendable () -> Set<String>)
    /// A class method `contextShouldIgnoreChangesFor<Key>`.
    case ignoringChanges(String, @Sendable () -> Bool)
    /// A method that expressions may call by its selector.
    case method(OCDCallableMethod)
  }

  let owner: AnyClass
  let role: Role

  /// A property that can be read and set.
  ///
  /// - Parameters:
  ///   - owner: the class that declares the property.
  ///   - name: the key.
  ///   - keyPath: the property.
  ///   - isExposed: whether it is the accessor of its key on Apple's systems, too, as an `@objc` property is.
  public init<Owner: AnyObject, Value>(
    _ owner: Owner.Type, _ name: String, _ keyPath: ReferenceWritableKeyPath<Owner, Value>, isExposed: Bool
  ) {
    self.owner = owner
    // A key path without captured values is immutable. The compiler does not say that it is Sendable where the property is
    // isolated; such a property is read and set on the thread of the caller, as key-value coding does everywhere.
    let sendable = unsafeBitCast(keyPath, to: (ReferenceWritableKeyPath<Owner, Value> & Sendable).self)
    role = .property(OCDKeyValueProperty(name, sendable), isExposed: isExposed)
  }

  /// A property that can be read only.
  ///
  /// - Parameters:
  ///   - owner: the class that declares the property.
  ///   - name: the key.
  ///   - keyPath: the property.
  ///   - isExposed: whether it is the accessor of its key on Apple's systems, too, as an `@objc` property is.
  public init<Owner: AnyObject, Value>(
    _ owner: Owner.Type, _ name: String, _ keyPath: KeyPath<Owner, Value>, isExposed: Bool
  ) {
    self.owner = owner
    let sendable = unsafeBitCast(keyPath, to: (KeyPath<Owner, Value> & Sendable).self)
    role = .property(OCDKeyValueProperty(name, sendable), isExposed: isExposed)
  }

  /// A class method `keyPathsForValuesAffecting<Key>`: the key paths whose changes change a property, too.
  ///
  /// - Parameters:
  ///   - owner: the class that declares the method.
  ///   - key: the part of its name behind `keyPathsForValuesAffecting`.
  ///   - keyPaths: calls the method.
  public init<Owner: AnyObject>(
    _ owner: Owner.Type, affecting key: String, _ keyPaths: @escaping @MainActor () -> Set<String>
  ) {
    self.owner = owner
    role = .affecting(key, unsafeBitCast(keyPaths, to: (@Sendable () -> Set<String>).self))
  }

  /// A class method `contextShouldIgnoreChangesFor<Key>`: whether a change of a transient attribute leaves its object
  /// unchanged.
  ///
  /// - Parameters:
  ///   - owner: the class that declares the method.
  ///   - key: the part of its name behind `contextShouldIgnoreChangesFor`.
  ///   - ignores: calls the method.
  public init<Owner: AnyObject>(
    _ owner: Owner.Type, ignoringChangesFor key: String, _ ignores: @escaping @MainActor () -> Bool
  ) {
    self.owner = owner
    role = .ignoringChanges(key, unsafeBitCast(ignores, to: (@Sendable () -> Bool).self))
  }

  /// A method that expressions call by its selector.
  ///
  /// - Parameters:
  ///   - owner: the class that declares the method.
  ///   - selector: the selector that Objective-C would give it.
  ///   - method: the method.
  public init<Owner: AnyObject, each Argument, Result>(
    _ owner: Owner.Type, selector: String, _ method: @escaping (Owner) -> (repeat each Argument) -> Result
  ) {
    self.owner = owner
    // A method captures nothing; language mode 5 does not say that it is Sendable.
    nonisolated(unsafe) let method = method
    role = .method(OCDCallableMethod(selector) { (owner: Owner) in method(owner) })
  }
}

/// Registers a function that returns the members of a module's classes. Generated code calls it before `main`.
///
/// - Parameter list: returns the members; called when one is first looked for, on any thread. It may have the default
///   isolation of the module; it uses only types and key paths.
public func _registerClassMembers(_ list: @escaping @MainActor () -> [_ClassMember]) {
  ClassMembers.register(unsafeBitCast(list, to: (@Sendable () -> [_ClassMember]).self))
}
