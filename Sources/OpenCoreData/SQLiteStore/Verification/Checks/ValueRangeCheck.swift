/// Checks that values are in the range of their type.
struct ValueRangeCheck: RowCheck {
  func conditions(for table: SQLTable, of schema: SQLModel, in store: InspectedStore) -> [RowCondition] {
    table.entities(of: schema).flatMap { entity in
      entity.ownColumns.compactMap { column -> RowCondition? in
        guard case .attribute(let attribute) = column, store.hasColumn(attribute.columnName, in: table.name),
          let (kind, sql, text) = Self.test(attribute, "t.\(attribute.columnName.quotedName)")
        else { return nil }
        return RowCondition(
          kind: kind, place: "\(entity.name).\(attribute.keyPath)", text: "\(attribute.columnName) \(text)", sql: sql)
      }
    }
  }

  private static func test(
    _ attribute: SQLAttribute, _ column: String
  ) -> (StoreProblem.Kind, sql: String, text: String)? {
    /// Returns the condition for an integer that is not in the range.
    func outside(_ range: String) -> String { "typeof(\(column)) = 'integer' AND \(column) NOT BETWEEN \(range)" }
    switch attribute.attribute.attributeType {
    case .integer16AttributeType:
      return (.outOfRange, outside("-32768 AND 32767"), "holds numbers beyond 16 bits")
    case .integer32AttributeType:
      return (.outOfRange, outside("-2147483648 AND 2147483647"), "holds numbers beyond 32 bits")
    case .booleanAttributeType:
      return (.outOfRange, outside("0 AND 1"), "holds numbers that are neither 0 nor 1")
    case .UUIDAttributeType:
      return (.outOfRange, "typeof(\(column)) = 'blob' AND length(\(column)) <> 16", "holds UUIDs not of 16 bytes")
    case .stringAttributeType, .URIAttributeType:
      return (.invalidText, "NOT \(ValidText.name)(\(column))", "holds text that is not UTF-8")
    default:
      return nil
    }
  }
}
