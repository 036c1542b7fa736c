import OpenCocoaFoundation

/// A derived attribute and how a store computes its value.
package struct SQLDerivation: Sendable {
  /// The source of the derived value.
  package enum Kind: Sendable {
    /// The time when the row was last written.
    case now
    /// Another attribute of the same row.
    case row(RowFunction, SQLAttribute)
    /// An attribute at the end of to-one relationships.
    case path([SQLToOne], SQLAttribute)
    /// The number of members of a relationship.
    case count(SQLToMany)
    /// The sum of an attribute of the members of a relationship.
    case sum(SQLToMany, SQLAttribute)
  }

  /// The entity that declares the attribute.
  package let entity: SQLEntity
  package let attribute: SQLAttribute
  package let kind: Kind
  package let filter: MemberFilter?

  /// Whether triggers keep the value up to date, because it depends on other rows.
  package var needsTriggers: Bool {
    switch kind {
    case .now, .row: false
    case .path, .count, .sum: true
    }
  }
}

/// The condition that members must meet to be counted, as SQL on a member's row, with each name that the row has in
/// triggers.
package struct MemberFilter: Sendable {
  /// The condition in a select of the members.
  package let t0: String
  /// The conditions on the member's row before and after a change.
  package let old: String
  package let new: String
}

/// The function that derives a value from another attribute of the row.
package enum RowFunction: String, Sendable {
  case copy = ""
  case canonical = "canonical:"
  case uppercase = "uppercase:"
  case lowercase = "lowercase:"

  /// The function as an expression of a statement on a connection of this framework. The function of NULL is NULL.
  package func expression(of value: SQLExpression) -> SQLExpression {
    guard let function = SQLFunctionName(self) else { return value }
    return .function(function, [value])
  }

  /// The value of the function, computed in memory.
  package func value(of value: StoredValue) -> StoredValue {
    guard case .string(let text) = value else { return value }
    switch self {
    case .copy: return value
    case .canonical: return .string(StringFolding.fold(text, case: true, diacritic: true))
    case .uppercase: return .string(text.uppercased())
    case .lowercase: return .string(text.lowercased())
    }
  }
}

extension SQLFunctionName {
  /// The function that derives the value; nil for a copy.
  package init?(_ function: RowFunction) {
    guard let name = ExpressionFunction(rawValue: function.rawValue).flatMap(SQLFunctionName.init) else { return nil }
    self = name
  }
}
