import Foundation

/// A member of a class that generated code lists, because without the Objective-C run time it cannot be found by its name.
///
/// The closures may be isolated to the main actor, because a module may isolate all of its declarations to it by default. But
/// they are called on the queue of the code that uses key-value coding or observing.
public struct _ClassMember {
  enum Role {
    /// A property. If it is exposed to Objective-C, it takes precedence over an entity's modeled property with the same key.
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

  /// Makes an entry for a property that can be read and set.
  ///
  /// - Parameters:
  ///   - owner: the class that declares the property.
  ///   - name: the key.
  ///   - keyPath: the property.
  ///   - isExposed: whether the property is the accessor of its key on Apple's systems, too, as an `@objc` property is.
  public init<Owner: AnyObject, Value>(
    _ owner: Owner.Type, _ name: String, _ keyPath: ReferenceWritableKeyPath<Owner, Value>, isExposed: Bool
  ) {
    self.owner = owner
    // A key path without captured values is immutable, so it can be Sendable. The compiler does not infer this if the property
    // is isolated. Such a property is read and set on the thread of the caller, like all properties in key-value coding.
    let sendable = unsafeBitCast(keyPath, to: (ReferenceWritableKeyPath<Owner, Value> & Sendable).self)
    role = .property(OCDKeyValueProperty(name, sendable), isExposed: isExposed)
  }

  /// Makes an entry for a property that can only be read.
  ///
  /// - Parameters:
  ///   - owner: the class that declares the property.
  ///   - name: the key.
  ///   - keyPath: the property.
  ///   - isExposed: whether the property is the accessor of its key on Apple's systems, too, as an `@objc` property is.
  public init<Owner: AnyObject, Value>(
    _ owner: Owner.Type, _ name: String, _ keyPath: KeyPath<Owner, Value>, isExposed: Bool
  ) {
    self.owner = owner
    let sendable = unsafeBitCast(keyPath, to: (KeyPath<Owner, Value> & Sendable).self)
    role = .property(OCDKeyValueProperty(name, sendable), isExposed: isExposed)
  }

  /// Makes an entry for a class method `keyPathsForValuesAffecting<Key>`, which returns the key paths that a property depends
  /// on.
  ///
  /// - Parameters:
  ///   - owner: the class that declares the method.
  ///   - key: the part of the method's name after `keyPathsForValuesAffecting`.
  ///   - keyPaths: calls the method.
  public init<Owner: AnyObject>(
    _ owner: Owner.Type, affecting key: String, _ keyPaths: @escaping @MainActor () -> Set<String>
  ) {
    self.owner = owner
    role = .affecting(key, unsafeBitCast(keyPaths, to: (@Sendable () -> Set<String>).self))
  }

  /// Makes an entry for a class method `contextShouldIgnoreChangesFor<Key>`, which returns whether a change of a transient
  /// attribute leaves its object unchanged.
  ///
  /// - Parameters:
  ///   - owner: the class that declares the method.
  ///   - key: the part of the method's name after `contextShouldIgnoreChangesFor`.
  ///   - ignores: calls the method.
  public init<Owner: AnyObject>(
    _ owner: Owner.Type, ignoringChangesFor key: String, _ ignores: @escaping @MainActor () -> Bool
  ) {
    self.owner = owner
    role = .ignoringChanges(key, unsafeBitCast(ignores, to: (@Sendable () -> Bool).self))
  }

  /// Makes an entry for a method that expressions call by its selector.
  ///
  /// - Parameters:
  ///   - owner: the class that declares the method.
  ///   - selector: the selector that the method would have in Objective-C.
  ///   - method: the method.
  public init<Owner: AnyObject, each Argument, Result>(
    _ owner: Owner.Type, selector: String, _ method: @escaping (Owner) -> (repeat each Argument) -> Result
  ) {
    self.owner = owner
    // A method captures nothing, so it can be Sendable. Language mode 5 does not infer this.
    nonisolated(unsafe) let method = method
    role = .method(OCDCallableMethod(selector) { (owner: Owner) in method(owner) })
  }
}

/// Registers a function that lists the members of a module's classes. Generated code calls this before `main`.
///
/// - Parameter list: returns the members. It is called when a member is first looked up, on any thread. It may have the default
///   isolation of the module's declarations, because it uses only types and key paths.
public func _registerClassMembers(_ list: @escaping @MainActor () -> [_ClassMember]) {
  ClassMembers.register(unsafeBitCast(list, to: (@Sendable () -> [_ClassMember]).self))
}
