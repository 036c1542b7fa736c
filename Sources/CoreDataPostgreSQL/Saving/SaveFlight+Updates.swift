#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // The changed rows of a save: one UPDATE for each entity and set of columns.
  extension SaveFlight {
    /// Rows of one entity in which the same columns have changed.
    struct UpdateGroup {
      let entity: SQLEntity
      let changed: [Int]
      var rows: ContiguousArray<Snapshot> = []
    }

    /// Returns the updates of a plan, one for each entity and set of changed columns.
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

    /// Returns the statement of an update. Its variables are keys, new versions, and the new values of the columns.
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

    /// Sets the unique values that updated rows give up to NULL.
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
  }
#endif
