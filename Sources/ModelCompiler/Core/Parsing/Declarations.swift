/// Swift's access levels, narrowest first.
package enum AccessLevel: Int, Comparable, Sendable {
  case `private`, `fileprivate`, `internal`, package, `public`, open

  package static func < (left: AccessLevel, right: AccessLevel) -> Bool { left.rawValue < right.rawValue }

  init?(keyword: String) {
    switch keyword {
    case "private": self = .private
    case "fileprivate": self = .fileprivate
    case "internal": self = .internal
    case "package": self = .package
    case "public": self = .public
    case "open": self = .open
    default: return nil
    }
  }
}

/// The place of a declaration: the enclosing types, and the type that the outermost extension extends.
package struct Container: Hashable, Sendable {
  /// The extended type; empty if no extension encloses the declaration.
  package var extended: [String] = []
  /// The names of the enclosing types, outermost first.
  package var types: [String] = []

  package var path: [String] { extended + types }
}

/// The common properties of all declarations.
package struct DeclarationInfo: Sendable {
  package var name: String
  package var container = Container()
  /// The access level that the declaration states itself, or takes from its extension.
  package var access = AccessLevel.internal
  /// The enclosing `#if` conditions, all of which hold when the declaration is compiled.
  package var conditions: [String] = []
  package var line = 0
}

package enum NominalKind: Sendable { case `class`, structure, enumeration, `protocol` }

/// A class, structure, enumeration, actor or protocol.
package struct TypeDeclaration: Sendable {
  package var info: DeclarationInfo
  package var kind: NominalKind
  package var isGeneric = false
  package var inherited: [TypeSyntax] = []
  /// The name in `@objc(Name)`.
  package var objectiveCName: String?
  /// Whether the type has `@objcMembers`: then members that Objective-C can express are exposed to it.
  package var exposesMembers = false
}

package struct AliasDeclaration: Sendable {
  package var info: DeclarationInfo
  package var type: TypeSyntax
}

/// An `@NSManaged` property or method.
package struct ManagedMember: Sendable {
  package struct Parameter: Sendable {
    /// The label, or nil for `_`.
    package var label: String?
    /// The name in the body.
    package var name: String
    package var type: TypeSyntax
  }

  package enum Kind: Sendable {
    case property(TypeSyntax)
    /// A method; `obstacle` is the reason why it cannot be given a body, or nil.
    case method([Parameter], obstacle: String?)
  }

  package var info: DeclarationInfo
  package var isEscaped = false
  package var kind: Kind
  /// The token of the member's name.
  package var nameToken = 0
  /// The tokens of a property's own type; empty if it has the type of the next name in the declaration.
  package var typeTokens = 0..<0
  /// The last token of a method's declaration.
  package var lastToken = 0
  /// Whether the enclosing extension has a `where` clause.
  package var isConstrained = false
}

/// A method `validate<Key>(_:)`, which key-value validation finds by its name on Apple's systems.
package struct ValidatorMethod: Sendable {
  package var info: DeclarationInfo
  /// The name of the validated property with a capital letter: the part after `validate` in the method's name or in
  /// `@objc(...)`.
  package var key: String
  /// Whether the enclosing extension has a `where` clause.
  package var isConstrained = false
}

package struct ImportDeclaration: Hashable, Sendable {
  /// `@testable` and `@_spi(...)`, the attributes that change which names are visible.
  package var attributes: [String] = []
  package var access: AccessLevel?
  /// The keyword of a scoped import, such as `struct` or `class`.
  package var scope: String?
  package var path: [String]
  package var conditions: [String] = []
}

/// The declarations of one source file.
package struct ParsedFile: Sendable {
  package var path: String
  package var imports: [ImportDeclaration] = []
  package var types: [TypeDeclaration] = []
  package var aliases: [AliasDeclaration] = []
  package var members: [ManagedMember] = []
  package var validators: [ValidatorMethod] = []
  package var namedMembers: [NamedMember] = []
  /// The optional methods of protocols.
  package var optionalRequirements: [OptionalRequirement] = []
  /// The lines of `@NSManaged` declarations inside function bodies.
  package var localLines: [Int] = []

  /// The last component of the path.
  package var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}
