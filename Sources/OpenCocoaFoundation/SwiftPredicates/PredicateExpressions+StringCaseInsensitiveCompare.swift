import Foundation

extension PredicateExpressions {
  /// An expression whose value is the order of two strings without regard to case.
  ///
  /// Foundation has this expression only on Apple's platforms.
  public struct StringCaseInsensitiveCompare<Root: PredicateExpression, Other: PredicateExpression>: PredicateExpression
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
      try root.evaluate(bindings).caseInsensitiveCompare(try other.evaluate(bindings))
    }
  }

  /// Makes the expression for a call of `caseInsensitiveCompare(_:)` in `#Predicate`.
  public static func build_caseInsensitiveCompare<Root, Other>(
    _ root: Root, _ other: Other
  ) -> StringCaseInsensitiveCompare<Root, Other> {
    StringCaseInsensitiveCompare(root: root, other: other)
  }
}

extension PredicateExpressions.StringCaseInsensitiveCompare: Sendable where Root: Sendable, Other: Sendable {}

extension PredicateExpressions.StringCaseInsensitiveCompare: StandardPredicateExpression, Codable
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
