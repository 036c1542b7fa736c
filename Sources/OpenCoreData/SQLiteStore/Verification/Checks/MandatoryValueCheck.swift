/// Checks that properties that are not optional have values.
struct MandatoryValueCheck: RowCheck {
  func conditions(for table: SQLTable, of schema: SQLModel, in store: InspectedStore) -> [RowCondition] {
    table.entities(of: schema).flatMap { entity in
      entity.ownColumns.compactMap { column -> RowCondition? in
        let property: NSPropertyDescription
        switch column {
        // Elements of a composite attribute may be missing, because the whole attribute may be.
        case .attribute(let attribute):
          if attribute.keyPath != attribute.attribute.name { return nil }
          property = attribute.attribute
        case .toOne(let toOne): property = toOne.relationship
        }
        // A trigger gives a derived attribute its value if there is one, so it may be NULL.
        guard !property.isOptional, !(property is NSDerivedAttributeDescription),
          store.hasColumn(column.names[0], in: table.name)
        else { return nil }
        let isEmpty = "t.\(column.names[0].quotedName) IS NULL"
        return RowCondition(
          kind: .missingValue, severity: property is NSRelationshipDescription ? .warning : .error,
          place: "\(entity.name).\(property.name)", text: "is not optional, and has no value",
          sql: ([isEmpty] + (entity.membership("t").map { [$0] } ?? [])).joined(separator: " AND "))
      }
    }
  }
}
