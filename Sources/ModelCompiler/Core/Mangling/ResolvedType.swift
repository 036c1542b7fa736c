/// A named type with the properties that its symbol depends on.
package struct Nominal: Hashable, Sendable {
  package indirect enum Context: Hashable, Sendable {
    case module(String)
    case type(Nominal)
    /// An extension in another module than that of the type.
    case foreignExtension(of: Nominal, module: String)
  }

  package var context: Context
  package var name: String
  package var kind: NominalKind
  /// The text that distinguishes a private type from types of the same name in other files.
  package var discriminator: String?

  package init(_ context: Context, _ name: String, _ kind: NominalKind, discriminator: String? = nil) {
    self.context = context
    self.name = name
    self.kind = kind
    self.discriminator = discriminator
  }
}

/// A type after name lookup. Two of them are equal if the compiler treats them as the same type.
package indirect enum ResolvedType: Hashable, Sendable {
  case nominal(Nominal)
  case generic(Nominal, [ResolvedType])
  case optional(ResolvedType)
  case existential([Nominal])
  case anyObject

  /// `Any` is the composition of no protocols.
  package static let any = ResolvedType.existential([])
}

extension ResolvedType {
  /// Whether the type is a base of several types for which the framework has accessors: each of these accessors would
  /// match.
  var isBase: Bool {
    switch self {
    case .optional(let wrapped): wrapped.isBase
    case .existential, .anyObject: true
    case .nominal(let nominal): nominal.moduleName == "Foundation" && ["NSObject", "NSValue"].contains(nominal.name)
    case .generic: false
    }
  }
}
