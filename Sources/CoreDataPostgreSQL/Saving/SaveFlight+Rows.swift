#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // The rows of a save: locked, deleted, updated, inserted.
  extension SaveFlight {
    // MARK: Rows that are not written

    /// Rows must be unchanged although they are not written, until the save is over.
    mutating func check(_ rows: ContiguousArray<PlannedRow>) throws {
      for (entity, rows) in try grouped(rows) {
        let statement = store.statements.statement(.lockCheck(entity.number)) {
          let table = quoted(entity.tableName), key = quoted(entity.fixed.key), version = quoted(entity.fixed.version)
          return ServerStatement(
            "WITH v AS MATERIALIZED (SELECT * FROM unnest($1, $2) AS v(pk, opt)), "
              + "l AS MATERIALIZED (SELECT t.\(key), t.\(version) FROM \(table) t WHERE t.\(key) = ANY($1) "
              + "ORDER BY t.\(key) FOR SHARE) "
              + "SELECT 1 / (count(*) = cardinality($1))::integer FROM l JOIN v ON v.pk = l.\(key) AND v.opt = l.\(version)",
            types: Self.arrays([.key, .version]))
        }
        add(
          statement, keysAndVersions(rows),
          checking: Guarded(entity: entity, rows: guarded(rows), mayBeGone: false))
      }
    }

    /// Locks rows that several statements will write, in the order of their keys: two saves that lock in another order each
    /// would wait for each other.
    mutating func lock(_ keys: ContiguousArray<Int64>, of entity: SQLEntity) {
      let root = entity.root
      let statement = store.statements.statement(.locking(root.number)) {
        let key = quoted(root.fixed.key)
        return ServerStatement(
          "SELECT count(*) FROM (SELECT 1 FROM \(quoted(root.tableName)) WHERE \(key) = ANY($1) ORDER BY \(key) "
            + "FOR UPDATE) AS locked", types: [ServerType.array(of: ServerType.int64)])
      }
      add(statement, store.keyValues(keys))
    }

    // MARK: Deletions

    mutating func delete(_ rows: ContiguousArray<PlannedRow>) throws {
      for (entity, rows) in try grouped(rows) {
        let statement = store.statements.statement(.deletion(entity.number)) {
          let table = quoted(entity.tableName), key = quoted(entity.fixed.key), version = quoted(entity.fixed.version)
          // A row that others have deleted, too, is what was wanted; one that they have changed is not.
          return ServerStatement(
            "WITH v AS MATERIALIZED (SELECT * FROM unnest($1, $2) AS v(pk, opt) ORDER BY pk), "
              + "d AS (DELETE FROM \(table) t USING v WHERE t.\(key) = v.pk AND (v.opt = 0 OR t.\(version) = v.opt) "
              + "RETURNING t.\(key) AS pk) "
              + "SELECT 1 / (count(*) = 0)::integer FROM v JOIN \(table) t ON t.\(key) = v.pk "
              + "WHERE NOT EXISTS (SELECT 1 FROM d WHERE d.pk = v.pk)", types: Self.arrays([.key, .version]))
        }
        add(
          statement, keysAndVersions(rows),
          checking: Guarded(entity: entity, rows: guarded(rows), mayBeGone: true))
      }
    }

    /// Rows by their entities, in the order of their keys.
    func grouped(_ rows: ContiguousArray<PlannedRow>) throws -> [(SQLEntity, ContiguousArray<PlannedRow>)] {
      if rows.isEmpty { return [] }
      var groups: [Int: ContiguousArray<PlannedRow>] = [:]
      for row in rows { groups[try store.entity(row.layout.entity).number, default: []].append(row) }
      return groups.sorted { $0.key < $1.key }.compactMap { number, rows in
        store.schema.entity(number: number).map { ($0, ContiguousArray(rows.sorted { $0.key < $1.key })) }
      }
    }

    private func guarded(_ rows: ContiguousArray<PlannedRow>) -> ContiguousArray<(key: Int64, version: Int64)> {
      ContiguousArray(rows.compactMap { row in row.version.map { (row.key, $0) } })
    }

    private func keysAndVersions(_ rows: ContiguousArray<PlannedRow>) -> ServerValues {
      var values = ServerValues()
      values.append(array: rows.lazy.map(\.key))
      values.append(array: rows.lazy.map { $0.version ?? 0 })
      return values
    }

    // MARK: Updates

    /// Rows of one entity that have changed the same columns.
    struct UpdateGroup {
      let entity: SQLEntity
      let changed: [Int]
      var rows: ContiguousArray<Snapshot> = []
    }

    /// The updates of a plan, an entity and a set of changed columns each.
    func updates(_ plan: SavePlan) throws -> [UpdateGroup] {
      if plan.updated.isEmpty { return [] }
      var groups: [UpdateGroup] = []
      var places: [StatementCache.Purpose: Int] = [:]
      var ofChanges: [Int32: Int] = [:]
      for (index, row) in plan.updated.enumerated() {
        let changes = plan.changesOfUpdated[index]
        if let place = ofChanges[changes] {
          groups[place].rows.append(row)
          continue
        }
        let planned = plan.changes[Int(changes)]
        let entity = try store.entity(planned.layout.entity)
        let columns = store.writePlans[entity.number - 1]
        let slots = Set(planned.places.lazy.map { planned.layout.slots[$0].index })
        let changed = columns.indices.filter { columns[$0].index >= 0 && slots.contains(columns[$0].index) }
        let place = places[.update(entity.number, changed)] ?? groups.count
        if place == groups.count {
          groups.append(UpdateGroup(entity: entity, changed: changed))
          places[.update(entity.number, changed)] = place
        }
        ofChanges[changes] = place
        groups[place].rows.append(row)
      }
      for place in groups.indices { groups[place].rows.sort { $0.primaryKey < $1.primaryKey } }
      return groups.sorted { $0.entity.number < $1.entity.number }
    }

    mutating func update(_ group: UpdateGroup, now: Double) {
      let entity = group.entity, columns = store.writePlans[entity.number - 1]
      let derived = store.derivedPlans[entity.number - 1].computed(from: group.changed)
      let written = group.changed + derived.map(\.position)
      let statement = store.statements.statement(.update(entity.number, written)) { update(written, entity) }
      var values = ServerValues()
      values.append(keysOf: group.rows)
      values.append(versionsOf: group.rows)
      for position in group.changed {
        values.append(group.rows, columns[position], store.columnTypes[entity.number - 1][position])
      }
      for column in derived { append(column, entity, group.rows, now, to: &values) }
      let versions = ContiguousArray(group.rows.map { (key: $0.primaryKey, version: $0.version &- 1) })
      add(statement, values, checking: Guarded(entity: entity, rows: versions, mayBeGone: false))
    }

    /// The variables are keys, new versions, and the new values of the columns.
    private func update(_ positions: [Int], _ entity: SQLEntity) -> ServerStatement {
      let columns = positions.flatMap { entity.columns[$0].typedNames }
      let key = quoted(entity.fixed.key), version = quoted(entity.fixed.version)
      let names = ["pk", "opt"] + columns.indices.map { "v\($0)" }
      var assignments = ["\(version) = v.opt"]
      assignments += columns.enumerated().map { "\(quoted($1.name)) = v.v\($0)" }
      for position in positions {
        // A member that changes its owner has no place among the new owner's members yet.
        if case .toOne(let toOne) = entity.columns[position], let order = toOne.orderColumn {
          assignments.append("\(quoted(order)) = NULL")
        }
      }
      return ServerStatement(
        "WITH v AS MATERIALIZED (SELECT * FROM unnest(\(Self.variables(names.count))) AS v(\(names.joined(separator: ", "))) "
          + "ORDER BY pk), u AS (UPDATE \(quoted(entity.tableName)) t SET \(assignments.joined(separator: ", ")) FROM v "
          + "WHERE t.\(key) = v.pk AND t.\(version) = v.opt - 1 RETURNING 1) "
          + "SELECT 1 / (count(*) = cardinality($1))::integer FROM u",
        types: Self.arrays([.key, .version] + columns.map(\.type)))
    }

    /// What a derived attribute has in rows.
    private func append(
      _ column: ComputedColumn, _ entity: SQLEntity, _ rows: ContiguousArray<Snapshot>, _ now: Double,
      to values: inout ServerValues
    ) {
      let type = entity.columns[column.position].typedNames[0].type
      values.beginArray(of: ServerType.of(type), reserving: rows.count)
      for row in rows { values.append(column.value(for: row, now: now), as: type) }
      values.endArray()
    }

    /// Takes away the unique values that updated rows give up.
    mutating func vacate(_ vacated: [VacatedValues]) {
      for values in vacated {
        let entity = values.entity
        let statement = store.statements.statement(.vacating(entity.number, values.columns)) {
          let columns = values.columns.map { "\(quoted($0)) = NULL" }.joined(separator: ", ")
          return ServerStatement(
            "UPDATE \(quoted(entity.tableName)) SET \(columns) WHERE \(quoted(entity.fixed.key)) = ANY($1)",
            types: [ServerType.array(of: ServerType.int64)])
        }
        add(statement, store.keyValues([values.key]))
      }
    }

    // MARK: Insertions

    mutating func insert(_ rows: ContiguousArray<Snapshot>, now: Double) throws {
      guard let first = rows.first else { return }
      if rows.isOfOneLayout { return insert(rows, of: try store.entity(first.layout.entity), now: now) }
      var groups: [Int: ContiguousArray<Snapshot>] = [:]
      for row in rows { groups[try store.entity(row.layout.entity).number, default: []].append(row) }
      for (number, rows) in groups.sorted(by: { $0.key < $1.key }) {
        guard let entity = store.schema.entity(number: number) else { continue }
        insert(rows, of: entity, now: now)
      }
    }

    private mutating func insert(_ rows: ContiguousArray<Snapshot>, of entity: SQLEntity, now: Double) {
      let statement = store.statements.statement(.insertion(entity.number)) { insertion(entity) }
      add(statement, insertedValues(rows, of: entity, now: now))
    }

    private func insertion(_ entity: SQLEntity) -> ServerStatement {
      let fixed: [(name: String, type: SQLColumnType)] = [
        (entity.fixed.key, .key), (entity.fixed.entity, .entityNumber), (entity.fixed.version, .version),
      ]
      let columns = fixed + entity.columns.flatMap(\.typedNames)
      return ServerStatement(
        "INSERT INTO \(quoted(entity.tableName))(\(columns.map { quoted($0.name) }.joined(separator: ", "))) "
          + "SELECT * FROM unnest(\(Self.variables(columns.count)))", types: Self.arrays(columns.map(\.type)))
    }

    private func insertedValues(
      _ rows: ContiguousArray<Snapshot>, of entity: SQLEntity, now: Double
    ) -> ServerValues {
      let computed = store.derivedPlans[entity.number - 1].computed
      let columns = store.writePlans[entity.number - 1], types = store.columnTypes[entity.number - 1]
      var values = ServerValues(variables: 3 + 2 * columns.count)
      if rows.count > 8 {
        let fixed = [ServerType.int64, ServerType.int32, ServerType.int64]
        values.reserve(rows.count, of: fixed + types.lazy.joined().map(ServerType.of))
      }
      values.append(keysOf: rows)
      values.beginArray(of: ServerType.int32, reserving: rows.count)
      for _ in 0..<rows.count { values.append(Int32(entity.number)) }
      values.endArray()
      values.append(versionsOf: rows)
      for position in columns.indices {
        if !computed.isEmpty, let column = computed.first(where: { $0.position == position }) {
          append(column, entity, rows, now, to: &values)
        } else {
          values.append(rows, columns[position], types[position])
        }
      }
      return values
    }
  }

  extension ContiguousArray<Snapshot> {
    /// Whether all rows are of one entity.
    fileprivate var isOfOneLayout: Bool {
      guard let layout = first?.layout else { return true }
      var isOne = true
      forEachBorrowed { if $0.layout !== layout { isOne = false } }
      return isOne
    }
  }
#endif
