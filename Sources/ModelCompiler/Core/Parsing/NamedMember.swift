/// A property or a method that the Objective-C runtime would find by its name.
package struct NamedMember: Sendable {
  package enum Kind: Sendable, Equatable {
    case property
    /// A property of the class itself.
    case classProperty
    /// A method with its labels; nil for `_`.
    case method([String?])
    case classMethod([String?])
  }

  package var info: DeclarationInfo
  package var kind: Kind
  /// Whether the member, or the enclosing extension, has `@objc`.
  package var isExposed = false
  /// Whether `@objcMembers` of the class would expose the member: its type is one that Objective-C has.
  package var hasExpressibleType = false
  package var isOverride = false
  /// The name in `@objc(name)`.
  package var objectiveCName: String?
  /// Whether the enclosing extension has a `where` clause, or an enclosing type is generic.
  package var isConstrained = false
}
