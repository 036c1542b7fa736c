/// Checks that values have the storage class of their type: numbers are stored as numbers, texts as text.
struct StorageClassCheck: RowCheck {
  func conditions(for table: SQLTable, of schema: SQLModel, in store: InspectedStore) -> [RowCondition] {
    table.entities(of: schema).flatMap { entity in
      entity.ownColumns.flatMap { column -> [RowCondition] in
        switch column {
        case .attribute(let attribute):
          guard store.hasColumn(attribute.columnName, in: table.name),
            let (sql, expected) = Self.test(attribute, "t.\(attribute.columnName.quotedName)")
          else { return [] }
          return [
            RowCondition(
              kind: .wrongType, place: "\(entity.name).\(attribute.keyPath)",
              text: "\(attribute.columnName) holds values that are not \(expected)", sql: sql)
          ]
        case .toOne(let toOne):
          return column.names.filter { store.hasColumn($0, in: table.name) }.map { name in
            RowCondition(
              kind: .wrongType, place: "\(entity.name).\(toOne.relationship.name)",
              text: "\(name) holds values that are no integers",
              sql: "typeof(t.\(name.quotedName)) NOT IN ('integer', 'null')")
          }
        }
      }
    }
  }

  /// Returns the condition for a value of a wrong storage class, and a name for the expected one; nil if every class is
  /// allowed.
  private static func test(_ attribute: SQLAttribute, _ column: String) -> (sql: String, expected: String)? {
    switch attribute.attribute.attributeType {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType:
      return ("typeof(\(column)) NOT IN ('integer', 'null')", "integers")
    case .doubleAttributeType, .floatAttributeType, .dateAttributeType:
      return ("typeof(\(column)) NOT IN ('integer', 'real', 'null')", "numbers")
    case .decimalAttributeType:
      // SQLite converts texts to numbers if it can. The remaining texts are numbers with more digits than a double has, and
      // texts that are no numbers.
      let text = "typeof(\(column)) = 'text' AND \(column) <> 'NaN' AND \(column) GLOB '*[^-+.0-9eE]*'"
      return ("typeof(\(column)) = 'blob' OR (\(text))", "decimal numbers")
    case .stringAttributeType, .URIAttributeType:
      return ("typeof(\(column)) NOT IN ('text', 'null')", "text")
    case .UUIDAttributeType, .binaryDataAttributeType, .transformableAttributeType:
      return ("typeof(\(column)) NOT IN ('blob', 'null')", "bytes")
    case .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType:
      return nil
    }
  }
}
