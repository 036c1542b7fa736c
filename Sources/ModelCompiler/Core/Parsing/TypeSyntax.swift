/// A type as the source spells it.
package indirect enum TypeSyntax: Hashable, Sendable {
  /// `A.B<C>`: the names, and the arguments of the last one.
  case named([String], arguments: [TypeSyntax])
  /// `T?`, or `T!`, which has the same symbol.
  case optional(TypeSyntax)
  case array(TypeSyntax)
  case dictionary(TypeSyntax, TypeSyntax)
  /// `any P`
  case any(TypeSyntax)
  /// `P & Q`
  case composition([TypeSyntax])
  /// A type that no property of a managed object can have: a tuple, a function, an opaque type.
  case unsupported(String)

  /// The type as source text.
  package var description: String {
    switch self {
    case .named(let names, let arguments):
      names.joined(separator: ".")
        + (arguments.isEmpty ? "" : "<" + arguments.map(\.description).joined(separator: ", ") + ">")
    case .optional(let wrapped):
      switch wrapped {
      case .any, .composition: "(\(wrapped.description))?"
      default: wrapped.description + "?"
      }
    case .array(let element): "[\(element.description)]"
    case .dictionary(let key, let value): "[\(key.description): \(value.description)]"
    case .any(let type): "any " + type.description
    case .composition(let types): types.map(\.description).joined(separator: " & ")
    case .unsupported(let text): text
    }
  }
}
