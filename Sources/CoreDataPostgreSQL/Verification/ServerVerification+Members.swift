#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // Checks join tables, unique values, numbers of members, and history.
  extension ServerVerification {
    /// Checks that both ends of each pair exist and belong to the right entities, and that pairs of an ordered
    /// relationship have positions.
    func checkPairs(_ report: (StoreProblem) -> Void) throws {
      var done: Set<String> = []
      for owner in schema.entities {
        for (name, toMany) in owner.toManys.sorted(by: { $0.key < $1.key }) {
          guard toMany.relationship.entity === owner.entity,
            case .join(let table, let source, let destination, let order, _) = toMany.storage, columns[table] != nil,
            done.insert(table).inserted
          else { continue }
          let place = "\(owner.name).\(name)"
          for (column, end) in [(source, owner), (destination, schema.destination(of: toMany))] {
            try checkEnd(column, end, of: table, place, [source, destination], report)
          }
          if let order {
            try check(
              .missingPosition, at: place, "\(order) in \(table) gives no position",
              rows: "FROM \(quoted(table)) j WHERE j.\(quoted(order)) IS NULL", examples: pair([source, destination]),
              report)
          }
        }
      }
    }

    /// Returns the expression that shows a pair as an example.
    private func pair(_ columns: [String]) -> String {
      "concat_ws(' - ', \(columns.map { "j." + quoted($0) }.joined(separator: ", ")))"
    }

    private func checkEnd(
      _ column: String, _ end: SQLEntity, of table: String, _ place: String, _ ends: [String],
      _ report: (StoreProblem) -> Void
    ) throws {
      guard columns[end.tableName] != nil else { return }
      let there = "SELECT 1 FROM \(quoted(end.tableName)) d WHERE d.\(key) = j.\(quoted(column))"
      try check(
        .orphanJoinRow, at: place, "\(column) in \(table) names rows of \(end.tableName) that are not there",
        rows: "FROM \(quoted(table)) j WHERE NOT EXISTS (\(there))", examples: pair(ends), report)
      guard end.superentity != nil else { return }
      try check(
        .wrongJoinEntity, at: place, "\(column) in \(table) names objects that are no \(end.name)",
        rows:
          "FROM \(quoted(table)) j WHERE EXISTS (\(there) AND d.\(entity) NOT IN (\(Self.list(end.numbers))))",
        examples: pair(ends), report)
    }

    /// Checks that the values are unique which the model wants to be unique, even if the index that ensures it is
    /// missing.
    func checkUniqueness(_ report: (StoreProblem) -> Void) throws {
      for entity in schema.entities {
        for names in entity.entity.uniquenessConstraintNames {
          let columns = names.compactMap { entity.positions[$0].map { entity.columns[$0].names[0] } }
          guard columns.count == names.count, !columns.isEmpty,
            columns.allSatisfy({ hasColumn($0, in: entity.tableName) })
          else { continue }
          let quoted = columns.map { "t.\(self.quoted($0))" }
          // NULL does not equal any value, not even NULL.
          let conditions = quoted.map { "\($0) IS NOT NULL" } + (membership("t", entity).map { [$0] } ?? [])
          let groups =
            "SELECT min(t.\(key)) AS k FROM \(self.quoted(entity.tableName)) t "
            + "WHERE \(conditions.joined(separator: " AND ")) GROUP BY \(quoted.joined(separator: ", ")) HAVING count(*) > 1"
          guard let count = try connection.integer("SELECT count(*) FROM (\(groups)) g"), count > 0 else { continue }
          let examples = try examples(
            "SELECT t.\(self.entity), t.\(key) FROM (\(groups)) g JOIN \(self.quoted(entity.tableName)) t ON t.\(key) = g.k"
          )
          report(
            StoreProblem(
              .duplicateValues, at: "\(entity.name).(\(names.joined(separator: ", ")))",
              "values that are to be unique are there more than once", count: Int(count), examples: examples))
        }
      }
    }

    /// Checks that to-many relationships have as many members as the model demands and allows; a save would refuse
    /// other numbers.
    func checkMemberCounts(_ report: (StoreProblem) -> Void) throws {
      for owner in schema.entities {
        for (name, toMany) in owner.toManys.sorted(by: { $0.key < $1.key }) {
          let relationship = toMany.relationship
          guard relationship.entity === owner.entity else { continue }
          var limits: [String] = [], wanted: [String] = []
          if relationship.minCount > 0 {
            // An optional relationship may be empty whatever its minimum is.
            let isThere = relationship.isOptional ? " AND COALESCE(c.n, 0) > 0" : ""
            limits.append("(COALESCE(c.n, 0) < \(relationship.minCount)\(isThere))")
            wanted.append("at least \(relationship.minCount)")
          }
          if relationship.maxCount > 1 {
            limits.append("c.n > \(relationship.maxCount)")
            wanted.append("at most \(relationship.maxCount)")
          }
          let (table, column) = Self.source(toMany)
          guard !limits.isEmpty, hasColumn(column, in: table), columns[owner.tableName] != nil else { continue }
          let counted = "SELECT \(quoted(column)) AS k, count(*) AS n FROM \(quoted(table)) GROUP BY 1"
          let conditions = ["(\(limits.joined(separator: " OR ")))"] + (membership("o", owner).map { [$0] } ?? [])
          let rows =
            "FROM \(quoted(owner.tableName)) o LEFT JOIN (\(counted)) c ON c.k = o.\(key) "
            + "WHERE \(conditions.joined(separator: " AND "))"
          guard let count = try connection.integer("SELECT count(*) \(rows)"), count > 0 else { continue }
          report(
            StoreProblem(
              .memberCount, .warning, at: "\(owner.name).\(name)",
              "objects have not the number of members that the model wants: \(wanted.joined(separator: " and "))",
              count: Int(count), examples: try examples("SELECT o.\(entity), o.\(key) \(rows)")))
        }
      }
    }

    /// Returns the table with a row for each member, and its column with the owner's key.
    private static func source(_ toMany: SQLToMany) -> (table: String, column: String) {
      switch toMany.storage {
      case .foreignKey(let table, let column, _, _): (table, column)
      case .join(let table, let source, _, _, _): (table, source)
      }
    }

    /// Checks that notes of changes belong to commits, and to entities that exist.
    func checkHistory(_ report: (StoreProblem) -> Void) throws {
      guard columns["_change"] != nil, columns["_commit"] != nil else { return }
      let name = "concat_ws('.', t.xid::text, t.n::text)"
      try check(
        .history, at: "_change", "notes of changes belong to commits that are not there",
        rows: "FROM \"_change\" t WHERE NOT EXISTS (SELECT 1 FROM \"_commit\" c WHERE c.xid = t.xid)", examples: name,
        report)
      try check(
        .history, at: "_change", "notes of changes are neither of an insert, an update nor a delete",
        rows: "FROM \"_change\" t WHERE t.kind NOT IN ('i', 'u', 'd', 't')", examples: name, report)
      try check(
        .history, at: "_change", "notes of changes are of entities that there are not",
        rows: "FROM \"_change\" t WHERE NOT EXISTS (SELECT 1 FROM \"_entity\" e WHERE e.number = t.ent)",
        examples: name,
        report)
    }
  }
#endif
