/// A column of an attribute, or of the key of a to-one relationship.
package struct SQLAttributeColumn: Sendable {
  package let name: String
  package let type: SQLColumnType

  package init(_ column: (name: String, type: SQLColumnType)) { (name, type) = column }
}
