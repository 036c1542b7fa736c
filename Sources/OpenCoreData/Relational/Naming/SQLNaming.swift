/// The names of the tables and columns of a model. A schema gets its naming from its dialect.
///
/// If a name is already in use, `SQLNames` adds a number to it.
package protocol SQLNaming: Sendable {
  /// The tables that a store has besides those of entities and relationships.
  var otherTables: [String] { get }

  /// Whether names that differ only in case are the same.
  var ignoresCase: Bool { get }

  /// The table of a root entity.
  func table(of entity: String) -> String

  /// The column of an attribute.
  /// - Parameter keyPath: the attribute's name; for an element of a composite attribute the names that lead to it.
  func column(of keyPath: [String]) -> String

  /// The column with the key of a to-one relationship's destination.
  func key(of relationship: String) -> String

  /// The column beside a foreign key that holds the number of the destination's entity.
  /// - Parameter root: the number of the destination's root entity.
  func entityNumber(besides key: String, root: Int) -> String

  /// The column beside a foreign key that holds the row's place among the members of the destination.
  func place(besides key: String) -> String

  /// The column in the members' table that holds the owner's key, for a to-many relationship without inverse.
  /// - Parameters:
  ///   - entity: the entity that declares the relationship, with its number.
  ///   - existing: the columns of that table in an existing file that belong to no property.
  func owner(of relationship: String, _ entity: (name: String, number: Int), existing: [String]) -> String

  /// The table of a many-to-many relationship, named after one of its ends.
  func pairs(of relationship: String, _ entity: (name: String, number: Int)) -> String

  /// The columns of a many-to-many table: the keys of both ends, and the place of each end among the members of the
  /// other. Nil if `JoinLayout` names the columns by the rules of Apple's files.
  var pairColumns: SQLPairColumns? { get }
}

/// The columns of a table of pairs.
package struct SQLPairColumns: Sendable {
  package let owner, member: String
  /// The place of the member among the owner's members, and of the owner among the member's owners.
  package let memberPlace, ownerPlace: String
}
