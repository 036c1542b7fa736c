/// The names of the tables and columns of a model. A schema gets them from its dialect.
///
/// A name that is in use already gets a number (`SQLNames`).
package protocol SQLNaming: Sendable {
  /// The tables of a store besides those of entities and relationships.
  var otherTables: [String] { get }

  /// Whether names that differ in case alone are the same.
  var ignoresCase: Bool { get }

  /// The table of a root entity.
  func table(of entity: String) -> String

  /// The column of an attribute.
  /// - Parameter keyPath: the name, or for an element of a composite attribute the names that lead to it.
  func column(of keyPath: [String]) -> String

  /// The column with the key of a to-one relationship's destination.
  func key(of relationship: String) -> String

  /// The column beside a key that tells to which entity the key belongs.
  /// - Parameter root: the number of the destination's root entity.
  func entityNumber(besides key: String, root: Int) -> String

  /// The column beside a key that tells the place among the destination's members.
  func place(besides key: String) -> String

  /// The column in the members' table with the owner's key, of a to-many relationship without inverse.
  /// - Parameters:
  ///   - entity: the entity that declares the relationship, with its number.
  ///   - existing: the columns of that table in an existing file that belong to no property.
  func owner(of relationship: String, _ entity: (name: String, number: Int), existing: [String]) -> String

  /// The table of a many-to-many relationship, named after one of its ends.
  func pairs(of relationship: String, _ entity: (name: String, number: Int)) -> String

  /// The columns of such a table: the keys of both ends, and their places among each other's members. Nil where `JoinLayout`
  /// names them by the rules of Apple's files.
  var pairColumns: SQLPairColumns? { get }
}

/// The columns of a table of pairs.
package struct SQLPairColumns: Sendable {
  package let owner, member: String
  /// The place of the member among the owner's, and of the owner among the member's.
  package let memberPlace, ownerPlace: String
}
