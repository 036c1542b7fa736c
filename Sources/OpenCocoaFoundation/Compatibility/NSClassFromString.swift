import Foundation

/// The class of a name: `Module.Class`, as Foundation finds it, or the name that a managed class has in Objective-C.
///
/// Foundation on Linux knows a class by its module alone. A model names most classes without one, and on Apple's platforms
/// the Objective-C run time knows them so: `NSClassFromString(entity.managedObjectClassName)` is how code gets from an entity
/// to its class. Known are the classes that generated code registers.
public func NSClassFromString(_ aClassName: String) -> AnyClass? {
  ClassNames.registered(aClassName) ?? Foundation.NSClassFromString(aClassName)
}

/// The names of classes that a module above knows.
package enum ClassNames {
  // Every access holds the lock.
  private final class Finder: @unchecked Sendable {
    let lock = NSLock()
    var find: (@Sendable (String) -> AnyClass?)?
  }

  private static let finder = Finder()

  /// Sets the function that finds registered classes.
  package static func find(by find: @escaping @Sendable (String) -> AnyClass?) {
    finder.lock.withLock { finder.find = find }
  }

  static func registered(_ name: String) -> AnyClass? { finder.lock.withLock { finder.find }?(name) }
}
