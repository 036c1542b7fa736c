#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // Derived attributes that depend on other rows: counts, sums, and values at the end of to-one relationships. The
  // server computes them after all rows of the save are written, for the rows whose values may have changed. Then these
  // rows are read again.
  extension SaveFlight {
    mutating func derive(_ plan: SavePlan, _ keys: SaveKeys, _ outcome: SaveOutcome) throws {
      if store.derivations.all.isEmpty { return }
      for derivation in store.derivations.all where derivation.needsTriggers {
        let touched = try rows(derivation, plan, keys)
        if touched.rows.isEmpty, touched.byMembers.isEmpty { continue }
        let statement = store.statements.statement(
          .derivation(derivation.entity.number, derivation.attribute.keyPath)
        ) { compute(derivation) }
        var values = ServerValues()
        values.append(array: touched.rows.sorted())
        values.append(array: touched.byMembers.sorted())
        add(statement, values)
      }
      try readAgain(plan, outcome)
    }

    /// The rows whose values a save may have changed.
    private struct Touched {
      /// The keys of rows that have the attribute.
      var rows: Set<Int64> = []
      /// The keys of rows to which the rows with the attribute lead: members, or the rows along paths.
      var byMembers: Set<Int64> = []
    }

    private func rows(_ derivation: SQLDerivation, _ plan: SavePlan, _ keys: SaveKeys) throws -> Touched {
      var touched = Touched()
      let own = Set(derivation.entity.numbers)
      var others: Set<Int> = []
      switch derivation.kind {
      case .now, .row: break
      case .path(let toOnes, _): for toOne in toOnes { others.formUnion(store.schema.destination(of: toOne).numbers) }
      case .count(let toMany), .sum(let toMany, _): others.formUnion(store.schema.destination(of: toMany).numbers)
      }
      for rows in [plan.inserted, plan.updated] {
        for row in rows {
          let number = try store.entity(row.layout.entity).number
          if own.contains(number) { touched.rows.insert(row.primaryKey) }
          if others.contains(number) { touched.byMembers.insert(row.primaryKey) }
        }
      }
      // If the relationship has an inverse, the owners of deleted members are among the updated objects. Without an
      // inverse, other owners are found only if they have changed themselves.
      for members in plan.members where own.contains(try store.entity(members.layout.entity).number) {
        touched.rows.insert(keys.permanent(members.owner))
      }
      for former in keys.formerOwners { touched.rows.insert(former.key) }
      return touched
    }

    /// Returns the statement that computes an attribute. Its variables are keys of rows with the attribute, and keys of
    /// rows to which those lead.
    private func compute(_ derivation: SQLDerivation) -> ServerStatement {
      let entity = derivation.entity, key = quoted(dialect.columns.key)
      let column = quoted(derivation.attribute.columnName)
      let (value, leadsTo) = self.value(of: derivation)
      let filter = entityFilter(derivation)
      let change =
        "INSERT INTO \"_change\"(n, kind, ent, pk) SELECT -row_number() OVER () - \(number(of: derivation)), 't', "
        + "\(entity.number), pk FROM u"
      return ServerStatement(
        "WITH u AS (UPDATE \(quoted(entity.tableName)) t SET \(column) = \(value) "
          + "WHERE (t.\(key) = ANY($1) OR \(leadsTo))\(filter) "
          + "AND t.\(column) IS DISTINCT FROM \(value) RETURNING t.\(key) AS pk) "
          + "\(change)", types: Self.arrays([.key, .key]))
    }

    /// Returns the value that a row `t` is to have, in the type of its column, and the condition that the row leads to
    /// one of the rows with the keys `$2`.
    func value(of derivation: SQLDerivation) -> (value: String, leadsTo: String) {
      let value: String, leadsTo: String
      switch derivation.kind {
      case .now, .row: (value, leadsTo) = ("NULL", "FALSE")
      case .path(let toOnes, let source):
        (value, leadsTo) = path(toOnes, source)
      case .count(let toMany): (value, leadsTo) = members(toMany, "count(*)", derivation.filter)
      case .sum(let toMany, let source):
        (value, leadsTo) = members(toMany, "COALESCE(sum(t0.\(quoted(source.columnName))), 0)", derivation.filter)
      }
      let type = (dialect as? PostgreSQLDialect)?.typeName(derivation.attribute.type) ?? "numeric"
      return ("(\(value))::\(type)", leadsTo)
    }

    /// Returns the condition that a row `t` has the attribute, if other entities share its table.
    func entityFilter(_ derivation: SQLDerivation) -> String {
      let entity = derivation.entity
      guard entity.needsEntityFilter(includingSubentities: true) else { return "" }
      return " AND t.\(quoted(entity.fixed.entity)) IN (\(entity.numbers.map(String.init).joined(separator: ", ")))"
    }

    /// Returns the offset of the numbers for an attribute's computed rows. Their numbers are below 0 and have another
    /// range for each attribute, so that they do not collide with other changes of the save.
    private func number(of derivation: SQLDerivation) -> Int {
      let place = store.derivations.all.firstIndex {
        $0.entity === derivation.entity && $0.attribute.keyPath == derivation.attribute.keyPath
      }
      return (place ?? 0) * 1_000_000
    }

    private func path(_ toOnes: [SQLToOne], _ source: SQLAttribute) -> (value: String, leadsTo: String) {
      let key = quoted(dialect.columns.key)
      var from = "", leads: [String] = [], last = "t"
      for (index, toOne) in toOnes.enumerated() {
        let table = quoted(store.schema.destination(of: toOne).tableName), alias = "p\(index)"
        let condition = "\(alias).\(key) = \(last).\(quoted(toOne.keyColumn))"
        from += index == 0 ? "\(table) \(alias)" : " JOIN \(table) \(alias) ON \(condition)"
        if index == 0 {
          leads.append("t.\(quoted(toOne.keyColumn)) = ANY($2)")
        } else {
          leads.append(
            "EXISTS (SELECT 1 FROM \(from) WHERE p0.\(key) = t.\(quoted(toOnes[0].keyColumn)) AND \(alias).\(key) = ANY($2))"
          )
        }
        last = alias
      }
      let value =
        "SELECT \(last).\(quoted(source.columnName)) FROM \(from) WHERE p0.\(key) = t.\(quoted(toOnes[0].keyColumn))"
      return (value, leads.joined(separator: " OR "))
    }

    private func members(
      _ toMany: SQLToMany, _ aggregate: String, _ filter: MemberFilter?
    ) -> (value: String, leadsTo: String) {
      let key = quoted(dialect.columns.key)
      let condition = filter.map { " AND (\($0.t0))" } ?? ""
      switch toMany.storage {
      case .foreignKey(let table, let column, _, _):
        let (table, column) = (quoted(table), quoted(column))
        return (
          "SELECT \(aggregate) FROM \(table) t0 WHERE t0.\(column) = t.\(key)\(condition)",
          "t.\(key) IN (SELECT m.\(column) FROM \(table) m WHERE m.\(key) = ANY($2))"
        )
      case .join(let table, let source, let member, _, _):
        let rows = quoted(store.schema.destination(of: toMany).tableName)
        let (table, source, member) = (quoted(table), quoted(source), quoted(member))
        return (
          "SELECT \(aggregate) FROM \(table) j JOIN \(rows) t0 ON t0.\(key) = j.\(member) "
            + "WHERE j.\(source) = t.\(key)\(condition)",
          "t.\(key) IN (SELECT j.\(source) FROM \(table) j WHERE j.\(member) = ANY($2))"
        )
      }
    }

    /// Reads the rows that the server has computed again, and the written rows that have attributes which the server
    /// computes.
    private mutating func readAgain(_ plan: SavePlan, _ outcome: SaveOutcome) throws {
      var written: [Int: Set<Int64>] = [:]
      for rows in [plan.inserted, plan.updated] {
        for row in rows {
          let entity = try store.entity(row.layout.entity)
          if store.derivedPlans[entity.number - 1].isNeeded {
            written[entity.root.number, default: []].insert(row.primaryKey)
          }
        }
      }
      let roots = Set(store.derivations.all.map(\.entity.root.number)).union(written.keys)
      for number in roots.sorted() {
        guard let root = store.schema.entity(number: number) else { continue }
        let reading = RowReading(store.decoders[root])
        // Only the server knows the computed rows: those that this transaction has noted as computed.
        let statement = store.statements.statement(.derivation(number, "")) { rowsAgain(root) }
        var values = ServerValues()
        values.append(array: (written[number] ?? []).sorted())
        add(statement, values) { result in
          try reading.check(result)
          for row in 0..<result.rowCount {
            let snapshot = reading.decode(result, row, commit: 0)
            outcome.derivedRows[root.entity.rowLayout.rootNumber, default: [:]][snapshot.primaryKey] = snapshot
          }
        }
      }
    }

    private func rowsAgain(_ root: SQLEntity) -> ServerStatement {
      let numbers = root.numbers.map(String.init).joined(separator: ", ")
      let columns = (root.fixed.all + root.rowLayout.columnNames).map { "t.\(quoted($0))" }.joined(separator: ", ")
      return ServerStatement(
        "SELECT \(columns) FROM \(quoted(root.tableName)) t WHERE t.\(quoted(root.fixed.key)) = ANY($1 || ARRAY("
          + "SELECT pk FROM \"_change\" WHERE xid = pg_current_xact_id() AND kind = 't' AND ent IN (\(numbers))))",
        types: Self.arrays([.key]))
    }
  }
#endif
