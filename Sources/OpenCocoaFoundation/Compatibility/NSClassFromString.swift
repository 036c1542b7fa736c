import Foundation

/// Returns the class of a name: of `Module.Class`, which Foundation finds, or of the name that a managed class has in
/// Objective-C.
///
/// Foundation on Linux finds a class only by a name with its module. A model names most classes without a module, and on
/// Apple's platforms the Objective-C run time finds classes by such names: code gets the class of an entity with
/// `NSClassFromString(entity.managedObjectClassName)`. This function finds the classes that generated code registers.
public func NSClassFromString(_ aClassName: String) -> AnyClass? {
  ClassNames.registered(aClassName) ?? Foundation.NSClassFromString(aClassName)
}

/// Finds registered classes by name. The lookup itself belongs to a module that depends on this one.
package enum ClassNames {
  // Every access holds the lock.
  private final class Finder: @unchecked Sendable {
    let lock = NSLock()
    var find: (@Sendable (String) -> AnyClass?)?
  }

  private static let finder = Finder()

  /// Sets the function that finds a registered class by its name.
  package static func find(by find: @escaping @Sendable (String) -> AnyClass?) {
    finder.lock.withLock { finder.find = find }
  }

  static func registered(_ name: String) -> AnyClass? {
    readModuleRegistrations()
    return finder.lock.withLock { finder.find }?(name)
  }
}
