/// A column of an attribute, or of the key of a to-one relationship.
struct SQLAttributeColumn: Sendable {
  let name: String
  let type: SQLColumnType

  init(_ column: (name: String, type: SQLColumnType)) { (name, type) = column }
}
