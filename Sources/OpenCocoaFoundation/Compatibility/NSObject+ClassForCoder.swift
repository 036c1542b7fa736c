import Foundation

extension NSObject {
  /// Returns the class itself, as in `Bundle(for: Person.classForCoder())`.
  ///
  /// On Apple's systems a class is an object, and answers what NSObject's instances answer. Foundation on Linux has the
  /// property of the instances alone.
  public class func classForCoder() -> AnyClass { self }
}
