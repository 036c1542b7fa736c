#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // Checks the rows of the entities' tables: one pass over each table counts the rows that meet each condition.
  extension ServerVerification {
    /// A condition that no row may meet; the row is `t`.
    struct Condition {
      let kind: StoreProblem.Kind
      var severity = StoreProblem.Severity.error
      let place: String
      let text: String
      let sql: String
    }

    func checkRows(of table: SQLTable, _ report: (StoreProblem) -> Void) throws {
      guard columns[table.name] != nil else { return }
      let conditions =
        [wrongEntities(table)] + entities(of: table).flatMap { mandatory($0) + destinations($0) } + owners(table)
      let counts = conditions.map { "count(*) FILTER (WHERE \($0.sql))" }.joined(separator: ", ")
      var found: [Int] = []
      try connection.query("SELECT \(counts) FROM \(quoted(table.name)) t") { result, row in
        found = conditions.indices.map { Int(result.int64(row, $0)) }
      }
      for (condition, count) in zip(conditions, found) where count > 0 {
        let examples = try examples(
          "SELECT t.\(entity), t.\(key) FROM \(quoted(table.name)) t WHERE \(condition.sql) ORDER BY t.\(key)")
        report(
          StoreProblem(
            condition.kind, condition.severity, at: condition.place, condition.text, count: count, examples: examples))
      }
    }

    private func entities(of table: SQLTable) -> [SQLEntity] {
      table.entityNumbers.compactMap { schema.entity(number: $0) }
    }

    private func wrongEntities(_ table: SQLTable) -> Condition {
      let concrete = entities(of: table).filter { !$0.entity.isAbstract }.map(\.number)
      let isOne = concrete.isEmpty ? "true" : "t.\(entity) NOT IN (\(Self.list(concrete)))"
      return Condition(
        kind: .wrongEntity, place: table.name, text: "rows are of no entity that the table has objects of", sql: isOne)
    }

    /// Returns the columns that an entity adds to those of its superentity.
    private func ownColumns(_ entity: SQLEntity) -> ArraySlice<SQLColumn> {
      entity.columns.dropFirst(entity.superentity?.columns.count ?? 0)
    }

    /// Returns conditions for properties that are not optional and have no value.
    private func mandatory(_ entity: SQLEntity) -> [Condition] {
      ownColumns(entity).compactMap { column in
        let property: NSPropertyDescription
        switch column {
        // The elements of a composite are missing if the whole composite is.
        case .attribute(let attribute):
          if attribute.keyPath != attribute.attribute.name { return nil }
          property = attribute.attribute
        case .toOne(let toOne): property = toOne.relationship
        }
        guard !property.isOptional, !(property is NSDerivedAttributeDescription),
          hasColumn(column.names[0], in: entity.tableName)
        else { return nil }
        let isEmpty = "t.\(quoted(column.names[0])) IS NULL"
        return Condition(
          kind: .missingValue, severity: property is NSRelationshipDescription ? .warning : .error,
          place: "\(entity.name).\(property.name)", text: "is not optional, and has no value",
          sql: ([isEmpty] + (membership("t", entity).map { [$0] } ?? [])).joined(separator: " AND "))
      }
    }

    /// Returns conditions for to-one keys that lead to no row or to a row of a wrong entity, and for columns beside a
    /// key that name a wrong entity.
    private func destinations(_ entity: SQLEntity) -> [Condition] {
      ownColumns(entity).flatMap { column -> [Condition] in
        guard case .toOne(let toOne) = column, hasColumn(toOne.keyColumn, in: entity.tableName) else { return [] }
        let destination = schema.destination(of: toOne), place = "\(entity.name).\(toOne.relationship.name)"
        guard columns[destination.tableName] != nil else { return [] }
        let key = "t.\(quoted(toOne.keyColumn))"
        let rows = "FROM \(quoted(destination.tableName)) d WHERE d.\(self.key) = \(key)"
        var result = [
          Condition(
            kind: .danglingKey, place: place,
            text: "\(toOne.keyColumn) names rows of \(destination.tableName) that are not there",
            sql: "\(key) IS NOT NULL AND NOT EXISTS (SELECT 1 \(rows))")
        ]
        if destination.superentity != nil {
          result.append(
            Condition(
              kind: .wrongDestination, place: place, text: "leads to objects that are no \(destination.name)",
              sql: "EXISTS (SELECT 1 \(rows) AND d.\(self.entity) NOT IN (\(Self.list(destination.numbers))))"))
        }
        if let column = toOne.entityColumn, hasColumn(column, in: entity.tableName) {
          result.append(
            Condition(
              kind: .wrongEntityColumn, place: place,
              text: "\(column) is not the entity of the row that \(toOne.keyColumn) names",
              sql: "EXISTS (SELECT 1 \(rows) AND d.\(self.entity) IS DISTINCT FROM t.\(quoted(column)))"))
        }
        return result
      }
    }

    /// Returns conditions for keys of owners that lead to no row, in relationships without an inverse.
    private func owners(_ table: SQLTable) -> [Condition] {
      table.ownerColumns.compactMap { column in
        guard let owner = schema.entity(number: column.ownerNumber), hasColumn(column.keyColumn, in: table.name),
          columns[owner.tableName] != nil
        else { return nil }
        let key = "t.\(quoted(column.keyColumn))"
        return Condition(
          kind: .danglingKey, place: "\(owner.name).\(column.relationship.name)",
          text: "\(column.keyColumn) names rows of \(owner.tableName) that are not there",
          sql:
            "\(key) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(quoted(owner.tableName)) d WHERE d.\(self.key) = \(key))"
        )
      }
    }
  }
#endif
