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

/// The context of a declaration: the types around it, and the type that the outermost extension extends.
package struct Container: Hashable, Sendable {
  /// The extended type, or empty when no extension is around.
  package var extended: [String] = []
  /// The names of the types around, outermost first.
  package var types: [String] = []

  package var path: [String] { extended + types }
}

/// The information that every declaration has.
package struct DeclarationInfo: Sendable {
  package var name: String
  package var container = Container()
  /// The access that the declaration itself states, or takes over from its extension.
  package var access = AccessLevel.internal
  /// The `#if` conditions around it, all of which hold when it is compiled.
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
  /// Whether the type is declared `@objcMembers`, which exposes to Objective-C all members that it can express.
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
    /// A method; `obstacle` is what makes it impossible to give it a body, if something does.
    case method([Parameter], obstacle: String?)
  }

  package var info: DeclarationInfo
  package var isEscaped = false
  package var kind: Kind
  /// The token of its name.
  package var nameToken = 0
  /// The tokens of a property's own type; empty where it has that of the next name in the declaration.
  package var typeTokens = 0..<0
  /// The last token of a method's declaration.
  package var lastToken = 0
  /// The extension around it has a `where` clause.
  package var isConstrained = false
}

/// A method `validate<Key>(_:)`, which key-value validation finds by its name on Apple's systems.
package struct ValidatorMethod: Sendable {
  package var info: DeclarationInfo
  /// The key that it validates, with a capital letter: the part behind `validate` of its name, or of the name in
  /// `@objc(...)`.
  package var key: String
  /// The extension around it has a `where` clause.
  package var isConstrained = false
}

package struct ImportDeclaration: Hashable, Sendable {
  /// `@testable` and `@_spi(...)`, the attributes that change which names are visible.
  package var attributes: [String] = []
  package var access: AccessLevel?
  /// `struct`, `class` and so on of a scoped import.
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
  /// Lines of `@NSManaged` declarations inside function bodies.
  package var localLines: [Int] = []

  /// The last component of the path.
  package var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}
