import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// The computation of one attribute or relationship of the destination.
open class NSPropertyMapping: NSObject, NSKeyValueCoding {
  /// Makes a mapping without a name and an expression.
  public override init() { super.init() }

  /// The name of the property in the destination entity.
  open var name: String?

  /// The expression that computes the value, such as `$source.title`; nil leaves the default value.
  ///
  /// It may use the variables that `NSMigrationManagerKey`, `NSMigrationSourceObjectKey` and the other keys name, and call
  /// methods of the migration manager and of the policy: `FUNCTION($entityPolicy, "capitalized:", $source.title)`. A method
  /// of a policy must be listed, see `OCDCallableByName`.
  open var valueExpression: NSExpression?

  /// Information for the application's own use.
  open var userInfo: [AnyHashable: Any]?

  /// The properties that expressions can read by name, e.g. `$propertyMapping.name`.
  open class var keyValueProperties: [OCDKeyValueProperty] {
    [
      OCDKeyValueProperty("name", \NSPropertyMapping.name),
      OCDKeyValueProperty("userInfo", \NSPropertyMapping.userInfo),
    ]
  }

  /// Compares contents: name, expression and user info.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPropertyMapping else { return false }
    if self === other { return true }
    return name == other.name && valueExpression == other.valueExpression && equalValues(userInfo, other.userInfo)
  }

  /// The hash of the name.
  open override var hash: Int { name.hashValue }

  /// The name and the expression.
  open override var description: String {
    "(<NSPropertyMapping>) name \(name ?? "(none)"), valueExpression \(valueExpression?.description ?? "(none)")"
  }
}
