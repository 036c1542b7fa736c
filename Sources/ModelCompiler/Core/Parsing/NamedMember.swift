/// A property or a method that the Objective-C run time would find by its name.
package struct NamedMember: Sendable {
  package enum Kind: Sendable, Equatable {
    case property
    /// A property of the class itself.
    case classProperty
    /// The labels, nil for `_`.
    case method([String?])
    case classMethod([String?])
  }

  package var info: DeclarationInfo
  package var kind: Kind
  /// `@objc`, on itself or on the extension around it.
  package var isExposed = false
  /// Whether `@objcMembers` of the class would expose it: its type is one that Objective-C has.
  package var hasExpressibleType = false
  package var isOverride = false
  /// The name in `@objc(name)`.
  package var objectiveCName: String?
  /// The extension around it has a `where` clause, or a type around it is generic.
  package var isConstrained = false
}
