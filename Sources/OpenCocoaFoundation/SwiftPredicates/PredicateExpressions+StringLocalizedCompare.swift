import Foundation

extension PredicateExpressions {
  /// An expression whose value is the order of two strings in the current locale.
  ///
  /// Foundation has this expression only on Apple's platforms.
  public struct StringLocalizedCompare<Root: PredicateExpression, Other: PredicateExpression>: PredicateExpression
  where Root.Output: StringProtocol, Other.Output: StringProtocol {
    /// The type of the value.
    public typealias Output = ComparisonResult

    /// The string whose method is called.
    public let root: Root

    /// The argument.
    public let other: Other

    /// Makes the expression of its two strings.
    public init(root: Root, other: Other) {
      self.root = root
      self.other = other
    }

    /// Computes the value with the given values of the variables.
    public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
      try root.evaluate(bindings).localizedCompare(try other.evaluate(bindings))
    }
  }

  /// Makes the expression for a call of `localizedCompare(_:)` in `#Predicate`.
  public static func build_localizedCompare<Root, Other>(
    _ root: Root, _ other: Other
  ) -> StringLocalizedCompare<Root, Other> {
    StringLocalizedCompare(root: root, other: other)
  }
}

extension PredicateExpressions.StringLocalizedCompare: Sendable where Root: Sendable, Other: Sendable {}

extension PredicateExpressions.StringLocalizedCompare: StandardPredicateExpression, Codable
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {
  /// Decodes the two strings, one after the other.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    self.init(root: try container.decode(Root.self), other: try container.decode(Other.self))
  }

  /// Encodes the two strings, one after the other.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(root)
    try container.encode(other)
  }
}
