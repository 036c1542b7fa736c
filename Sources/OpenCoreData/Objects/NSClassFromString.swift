import Foundation

/// The class of a name: `Module.Class`, as Foundation finds it, or the name that a managed class has in Objective-C.
///
/// Foundation on Linux knows a class by its module alone. A model names most classes without one, and on Apple's platforms
/// the Objective-C run time knows them so: `NSClassFromString(entity.managedObjectClassName)` is how code gets from an entity
/// to its class. Known are the classes that generated code registers.
public func NSClassFromString(_ aClassName: String) -> AnyClass? {
  ManagedClassRegistry.registered(aClassName) ?? Foundation.NSClassFromString(aClassName)
}
